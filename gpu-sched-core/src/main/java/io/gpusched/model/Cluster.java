package io.gpusched.model;

import io.gpusched.internal.check.Checks;
import io.gpusched.internal.index.ClusterStore;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of a cluster: its nodes and what runs on them.
 *
 * <p>Immutable and thread-safe. Every change, of pods or of nodes, returns a new snapshot that shares what did not change and
 * costs O(log n), on the average of many. Older snapshots stay valid, and what-if is just another value. Nodes are ordered by
 * topology, then by name.
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
    private final ClusterStore store;

    Cluster(ClusterStore store) {
        this.store = store;
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
        return new Cluster(ClusterChanges.built(nodes, placements));
    }

    /** Returns the number of nodes. */
    public int size() {
        return store.size();
    }

    /** Returns the sums over the cluster, O(1). */
    public ClusterTotals totals() {
        return store.totals();
    }

    /**
     * Returns the node at this place in the order, O(log n).
     *
     * @throws IndexOutOfBoundsException if there is none
     */
    public NodeState node(int index) {
        Objects.checkIndex(index, size());
        return store.node(index);
    }

    /** Returns the node of this name, or nothing, O(log n). */
    public Optional<NodeState> node(String name) {
        Objects.requireNonNull(name, "name");
        return Optional.ofNullable(store.node(name));
    }

    /** Returns all nodes in order, O(n log n). */
    public List<NodeState> nodes() {
        return store.nodes();
    }

    /** Returns what a pod holds, or nothing if it is not placed, O(log n + pods on its node). */
    public Optional<Placement> placement(PodId pod) {
        Objects.requireNonNull(pod, "pod");
        return Optional.ofNullable(store.placement(pod));
    }

    /** Returns all placements in node order, O(n + pods). */
    public List<Placement> placements() {
        List<Placement> all = new ArrayList<>();
        for (NodeState state : nodes()) {
            all.addAll(state.placements());
        }
        return all;
    }

    /** Returns the placements that hold anything of a GPU that is not healthy, in node order, O(n). */
    public List<Placement> placementsOnUnhealthyGpus() {
        return nodes().stream()
                .filter(state -> !state.isHealthy())
                .flatMap(state -> state.placements().stream()
                        .filter(held -> held.gpus().stream().anyMatch(gpu -> !state.isHealthy(gpu))))
                .toList();
    }

    /**
     * Returns how many nodes there are of each class, the class of the first node first. O(classes · log n).
     */
    public Map<NodeClass, Integer> classes() {
        return store.classes();
    }

    /**
     * Returns the domains of a topology level in node order; nodes without that level belong to none. O(domains · log n)
     * after each change of nodes.
     */
    public List<TopologyDomain> domains(String level) {
        Objects.requireNonNull(level, "level");
        return store.domains(level);
    }

    /**
     * Returns this cluster with a pod placed, O(log n). The placement is checked against this snapshot as in
     * {@link NodeState#with}: what it takes must be free and healthy. The cordon, taints and rules are not looked at.
     *
     * @throws PlacementConflictException if the node is unknown, the pod is placed already, or what it takes is not free
     */
    public Cluster with(Placement placement) {
        Objects.requireNonNull(placement, "placement");
        return new Cluster(ClusterChanges.placed(store, placement));
    }

    /**
     * Returns this cluster with a pod that runs already, as {@link #of(Collection, Collection)} would have it: as {@link #with},
     * but GPUs that it holds need not be healthy. For news of a pod that was placed elsewhere, and may come late. O(log n).
     *
     * @throws PlacementConflictException if the node is unknown, the pod is placed already, or what it takes is not free
     */
    public Cluster withRunning(Placement placement) {
        Objects.requireNonNull(placement, "placement");
        return new Cluster(ClusterChanges.running(store, placement));
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
     * Returns this cluster without a placement, O(log n). What its pod asks is not looked at.
     *
     * @throws PlacementConflictException if the node is unknown, or the pod does not hold the same there
     */
    public Cluster without(Placement placement) {
        Objects.requireNonNull(placement, "placement");
        return new Cluster(ClusterChanges.released(store, placement));
    }

    /**
     * Returns this cluster without a pod, O(log n + pods on its node).
     *
     * @throws PlacementConflictException if the pod is not placed
     */
    public Cluster without(PodId pod) {
        Objects.requireNonNull(pod, "pod");
        return new Cluster(ClusterChanges.released(store, pod));
    }

    /** Starts a private copy that takes many changes and then becomes a snapshot. */
    public ClusterBatch batch() {
        return new ClusterBatch(store);
    }

    /**
     * Returns this cluster with one more node, O(log n).
     *
     * @throws IllegalArgumentException if there is a node of this name, or the cluster would become larger than
     *     {@link #of(Collection)} admits
     */
    public Cluster withNode(Node node) {
        Objects.requireNonNull(node, "node");
        return new Cluster(ClusterChanges.added(store, node));
    }

    /**
     * Returns this cluster with a node in place of the one of the same name, O(log n + pods there). What runs there stays, on
     * GPUs that are not healthy too.
     *
     * @throws PlacementConflictException if there is no such node, or what runs there does not go with the new one
     */
    public Cluster withReplaced(Node node) {
        Objects.requireNonNull(node, "node");
        return new Cluster(ClusterChanges.replaced(store, node));
    }

    /**
     * Returns this cluster without a node, O(log n).
     *
     * @throws PlacementConflictException if there is no such node or pods run there
     */
    public Cluster withoutNode(String name) {
        Objects.requireNonNull(name, "name");
        return new Cluster(ClusterChanges.removed(store, name));
    }

    /**
     * Returns this cluster with a node cordoned or not, O(log n). What runs there stays.
     *
     * @throws PlacementConflictException if there is no such node
     */
    public Cluster withCordoned(String name, boolean cordoned) {
        Objects.requireNonNull(name, "name");
        return new Cluster(ClusterChanges.cordoned(store, name, cordoned));
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
        return new Cluster(ClusterChanges.withGpuHealth(store, name, gpu, healthy));
    }

    /**
     * Returns this cluster with other labels of a namespace, by which pod affinity finds namespaces. A namespace that was
     * never told of has none. O(namespaces).
     *
     * @throws IllegalArgumentException if the name is blank
     */
    public Cluster withNamespace(String namespace, Map<String, String> labels) {
        return new Cluster(store.withNamespace(
                Checks.notBlank("cluster", "namespace", namespace), Checks.ascending("labels", labels)));
    }

    /** Returns the labels of all namespaces that have any, by name. */
    public Map<String, Map<String, String>> namespaces() {
        return store.namespaces();
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
     * order. O(changed nodes · log n) if one was made from the other, or both from a third; else O(n).
     */
    public void forEachChange(Cluster other, NodeChange changed) {
        Objects.requireNonNull(other, "other");
        Objects.requireNonNull(changed, "changed");
        store.forEachChange(other.store, changed::accept);
    }

    /** Throws {@link IllegalStateException} unless everything this snapshot keeps about its nodes is true; O(n). */
    public void validate() {
        store.validate();
    }

    /** What it is made of. */
    ClusterStore store() {
        return store;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || other instanceof Cluster cluster
                        && totals().equals(cluster.totals())
                        && namespaces().equals(cluster.namespaces())
                        && hasSameNodes(cluster);
    }

    private boolean hasSameNodes(Cluster other) {
        boolean[] same = {true};
        forEachChange(other, (before, after) -> same[0] = same[0] && Objects.equals(before, after));
        return same[0];
    }

    @Override
    public int hashCode() {
        return totals().hashCode();
    }

    @Override
    public String toString() {
        return "cluster of " + totals();
    }
}
