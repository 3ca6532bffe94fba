package io.gpusched.manifests.cluster;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.gpusched.analysis.DisruptionBudget;
import io.gpusched.dialect.Dialect;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.nvidia.DevicePluginDialect;
import io.gpusched.dialect.nvidia.GpuOperatorDialect;
import io.gpusched.dialect.nvidia.NvidiaSharingDialect;
import io.gpusched.manifests.dialect.NamedDialect;
import io.gpusched.manifests.view.ClusterBook;
import io.gpusched.manifests.view.DialectSet;
import io.gpusched.manifests.view.RunningPod;
import io.gpusched.manifests.yaml.YamlReader;
import io.gpusched.model.Cluster;
import io.gpusched.model.ClusterTotals;
import io.gpusched.model.PodId;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * A cluster as it was read, whichever scheduler runs there: a snapshot with all that runs, each pod on the GPUs that a grant names, else
 * on as many as it asks for.
 */
public final class SeenCluster {
    private static final Set<String> ENDED = Set.of("Succeeded", "Failed");

    private final ClusterObjects objects;
    private final FoundDialects found;
    private final DialectSet dialects;
    private final List<Node> nodes = new ArrayList<>();
    private final Map<PodId, Pod> pods = new HashMap<>();
    private final Cluster cluster;
    private final List<String> notes = new ArrayList<>();

    private SeenCluster(ClusterObjects objects, FoundDialects found) {
        this.objects = objects;
        this.found = found;
        this.dialects = new DialectSet(found.dialects());
        objects.nodes().forEach(node -> nodes.add(labelled(node)));
        objects.pods().forEach(pod -> pods.put(idOf(pod), pod));
        notes.addAll(objects.notes());
        ClusterBook book = new ClusterBook(dialects);
        nodes.forEach(book::putNode);
        objects.namespaces().forEach(book::putNamespace);
        running().forEach(pod -> book.putPod(RunningPod.of(pod)));
        this.cluster = new SeenGroups(objects.groups()).in(book.cluster(), running());
        book.troubles().forEach(trouble -> notes.add(trouble.kind() + " " + trouble.name() + ": " + trouble.message()));
    }

    /** Returns the cluster of these objects, whose nodes speak these dialects. */
    public static SeenCluster of(ClusterObjects objects, FoundDialects found) {
        return new SeenCluster(objects, found);
    }

    /**
     * Reads what kubectl printed; the dialect is found by what nodes say.
     *
     * @throws io.gpusched.manifests.yaml.InputException if it cannot be read
     */
    public static SeenCluster read(Path file) {
        ClusterObjects objects = ClusterObjects.of(YamlReader.read(file));
        return of(objects, FoundDialects.of(objects.nodes()));
    }

    /** Where there are several dialects each node says its own. */
    private Node labelled(Node node) {
        String name = found.byNode().get(node.getMetadata().getName());
        return name == null || found.dialects().size() == 1
                ? node
                : node.edit()
                        .editMetadata()
                        .addToLabels(DialectSet.LABEL, name)
                        .endMetadata()
                        .build();
    }

    /** Returns what it was read from. */
    public ClusterObjects objects() {
        return objects;
    }

    /** Returns the nodes, each with the label that names its dialect where there are several. */
    public List<Node> nodes() {
        return nodes;
    }

    /** Returns the dialects of the nodes. */
    public DialectSet dialects() {
        return dialects;
    }

    /** Returns the snapshot. */
    public Cluster cluster() {
        return cluster;
    }

    /** Returns the dialect of a file in which these words occur: the first that has a resource of such a name. */
    public NamedDialect dialectOf(String text) {
        return found.dialects().stream()
                .filter(named -> named.resources().stream().anyMatch(text::contains))
                .findFirst()
                .orElse(found.dialects().get(0));
    }

    /** Returns a pod as it may go to nodes of its dialect alone. */
    public PodManifest onItsNodes(PodManifest pod) {
        return pod.onNodes(dialects.nodesFor(pod, dialects.ofPod(pod)));
    }

    /** Returns what this is, in a line: how large, and which dialect was found by what. */
    public String words() {
        ClusterTotals totals = cluster.totals();
        return totals.nodes() + (totals.nodes() == 1 ? " node, " : " nodes, ") + totals.gpus()
                + (totals.gpus() == 1 ? " GPU, " : " GPUs, ") + totals.idleGpus() + " of them idle; "
                + found.words();
    }

    /** Returns what was found wrong while it was read. */
    public List<String> notes() {
        return List.copyOf(notes);
    }

    /** Whether of the GPUs of a node only their number is known to be held, and not which. */
    public boolean countsOnly(String node) {
        return cluster.node(node)
                .map(state -> state.node().labels().getOrDefault(DialectSet.LABEL, ""))
                .map(name -> found.dialects().stream()
                        .map(NamedDialect::dialect)
                        .filter(dialect -> dialect.name().equals(name))
                        .anyMatch(SeenCluster::countsOnly))
                .orElse(false);
    }

    private static boolean countsOnly(Dialect dialect) {
        return dialect instanceof DevicePluginDialect
                || dialect instanceof NvidiaSharingDialect
                || dialect instanceof GpuOperatorDialect;
    }

    /** The pods that have a node and have not ended. */
    public List<Pod> running() {
        return objects.pods().stream()
                .filter(pod -> !nodeOf(pod).isEmpty() && !hasEnded(pod))
                .toList();
    }

    /** The pods that wait for a node. */
    public List<Pod> waiting() {
        return objects.pods().stream()
                .filter(pod -> nodeOf(pod).isEmpty() && !hasEnded(pod))
                .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
                .toList();
    }

    /** Returns a pod of this name, bound or not. */
    public Optional<Pod> pod(PodId id) {
        return Optional.ofNullable(pods.get(id));
    }

    /** The pods that disruption budgets protect, and how many of them may be away now. */
    public List<DisruptionBudget> budgets() {
        return Protection.of(objects.budgets(), running());
    }

    /** Returns the name of a pod. */
    public static PodId idOf(Pod pod) {
        return new PodId(pod.getMetadata().getNamespace(), pod.getMetadata().getName());
    }

    /** Returns the node that a pod is bound to; empty if to none. */
    public static String nodeOf(Pod pod) {
        return pod.getSpec() == null
                ? ""
                : Objects.requireNonNullElse(pod.getSpec().getNodeName(), "");
    }

    /** Returns whether a pod has come to its end. */
    public static boolean hasEnded(Pod pod) {
        return pod.getStatus() != null
                && ENDED.contains(Objects.requireNonNullElse(pod.getStatus().getPhase(), ""));
    }

    /** Whether a pod asks for GPUs. */
    public boolean asksForGpus(Pod pod) {
        return Kai.part(pod).isPresent()
                || pod.getSpec().getContainers().stream()
                        .filter(container -> container.getResources() != null)
                        .flatMap(container ->
                                Optional.ofNullable(container.getResources().getLimits())
                                        .orElse(Map.of())
                                        .keySet()
                                        .stream())
                        .anyMatch(name -> name.contains("/") && !dialects.isCounted(name));
    }
}
