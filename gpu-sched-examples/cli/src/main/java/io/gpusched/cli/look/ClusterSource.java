package io.gpusched.cli.look;

import io.gpusched.kubernetes.command.DialectConverter;
import io.gpusched.manifests.cluster.ClusterObjects;
import io.gpusched.manifests.cluster.FoundDialects;
import io.gpusched.manifests.cluster.SeenCluster;
import io.gpusched.manifests.dialect.NamedDialect;
import io.gpusched.manifests.yaml.InputException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that say which cluster is looked at. Nothing is written to it. */
public final class ClusterSource {
    private static final Pattern ADDED = Pattern.compile("([1-9][0-9]{0,3})@(.+)");

    @Option(
            names = "--cluster",
            paramLabel = "F",
            description = "What \"kubectl get nodes,pods -A -o json\" printed, other kinds may follow; - is standard"
                    + " input (default: the cluster that KUBECONFIG names).")
    private @Nullable Path file;

    @Option(
            names = "--kubeconfig",
            paramLabel = "F",
            description = "The file that says where the cluster is (default: as for kubectl).")
    private @Nullable Path kubeconfig;

    @Option(names = "--context", paramLabel = "NAME", description = "The context in that file (default: its own).")
    private @Nullable String context;

    @Option(
            names = "--dialect",
            paramLabel = "NAME",
            split = ",",
            converter = DialectConverter.class,
            description = "The systems whose resources the nodes have, as for kube (default: read from their labels,"
                    + " resources and annotations).")
    private List<NamedDialect> dialects = new ArrayList<>();

    @Option(
            names = "--any-kind",
            description =
                    "A pod that runs on a whole GPU may go on with a slice or a replica, and the other way around.")
    private boolean anyKind;

    @Option(
            names = "--add",
            paramLabel = "N@NODE",
            split = ",",
            description = "As if the cluster had N more nodes like NODE, empty: what if we buy two?")
    private List<String> added = new ArrayList<>();

    /** For the command line, which fills it. */
    public ClusterSource() {}

    /**
     * Returns the cluster as it is now.
     *
     * @throws InputException if it cannot be read or has no nodes
     */
    public SeenCluster read() {
        return read("");
    }

    /**
     * Returns the cluster as it is now.
     *
     * @param asked what is asked for beside it, as text: it may tell which system gives out parts of GPUs
     * @throws InputException if it cannot be read or has no nodes
     */
    public SeenCluster read(String asked) {
        if (file != null && (kubeconfig != null || context != null)) {
            throw new IllegalArgumentException("--cluster does not go with --kubeconfig or --context");
        }
        ClusterObjects objects = file == null ? LiveCluster.read(kubeconfig, context) : ClusterObjects.read(file);
        if (objects.nodes().isEmpty()) {
            throw new InputException(
                    file == null ? "the cluster" : file.toString(), 0, "", "must have at least one node");
        }
        for (String more : added) {
            Matcher matcher = ADDED.matcher(more);
            if (!matcher.matches()) {
                throw new IllegalArgumentException(
                        "--add must be a number in 1..9999, @ and the name of a node, such as 2@gpu-7, got \"" + more
                                + "\"");
            }
            objects = objects.adding(Integer.parseInt(matcher.group(1)), matcher.group(2));
        }
        FoundDialects found = dialects.isEmpty() ? SeenCluster.found(objects, asked) : FoundDialects.named(dialects);
        return anyKind ? SeenCluster.ofAnyKind(objects, found) : SeenCluster.of(objects, found);
    }
}
