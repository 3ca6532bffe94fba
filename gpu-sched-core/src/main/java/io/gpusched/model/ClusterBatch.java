package io.gpusched.model;

import io.gpusched.internal.index.HashIndex;
import io.gpusched.internal.tree.DeferredTree;
import it.unimi.dsi.fastutil.ints.Int2ObjectMap;
import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
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
    private List<DeferredTree<NodeState>> trees;
    private HashIndex pods;
    private Usage usage;

    /** The nodes that changed, by tree and slot. */
    private final List<Int2ObjectMap<NodeState>> changed = new ArrayList<>();

    ClusterBatch(Inventory inventory, List<DeferredTree<NodeState>> trees, HashIndex pods, Usage usage) {
        this.inventory = inventory;
        this.trees = trees;
        this.pods = pods;
        this.usage = usage;
        trees.forEach(tree -> changed.add(new Int2ObjectOpenHashMap<>()));
    }

    private NodeState node(int order) {
        return state(inventory.classIndex(order), inventory.slotOf(order));
    }

    private NodeState state(int classIndex, int slot) {
        NodeState state = changed.get(classIndex).get(slot);
        return state == null ? trees.get(classIndex).get(slot) : state;
    }

    /**
     * Places a pod. O(GPUs + pods on its node), and now and then, when many pods have come, O(nodes + pods).
     *
     * @throws PlacementConflictException as {@link Cluster#with} does
     */
    public ClusterBatch place(Placement placement) {
        NodeState before = inventory.nodeOf(placement, this::state);
        int twin = orderOf(placement.pod());
        if (twin >= 0) {
            throw Conflicts.alreadyPlaced(placement, node(twin));
        }
        set(before, before.withNew(placement), pods.plus(placement.podHash(), before.order()));
        return this;
    }

    /**
     * Releases a pod. O(GPUs + pods on its node).
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
        set(before, before.without(placement), pods.minus(pod.hash64(), order));
        return this;
    }

    private int orderOf(PodId pod) {
        return pods.find(pod.hash64(), order -> node(order).placement(pod) != null);
    }

    private void set(NodeState before, NodeState after, HashIndex newPods) {
        inventory.note(after);
        changed.get(before.nodeClass().index()).put(before.slot(), after);
        usage = usage.replace(before, after);
        // a batch may place many times as many pods as its cluster had
        pods = newPods.isWorn(usage.pods()) ? ClusterBuild.index(inventory.size(), this::node, usage.pods()) : newPods;
    }

    /** Returns the snapshot as it is now; the batch may go on and does not change it. */
    public Cluster build() {
        List<DeferredTree<NodeState>> built = new ArrayList<>(trees.size());
        for (int i = 0; i < trees.size(); i++) {
            Int2ObjectMap<NodeState> states = changed.get(i);
            built.add(states.isEmpty() ? trees.get(i) : trees.get(i).withAll(states));
            states.clear();
        }
        trees = List.copyOf(built);
        return new Cluster(inventory, trees, pods, usage);
    }
}
