package io.gpusched.model;

import io.gpusched.internal.DeferredTree;
import io.gpusched.internal.HashIndex;
import io.gpusched.internal.SummaryTree;
import java.util.ArrayList;
import java.util.List;

/**
 * A private copy of a cluster that takes many placements and releases and then becomes a snapshot.
 *
 * <p>Each change is checked as the snapshot's own methods check it; one that throws changes nothing. Not thread-safe.
 * The cluster it came from stays as it is.
 */
public final class ClusterBatch {
    private final Inventory inventory;
    private final List<SummaryTree.Editor<NodeState>> trees = new ArrayList<>();
    private HashIndex pods;
    private Usage usage;

    ClusterBatch(Inventory inventory, List<DeferredTree<NodeState>> trees, HashIndex pods, Usage usage) {
        this.inventory = inventory;
        this.pods = pods;
        this.usage = usage;
        for (DeferredTree<NodeState> tree : trees) {
            this.trees.add(tree.settled().edit());
        }
    }

    private NodeState node(int order) {
        return trees.get(inventory.classIndex(order)).get(inventory.slotOf(order));
    }

    /**
     * Places a pod.
     *
     * @throws PlacementConflictException as {@link Cluster#with} does
     */
    public ClusterBatch place(Placement placement) {
        int order = inventory.orderOf(placement.node());
        if (order < 0) {
            throw Conflicts.unknownNode(placement, inventory.size());
        }
        int twin = orderOf(placement.pod());
        if (twin >= 0) {
            throw Conflicts.alreadyPlaced(placement, node(twin));
        }
        NodeState before = node(order);
        set(before, before.withNew(placement));
        pods = pods.plus(placement.podHash(), order);
        return this;
    }

    /**
     * Releases a pod.
     *
     * @throws PlacementConflictException if the pod is not placed
     */
    public ClusterBatch release(PodId pod) {
        int order = orderOf(pod);
        Placement placement = order < 0 ? null : node(order).placement(pod);
        if (placement == null) {
            throw Conflicts.notPlaced(pod);
        }
        NodeState before = node(order);
        set(before, before.without(placement));
        pods = pods.minus(pod.hash64(), order);
        return this;
    }

    private int orderOf(PodId pod) {
        return pods.find(pod.hash64(), order -> node(order).placement(pod) != null);
    }

    private void set(NodeState before, NodeState after) {
        trees.get(before.nodeClass().index()).set(before.slot(), after);
        usage = usage.replace(before, after);
    }

    /** Returns the snapshot as it is now; the batch may go on and does not change it. */
    public Cluster build() {
        List<DeferredTree<NodeState>> built = new ArrayList<>(trees.size());
        for (SummaryTree.Editor<NodeState> tree : trees) {
            built.add(DeferredTree.of(tree.build()));
        }
        return new Cluster(inventory, List.copyOf(built), pods, usage).withFreshIndex();
    }
}
