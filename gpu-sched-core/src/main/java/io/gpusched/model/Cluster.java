package io.gpusched.model;

import io.gpusched.check.Checks;
import io.gpusched.internal.persistent.HashTrie;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of a cluster: its nodes and what runs on them.
 *
 * <p>Immutable and thread-safe. Every change, of pods or of nodes, returns a new snapshot that shares what did not change and
 * costs O(log n). Older snapshots stay valid, and what-if is just another value. Nodes are ordered by topology, then by name.
 *
 * <pre>{@code
 * Cluster cluster = Cluster.of(List.of(node));
 * Decision decision = scheduler.schedule(cluster, pod);
 * if (decision instanceof Placed placed) {
 *     cluster = cluster.with(placed.placement());
 * }
 * }</pre>
 *
 * <p>Two clusters are equal if they have equal nodes, namespaces and placements; that costs O(n) unless they share parts.
 */
public final class Cluster {
    private static final Comparator<NodeState> IN_ORDER =
            Comparator.comparing((NodeState state) -> state.node().topology()).thenComparing(NodeState::name);

    /** By name. */
    private final HashTrie<String, NodeState> nodes;

    /** By pod. */
    private final HashTrie<PodId, Placement> pods;

    private final Machines machines;
    private final Usage usage;
    private final Map<String, Map<String, String>> namespaces;

    /** In order, once that was asked for; any thread makes an equal list. */
    private @Nullable List<NodeState> ordered;

    private Cluster(
            HashTrie<String, NodeState> nodes,
            HashTrie<PodId, Placement> pods,
            Machines machines,
            Usage usage,
            Map<String, Map<String, String>> namespaces) {
        this.nodes = nodes;
        this.pods = pods;
        this.machines = machines;
        this.usage = usage;
        this.namespaces = namespaces;
    }

    /**
     * Returns the cluster of these nodes, on which nothing runs. O(n log n).
     *
     * @throws IllegalArgumentException if two nodes have the same name, there are more than 16,777,216, or their CPU,
     *     memory or what they have of a resource by name sums up to more than {@link Resources#MAX_SUM}
     */
    public static Cluster of(Collection<Node> nodes) {
        Checks.noNulls("nodes", nodes);
        return of(nodes, List.of());
    }

    /**
     * Returns the cluster of these nodes, on which these pods run, as after a restart. What runs may stay on nodes that are
     * cordoned and on GPUs that are not healthy. O(n log n + pods).
     *
     * @throws IllegalArgumentException as {@link #of(Collection)} does
     * @throws PlacementConflictException if a node is unknown, a pod is placed twice, or what it takes is not free
     */
    public static Cluster of(Collection<Node> nodes, Collection<Placement> placements) {
        Checks.noNulls("nodes", nodes);
        Checks.noNulls("placements", placements);
        ClusterBuilder built = new ClusterBuilder(nodes, placements);
        return new Cluster(built.nodes(), built.pods(), built.machines(), built.usage(), Map.of());
    }

    /** Returns the number of nodes. */
    public int size() {
        return nodes.size();
    }

    /** Returns the sums over the cluster, O(1). */
    public ClusterTotals totals() {
        return machines.totals(pods.size(), usage);
    }

    /** Returns the node of this name, or nothing, O(log n). */
    public Optional<NodeState> node(String name) {
        Objects.requireNonNull(name, "name");
        return Optional.ofNullable(nodes.get(NodeState.hash(name), name));
    }

    /** Returns all nodes in order; O(n log n) when first asked for. */
    public List<NodeState> nodes() {
        List<NodeState> known = ordered;
        if (known == null) {
            List<NodeState> all = new ArrayList<>(size());
            nodes.forEach(all::add);
            all.sort(IN_ORDER);
            known = Collections.unmodifiableList(all);
            ordered = known;
        }
        return known;
    }

    /**
     * Returns the node at this place in the order, as of {@link #nodes()}.
     *
     * @throws IndexOutOfBoundsException if there is none
     */
    public NodeState node(int index) {
        return nodes().get(index);
    }

    /** Returns what a pod holds, or nothing if it is not placed, O(log pods). */
    public Optional<Placement> placement(PodId pod) {
        Objects.requireNonNull(pod, "pod");
        return Optional.ofNullable(pods.get(pod.hashCode(), pod));
    }

    /** Returns all placements in node order, O(n log n + pods). */
    public List<Placement> placements() {
        List<Placement> all = new ArrayList<>();
        for (NodeState state : nodes()) {
            all.addAll(state.placements());
        }
        return all;
    }

    /** Returns the placements that hold anything of a GPU that is not healthy, in node order, O(n log n). */
    public List<Placement> placementsOnUnhealthyGpus() {
        return nodes().stream()
                .filter(state -> !state.isHealthy())
                .flatMap(state -> state.placements().stream()
                        .filter(held -> held.gpus().stream().anyMatch(gpu -> !state.isHealthy(gpu))))
                .toList();
    }

    /** Returns how many nodes there are of each class, the class of the first node first; O(n), O(n log n) when first asked for. */
    public Map<NodeClass, Integer> classes() {
        Map<NodeClass, Integer> counts = new LinkedHashMap<>();
        nodes().forEach(state -> counts.merge(state.nodeClass(), 1, Integer::sum));
        return counts;
    }

    /** Returns how many nodes each domain of a topology level has, in node order; nodes without that level belong to none. O(n). */
    public Map<Topology, Integer> domains(String level) {
        Objects.requireNonNull(level, "level");
        Map<Topology, Integer> sizes = new TreeMap<>();
        nodes.forEach(state -> sizes.merge(state.node().topology().upTo(level), 1, Integer::sum));
        sizes.remove(Topology.NONE);
        return Collections.unmodifiableMap(sizes);
    }

    /**
     * Returns this cluster with a pod placed, O(log n). The placement is checked against this snapshot as in
     * {@link NodeState#with}: what it takes must be free and healthy. The cordon, taints and rules are not looked at.
     *
     * @throws PlacementConflictException if the node is unknown, the pod is placed already, or what it takes is not free
     */
    public Cluster with(Placement placement) {
        Objects.requireNonNull(placement, "placement");
        return placed(placement, true);
    }

    /**
     * Returns this cluster with a pod that runs already, as {@link #of(Collection, Collection)} would have it: as {@link #with},
     * but GPUs that it holds need not be healthy. For news of a pod that was placed elsewhere, and may come late. O(log n).
     *
     * @throws PlacementConflictException if the node is unknown, the pod is placed already, or what it takes is not free
     */
    public Cluster withRunning(Placement placement) {
        Objects.requireNonNull(placement, "placement");
        return placed(placement, false);
    }

    private Cluster placed(Placement placement, boolean asksHealth) {
        int hash = NodeState.hash(placement.node());
        NodeState node = nodes.get(hash, placement.node());
        if (node == null) {
            throw Conflicts.unknownNode(placement, size());
        }
        PodId pod = placement.pod();
        Placement running = pods.get(pod.hashCode(), pod);
        if (running != null) {
            throw Conflicts.alreadyPlaced(placement, running.node());
        }
        NodeState after = node.plus(placement, asksHealth);
        return with(hash, node, after, pods.with(pod.hashCode(), null, placement));
    }

    /**
     * Returns this cluster with a pod placed, as {@link #with}, or nothing where that throws: the node is unknown, the pod is placed
     * already, or what it takes is not free. For what-ifs, O(log n).
     */
    public Optional<Cluster> tryWith(Placement placement) {
        Objects.requireNonNull(placement, "placement");
        int hash = NodeState.hash(placement.node());
        NodeState node = nodes.get(hash, placement.node());
        PodId pod = placement.pod();
        NodeState after = node == null || pods.get(pod.hashCode(), pod) != null ? null : node.tryPlus(placement);
        return node == null || after == null
                ? Optional.empty()
                : Optional.of(with(hash, node, after, pods.with(pod.hashCode(), null, placement)));
    }

    private Cluster with(int hash, NodeState before, NodeState after, HashTrie<PodId, Placement> changed) {
        return new Cluster(
                nodes.with(hash, before, after), changed, machines, usage.replace(before, after), namespaces);
    }

    /**
     * Returns this cluster with all these pods placed, as if one after another, or throws and leaves everything as it was.
     *
     * @throws PlacementConflictException as {@link #with} does
     */
    public Cluster withAll(Collection<Placement> placements) {
        Checks.noNulls("placements", placements);
        ClusterBatch batch = batch();
        placements.forEach(batch::place);
        return batch.build();
    }

    /**
     * Returns this cluster without a placement, O(log n + pods on its node). What its pod asks is not looked at.
     *
     * @throws PlacementConflictException if the node is unknown, or the pod does not hold the same there
     */
    public Cluster without(Placement placement) {
        Objects.requireNonNull(placement, "placement");
        int hash = NodeState.hash(placement.node());
        NodeState node = nodes.get(hash, placement.node());
        if (node == null) {
            throw Conflicts.unknownNode(placement, size());
        }
        return released(hash, node, node.find(placement));
    }

    /**
     * Returns this cluster without a pod, O(log n + pods on its node).
     *
     * @throws PlacementConflictException if the pod is not placed
     */
    public Cluster without(PodId pod) {
        Objects.requireNonNull(pod, "pod");
        Placement held = pods.get(pod.hashCode(), pod);
        if (held == null) {
            throw Conflicts.notPlaced(pod);
        }
        return released(held);
    }

    private Cluster released(Placement held) {
        int hash = NodeState.hash(held.node());
        NodeState node = Objects.requireNonNull(nodes.get(hash, held.node()), "node");
        return released(hash, node, node.find(held));
    }

    /** Releases what is at this place among the placements of a node. */
    private Cluster released(int hash, NodeState node, int at) {
        Placement held = node.placement(at);
        return with(hash, node, node.without(at), pods.withoutValue(held.pod().hashCode(), held));
    }

    /** Starts a private copy that takes many changes and then becomes a snapshot. */
    public ClusterBatch batch() {
        return new ClusterBatch(this);
    }

    /**
     * Returns this cluster with one more node, O(log n).
     *
     * @throws IllegalArgumentException if there is a node of this name, or the cluster would become larger than
     *     {@link #of(Collection)} admits
     */
    public Cluster withNode(Node node) {
        Objects.requireNonNull(node, "node");
        Checks.inRange("cluster", "number of nodes", size() + 1, 0, ClusterBuilder.MAX_NODES);
        int hash = NodeState.hash(node.name());
        if (nodes.get(hash, node.name()) != null) {
            throw Conflicts.twoOfName(node);
        }
        Machines more = machines.plus(node);
        NodeState state = new NodeState(node, more.shared(NodeClass.of(node)));
        return new Cluster(nodes.with(hash, state), pods, more, usage.plus(state), namespaces);
    }

    /**
     * Returns this cluster with a node in place of the one of the same name, O(log n + pods there). What runs there stays, on
     * GPUs that are not healthy too.
     *
     * @throws PlacementConflictException if there is no such node, or what runs there does not go with the new one
     */
    public Cluster withReplaced(Node node) {
        Objects.requireNonNull(node, "node");
        return replaced(requireNode(node.name()), node);
    }

    /**
     * Returns the node of this name, O(log n).
     *
     * @throws PlacementConflictException if there is none
     */
    public NodeState requireNode(String name) {
        Objects.requireNonNull(name, "name");
        NodeState state = nodes.get(NodeState.hash(name), name);
        if (state == null) {
            throw Conflicts.unknownNode(name, size());
        }
        return state;
    }

    private Cluster replaced(NodeState before, Node node) {
        Machines changed = machines.minus(before).plus(node);
        NodeState after = before.on(node, changed.shared(NodeClass.of(node)));
        return new Cluster(
                nodes.with(NodeState.hash(node.name()), after),
                pods,
                changed,
                usage.minus(before).plus(after),
                namespaces);
    }

    /**
     * Returns this cluster without a node, O(log n).
     *
     * @throws PlacementConflictException if there is no such node or pods run there
     */
    public Cluster withoutNode(String name) {
        Objects.requireNonNull(name, "name");
        NodeState node = requireNode(name);
        if (!node.isEmpty()) {
            throw Conflicts.notEmpty(name, node.podCount(), node.placements().get(0));
        }
        return new Cluster(
                nodes.without(NodeState.hash(name), name), pods, machines.minus(node), usage.minus(node), namespaces);
    }

    /**
     * Returns this cluster without a node that is lost, and what ran on it; O(pods on it &middot; log n).
     *
     * @throws PlacementConflictException if there is no such node
     */
    public NodeLoss withNodeLost(String name) {
        Objects.requireNonNull(name, "name");
        List<Placement> lost = requireNode(name).placements();
        Cluster after = this;
        for (Placement placement : lost) {
            after = after.without(placement);
        }
        return new NodeLoss(after.withoutNode(name), lost);
    }

    /**
     * Returns this cluster with a node cordoned or not, O(log n). What runs there stays.
     *
     * @throws PlacementConflictException if there is no such node
     */
    public Cluster withCordoned(String name, boolean cordoned) {
        Objects.requireNonNull(name, "name");
        NodeState node = requireNode(name);
        return replaced(node, node.node().withCordoned(cordoned));
    }

    /**
     * Returns this cluster with a GPU healthy or not, O(log n). What runs on it stays; see
     * {@link #placementsOnUnhealthyGpus()}.
     *
     * @throws PlacementConflictException if there is no such node
     * @throws IllegalArgumentException if there is no such GPU
     */
    public Cluster withGpuHealth(String name, int gpu, boolean healthy) {
        Objects.requireNonNull(name, "name");
        NodeState node = requireNode(name);
        return replaced(node, node.node().withGpuHealth(gpu, healthy));
    }

    /**
     * Returns this cluster with other labels of a namespace, by which pod affinity finds namespaces. A namespace that was
     * never told of has none. O(namespaces).
     *
     * @throws IllegalArgumentException if the name is blank
     */
    public Cluster withNamespace(String namespace, Map<String, String> labels) {
        Checks.notBlank("cluster", "namespace", namespace);
        Map<String, String> copy = Checks.ascending("labels", labels);
        Map<String, Map<String, String>> changed = new TreeMap<>(namespaces);
        if (copy.isEmpty()) {
            changed.remove(namespace);
        } else {
            changed.put(namespace, copy);
        }
        return new Cluster(nodes, pods, machines, usage, Collections.unmodifiableMap(changed));
    }

    /** Returns the labels of all namespaces that have any, by name. */
    public Map<String, Map<String, String>> namespaces() {
        return namespaces;
    }

    /**
     * What is left without a node that is lost, and what ran there. Each lost pod can be placed again as a member of its group, near
     * the members that still run: {@code scheduler.schedule(loss.after(), Pod.of(placement).orElseThrow())}.
     *
     * @param after the cluster without the node
     * @param lost the placements on it, with the groups of their pods, in the order in which they stood there
     */
    public record NodeLoss(Cluster after, List<Placement> lost) {
        /** Copies the list. */
        public NodeLoss {
            Objects.requireNonNull(after, "after");
            lost = Checks.list("lost", lost);
        }
    }

    /** What is told of each node that may differ between two snapshots. */
    @FunctionalInterface
    public interface NodeChange {
        /**
         * Takes note of a node.
         *
         * @param before the node in the other snapshot, null if it is not there
         * @param after the node in this snapshot, null if it is not here
         */
        void accept(@Nullable NodeState before, @Nullable NodeState after);
    }

    /**
     * Calls back with each node that may differ between another snapshot and this one: once for each name, in no particular
     * order. O(changed nodes · log n) if one was made from the other, or both from a third; else O(n). Namespaces are not told of.
     */
    public void forEachChange(Cluster other, NodeChange changed) {
        Objects.requireNonNull(other, "other");
        Objects.requireNonNull(changed, "changed");
        nodes.forEachChange(other.nodes, changed::accept);
    }

    /** Throws {@link IllegalStateException} unless everything this snapshot keeps about its nodes is true; O(n). */
    public void validate() {
        new ClusterCheck(nodes, pods, machines, usage).check();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || other instanceof Cluster cluster
                        && namespaces.equals(cluster.namespaces)
                        && usage.equals(cluster.usage)
                        && nodes.equals(cluster.nodes);
    }

    /** Follows from the sums alone, for it would cost O(n) to look at each node. */
    @Override
    public int hashCode() {
        return totals().hashCode();
    }

    @Override
    public String toString() {
        return "cluster of " + totals();
    }
}
