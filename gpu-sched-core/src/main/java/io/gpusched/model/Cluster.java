package io.gpusched.model;

import io.gpusched.internal.access.ModelAccess;
import io.gpusched.internal.index.ClassIndex;
import io.gpusched.internal.index.ClusterIndex;
import io.gpusched.internal.index.HashIndex;
import io.gpusched.internal.tree.DeferredTree;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of a cluster: its nodes and what runs on them.
 *
 * <p>Immutable and thread-safe. Every change returns a new snapshot that shares what did not change; placing and
 * releasing cost O(log n) each, on the average of many: about one in thirty also does the work that the others put off,
 * and once in a few times as many placements as pods run, all pods are indexed anew. Older snapshots stay valid, and
 * what-if is just another value. Adding, replacing and removing nodes costs O(n). Nodes are ordered by topology, then by
 * name.
 *
 * <pre>{@code
 * Cluster cluster = Cluster.of(List.of(node));
 * Decision decision = scheduler.schedule(cluster, pod);
 * if (decision instanceof Placed placed) {
 *     cluster = cluster.with(placed.placement());
 * }
 * }</pre>
 *
 * <p>Two clusters are equal if they have equal nodes and equal placements; that costs O(n) unless they share parts.
 */
public final class Cluster {
    static {
        ModelAccess.set(new ModelAccess() {
            @Override
            public ClusterIndex index(Cluster cluster) {
                return cluster.index();
            }
        });
    }

    private final Inventory inventory;
    private final List<DeferredTree<NodeState>> trees;
    private final HashIndex pods;
    private final Usage usage;

    Cluster(Inventory inventory, List<DeferredTree<NodeState>> trees, HashIndex pods, Usage usage) {
        this.inventory = inventory;
        this.trees = trees;
        this.pods = pods;
        this.usage = usage;
    }

    /**
     * Returns the cluster of these nodes, on which nothing runs. O(n log n).
     *
     * @throws IllegalArgumentException if two nodes have the same name, there are more than 16,777,216, or their CPU or
     *     memory sums up to more than {@link Resources#MAX}
     */
    public static Cluster of(Collection<Node> nodes) {
        return ClusterBuild.of(nodes, List.of());
    }

    /** Returns the number of nodes. */
    public int size() {
        return inventory.size();
    }

    /** Returns the sums over the cluster, O(1). */
    public ClusterTotals totals() {
        return inventory.idle().with(usage);
    }

    /**
     * Returns the node at this place in the order, O(log n).
     *
     * @throws IndexOutOfBoundsException if there is none
     */
    public NodeState node(int order) {
        Objects.checkIndex(order, inventory.size());
        return state(inventory.classIndex(order), inventory.slotOf(order));
    }

    private NodeState state(int classIndex, int slot) {
        return trees.get(classIndex).get(slot);
    }

    /** Returns the node of this name, or nothing, O(log n). */
    public Optional<NodeState> node(String name) {
        int order = inventory.orderOf(name);
        return order < 0 ? Optional.empty() : Optional.of(node(order));
    }

    /** Returns all nodes in order, O(n log n). */
    public List<NodeState> nodes() {
        List<NodeState> all = new ArrayList<>(inventory.size());
        for (int order = 0; order < inventory.size(); order++) {
            all.add(node(order));
        }
        return all;
    }

    /** Returns what a pod holds, or nothing if it is not placed, O(log n). */
    public Optional<Placement> placement(PodId pod) {
        int order = orderOf(pod);
        return order < 0 ? Optional.empty() : Optional.ofNullable(node(order).placement(pod));
    }

    private int orderOf(PodId pod) {
        return pods.find(pod.hash64(), order -> node(order).placement(pod) != null);
    }

    /** Returns all placements in node order, O(n + pods). */
    public List<Placement> placements() {
        List<Placement> all = new ArrayList<>(usage.pods());
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
     * Returns this cluster with a pod placed, O(log n). The placement is checked against this snapshot as in
     * {@link NodeState#with}.
     *
     * @throws PlacementConflictException if the node is unknown, the pod is placed already, or what it takes is not free
     */
    public Cluster with(Placement placement) {
        NodeState before = inventory.nodeOf(placement, this::state);
        int twin = orderOf(placement.pod());
        if (twin >= 0) {
            throw Conflicts.alreadyPlaced(placement, node(twin));
        }
        return withState(before, before.withNew(placement), pods.plus(placement.podHash(), before.order()));
    }

    /**
     * Returns this cluster with all these pods placed, as if one after another, or throws and leaves everything as it
     * was. Cheaper than one by one: nodes that several placements touch are copied once.
     *
     * @throws PlacementConflictException as {@link #with} does
     */
    public Cluster withAll(Collection<Placement> placements) {
        ClusterBatch batch = batch();
        placements.forEach(batch::place);
        return batch.build();
    }

    /**
     * Returns this cluster without a placement, O(log n).
     *
     * @throws PlacementConflictException if the node is unknown or no equal placement is there
     */
    public Cluster without(Placement placement) {
        NodeState before = inventory.nodeOf(placement, this::state);
        NodeState after = before.without(placement);
        return withState(before, after, pods.minus(placement.podHash(), before.order()));
    }

    /**
     * Returns this cluster without a pod, O(log n).
     *
     * @throws PlacementConflictException if the pod is not placed
     */
    public Cluster without(PodId pod) {
        return without(placement(pod).orElseThrow(() -> Conflicts.notPlaced(pod)));
    }

    /** Starts a private copy that takes many changes and then becomes a snapshot. */
    public ClusterBatch batch() {
        return new ClusterBatch(inventory, trees, pods, usage);
    }

    /**
     * Returns this cluster with one more node, O(n).
     *
     * @throws IllegalArgumentException if there is a node of this name
     */
    public Cluster withNode(Node node) {
        return ClusterBuild.changed(this, machines -> machines.add(node));
    }

    /**
     * Returns this cluster with a node in place of the one of the same name, O(n). What runs there stays.
     *
     * @throws PlacementConflictException if there is no such node, or what runs there does not go with the new one
     */
    public Cluster withReplaced(Node node) {
        int order = requireOrder(node.name());
        return ClusterBuild.changed(this, machines -> machines.set(order, node));
    }

    /**
     * Returns this cluster without a node, O(n).
     *
     * @throws PlacementConflictException if there is no such node or pods run there
     */
    public Cluster withoutNode(String name) {
        int order = requireOrder(name);
        NodeState state = node(order);
        if (!state.isEmpty()) {
            throw Conflicts.notEmpty(state);
        }
        return ClusterBuild.changed(this, machines -> machines.remove(order));
    }

    /**
     * Returns this cluster with a node cordoned or not, O(log n). What runs there stays.
     *
     * @throws PlacementConflictException if there is no such node
     */
    public Cluster withCordoned(String name, boolean cordoned) {
        NodeState before = node(requireOrder(name));
        return withMachine(before, before.node().withCordoned(cordoned));
    }

    /**
     * Returns this cluster with a GPU healthy or not, O(log n). What runs on it stays; see
     * {@link #placementsOnUnhealthyGpus()}.
     *
     * @throws PlacementConflictException if there is no such node
     * @throws IllegalArgumentException if there is no such GPU
     */
    public Cluster withGpuHealth(String name, int gpu, boolean healthy) {
        NodeState before = node(requireOrder(name));
        return withMachine(before, before.node().withGpuHealth(gpu, healthy));
    }

    private Cluster withMachine(NodeState before, Node changed) {
        return withState(before, before.on(changed, before.nodeClass(), before.order(), before.slot()), pods);
    }

    private Cluster withState(NodeState before, NodeState after, HashIndex newPods) {
        inventory.note(after);
        int at = before.nodeClass().index();
        DeferredTree<NodeState> changed = trees.get(at).with(before.slot(), after);
        List<DeferredTree<NodeState>> all = ClusterBuild.replaced(trees, at, changed);
        return new Cluster(inventory, all, newPods, usage.replace(before, after)).withFreshIndex();
    }

    /** Returns this cluster with its index of pods built anew if it is worn. */
    private Cluster withFreshIndex() {
        return pods.isWorn(usage.pods())
                ? new Cluster(inventory, trees, ClusterBuild.index(size(), this::node, usage.pods()), usage)
                : this;
    }

    private ClusterIndex index() {
        List<ClassIndex> classes = new ArrayList<>(trees.size());
        for (int at = 0; at < trees.size(); at++) {
            classes.add(new ClassIndex(inventory.classes().get(at), trees.get(at), inventory.ordersOf(at)));
        }
        return new ClusterIndex(classes, size(), this::node);
    }

    /** Returns the classes of nodes; the list is the same for all snapshots that {@link #sharesNodesWith} this one. */
    public List<NodeClass> classes() {
        return inventory.classes();
    }

    /** Returns the domains of a topology level in node order; nodes without that level belong to none. */
    public List<TopologyDomain> domains(String level) {
        return inventory.domains(level);
    }

    /** Returns whether the other snapshot has the same nodes, so that {@link #forEachChange} can tell them apart. */
    public boolean sharesNodesWith(Cluster other) {
        return inventory == other.inventory;
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
     * Calls back with each node that may differ between another snapshot and this one, O(changed nodes · log n).
     *
     * @throws IllegalArgumentException if the snapshots do not {@linkplain #sharesNodesWith share their nodes}
     */
    public void forEachChange(Cluster other, NodeChange changed) {
        if (!sharesNodesWith(other)) {
            throw new IllegalArgumentException("the snapshots have different nodes: one has " + size() + ", the other "
                    + other.size() + "\nMaybe a node was added, replaced or removed between them.");
        }
        for (int at = 0; at < trees.size(); at++) {
            DeferredTree<NodeState> mine = trees.get(at);
            DeferredTree<NodeState> theirs = other.trees.get(at);
            mine.forEachChange(theirs, slot -> changed.accept(theirs.get(slot), mine.get(slot)));
        }
    }

    /** Throws {@link IllegalStateException} unless everything this snapshot keeps about its nodes is true; O(n). */
    public void validate() {
        trees.forEach(tree -> tree.settled().validate());
        if (!Usage.of(nodes()).equals(usage)) {
            throw new IllegalStateException("usage is " + usage + ", expected " + Usage.of(nodes()));
        }
        placements().forEach(this::requireIndexed);
    }

    private void requireIndexed(Placement placement) {
        int order = orderOf(placement.pod());
        if (order < 0 || !node(order).name().equals(placement.node())) {
            throw new IllegalStateException("pod \"" + placement.pod() + "\" is not indexed where it runs");
        }
    }

    private int requireOrder(String node) {
        int order = inventory.orderOf(node);
        if (order < 0) {
            throw Conflicts.unknownNode(node, size());
        }
        return order;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || other instanceof Cluster cluster
                        && size() == cluster.size()
                        && totals().equals(cluster.totals())
                        && (sharesNodesWith(cluster) ? sameStates(cluster) : nodes().equals(cluster.nodes()));
    }

    private boolean sameStates(Cluster other) {
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
