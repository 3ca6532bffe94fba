package io.gpusched.examples.place;

import io.gpusched.dialect.Dialect;
import io.gpusched.dialect.RefusedException;
import io.gpusched.model.Cluster;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code place}: decides where a pod or a group goes. Exit code 0 placed, 1 not placed, 2 bad input. */
@Command(
        name = "place",
        mixinStandardHelpOptions = true,
        description = "Decides where a pod or a group goes, and prints what the system would write.",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:placed", "1:not placed", "2:bad input; the message names file, line and field"})
public final class PlaceCommand implements Callable<Integer> {
    @Option(
            names = "--cluster",
            required = true,
            paramLabel = "F",
            description = "The cluster: nodes and what runs, in the library's form or as Kubernetes manifests.")
    @SuppressWarnings("NullAway.Init")
    private Path clusterFile;

    @Option(
            names = "--pod",
            required = true,
            paramLabel = "F",
            description = "What to place: a pod or a group, in the library's form or as Kubernetes manifests.")
    @SuppressWarnings("NullAway.Init")
    private Path podFile;

    @Option(
            names = "--dialect",
            paramLabel = "NAME",
            description =
                    "Whose resources the manifests use: t9k, device-plugin[:vendor/resource], nvidia-sharing[:mps],"
                            + " nano-gpu[:spread], gpushare[:mib], elastic-gpu, gaia, hami, volcano[:spread] or slurm.")
    private @Nullable String dialectName;

    @Option(names = "--json", description = "Prints JSON.")
    private boolean json;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        try {
            return print(answers());
        } catch (RefusedException e) {
            return print(List.of(new Answer.Refused(String.valueOf(e.getMessage()))));
        } catch (InputException e) {
            PrintWriter err = spec.commandLine().getErr();
            err.println("error: " + e.getMessage());
            err.flush();
            return 2;
        }
    }

    private Integer print(List<Answer> answers) throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            PlaceReport.printJson(out, answers);
        } else {
            PlaceReport.print(out, answers);
        }
        out.flush();
        return answers.stream().allMatch(answer -> answer instanceof Answer.Found) ? 0 : 1;
    }

    private List<Answer> answers() {
        List<YamlNode> clusterDocuments = YamlReader.read(clusterFile);
        List<YamlNode> podDocuments = YamlReader.read(podFile);
        if (Dialects.SLURM.equals(dialectName)) {
            return SlurmPlace.place(clusterDocuments.get(0), podDocuments.get(0));
        }
        Optional<Dialect> dialect = dialect(clusterDocuments);
        Cluster cluster = isManifest(clusterDocuments)
                ? new KubernetesCluster(needed(dialect, clusterDocuments))
                        .read(KubernetesPods.objects(clusterDocuments))
                : PlainCluster.read(clusterDocuments.get(0));
        Asked asked = isManifest(podDocuments)
                ? KubernetesAsked.read(KubernetesPods.objects(podDocuments), needed(dialect, podDocuments))
                : PlainPods.read(podDocuments.get(0));
        return new Placer(cluster, dialect).place(asked);
    }

    private static boolean isManifest(List<YamlNode> documents) {
        return documents.get(0).at("kind").isPresent();
    }

    private static Dialect needed(Optional<Dialect> dialect, List<YamlNode> documents) {
        return dialect.orElseThrow(() -> documents.get(0).at("kind").error("Kubernetes manifests need --dialect"));
    }

    private Optional<Dialect> dialect(List<YamlNode> cluster) {
        Optional<Dialect> named = namedDialect();
        return isManifest(cluster)
                ? named.map(dialect -> Dialects.knowing(KubernetesPods.objects(cluster), dialect))
                : named;
    }

    private Optional<Dialect> namedDialect() {
        if (dialectName == null) {
            return Optional.empty();
        }
        try {
            Optional<Dialect> found = Dialects.find(dialectName);
            if (found.isEmpty()) {
                throw new InputException(
                        "option --dialect",
                        0,
                        "",
                        "must be one of " + Dialects.known() + " or slurm, got \"" + dialectName + "\"");
            }
            return found;
        } catch (IllegalArgumentException e) {
            throw new InputException("option --dialect", 0, "", String.valueOf(e.getMessage()));
        }
    }
}
