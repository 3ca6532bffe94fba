package io.gpusched.simulator.soak;

import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A cluster, and a {@link PlainCluster} that lives through the same: whatever an operation touched is compared after it.
 * A difference is an {@link IllegalStateException}.
 *
 * <p>Not thread-safe.
 */
final class CheckedCluster {
    private final PlainCluster plain;

    /** The machines, in no particular order, to draw from. */
    private final List<Node> nodes;

    /** The pods that run, in no particular order, to draw from. */
    private final List<PodId> running;

    private Cluster cluster;

    private CheckedCluster(Cluster cluster, PlainCluster plain, List<Node> nodes, List<PodId> running) {
        this.cluster = cluster;
        this.plain = plain;
        this.nodes = new ArrayList<>(nodes);
        this.running = new ArrayList<>(running);
    }

    /** Returns a cluster of these machines, on which nothing runs. */
    static CheckedCluster of(List<Node> nodes) {
        PlainCluster plain = new PlainCluster();
        nodes.forEach(plain::add);
        return new CheckedCluster(Cluster.of(nodes), plain, nodes, List.of());
    }

    /** Returns the same snapshot, with a history of its own from now on. */
    CheckedCluster fork() {
        return new CheckedCluster(cluster, plain.copy(), nodes, running);
    }

    Cluster cluster() {
        return cluster;
    }

    PlainCluster plain() {
        return plain;
    }

    List<Node> nodes() {
        return Collections.unmodifiableList(nodes);
    }

    List<PodId> running() {
        return Collections.unmodifiableList(running);
    }

    /** Returns whether nothing runs on a machine. */
    boolean isEmpty(Node node) {
        return plain.node(node.name()).pods().isEmpty();
    }

    void place(Placement placement) {
        cluster = cluster.with(placement);
        noteArrival(placement);
        compare(placement.node());
    }

    void placeAll(List<Placement> placements) {
        cluster = cluster.withAll(placements);
        placements.forEach(this::noteArrival);
        placements.forEach(placement -> compare(placement.node()));
    }

    /** Releases the pod at this position of {@link #running}, by its name or by its placement. */
    void release(int at, boolean byName) {
        PodId pod = noteLeaving(at);
        Placement placement = cluster.placement(pod).orElseThrow();
        cluster = byName ? cluster.without(pod) : cluster.without(placement);
        require(cluster.placement(pod).isEmpty(), "it is still there: " + pod);
        compare(placement.node());
    }

    void add(Node node) {
        cluster = cluster.withNode(node);
        noteNode(node);
        compare(node.name());
    }

    /** Removes the machine at this position of {@link #nodes}, on which nothing runs. */
    void remove(int at) {
        Node node = nodes.get(at);
        cluster = cluster.withoutNode(node.name());
        plain.remove(node.name());
        moveLastTo(at, nodes);
        require(cluster.node(node.name()).isEmpty(), "it is still there: " + node.name());
    }

    /** Puts other hardware of the same name in place of the machine at this position, on which nothing runs. */
    void refurbish(int at, Node other) {
        cluster = cluster.withReplaced(other);
        plain.remove(other.name());
        plain.add(other);
        nodes.set(at, other);
        compare(other.name());
    }

    /** Changes the machine at this position: the cluster becomes the one given, which must have it so. */
    void replace(int at, Node changed, Cluster after) {
        cluster = after;
        noteChange(at, changed);
        compare(changed.name());
    }

    /** Starts a batch; this cluster is not to be used again until it is {@linkplain CheckedBatch#build built}. */
    CheckedBatch batch() {
        return new CheckedBatch(this);
    }

    /** Goes on with what a batch made of the cluster. */
    void become(Cluster built) {
        cluster = built;
    }

    void noteArrival(Placement placement) {
        plain.place(placement);
        running.add(placement.pod());
    }

    PodId noteLeaving(int at) {
        PodId pod = running.get(at);
        moveLastTo(at, running);
        plain.release(pod);
        return pod;
    }

    void noteNode(Node node) {
        plain.add(node);
        nodes.add(node);
    }

    void noteChange(int at, Node changed) {
        plain.replace(changed);
        nodes.set(at, changed);
    }

    private static <T> void moveLastTo(int at, List<T> list) {
        T last = list.remove(list.size() - 1);
        if (at < list.size()) {
            list.set(at, last);
        }
    }

    /** Compares everything. */
    void compare() {
        cluster.validate();
        require(cluster.size() == plain.nodes().size(), "the number of nodes is " + cluster.size());
        require(
                cluster.totals().pods() == plain.pods(),
                "the number of pods is " + cluster.totals().pods());
        int order = 0;
        for (PlainNode node : plain.nodes()) {
            compare(cluster.node(order++), node);
        }
    }

    /** Compares one machine. */
    void compare(String name) {
        compare(cluster.node(name).orElseThrow(), plain.node(name));
    }

    private static void compare(NodeState state, PlainNode node) {
        require(state.node().equals(node.node()), "expected " + node.node() + ", is " + state.node());
        boolean same = state.freeCpuMillis() == node.freeCpuMillis()
                && state.freeMemoryMib() == node.freeMemoryMib()
                && node.isFree(state.freeNamed())
                && state.idleGpus() == node.idleGpus()
                && state.podCount() == node.pods().size()
                && node.pods().values().stream()
                        .allMatch(placement -> state.placement(placement.pod())
                                .filter(placement::equals)
                                .isPresent());
        require(same, "what runs is not what should run: " + state);
        require(node.isWithinBounds(), "something is taken twice: " + state);
    }

    /** Fails unless this holds. */
    static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalStateException(otherwise);
        }
    }
}
