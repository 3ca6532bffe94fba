package io.gpusched.model;

import io.gpusched.internal.index.ClusterStore;

/**
 * A private copy of a cluster that takes many changes, of pods and of nodes, and then becomes a snapshot: all of them or
 * none.
 *
 * <p>Each change is checked as the snapshot's own methods check it; one that throws changes nothing. Not thread-safe.
 * The cluster it came from stays as it is.
 *
 * <pre>{@code
 * Cluster next = cluster.batch().removeNode("n1").addNode(larger).place(placement).build();
 * }</pre>
 */
public final class ClusterBatch {
    private ClusterStore store;

    ClusterBatch(ClusterStore store) {
        this.store = store;
    }

    /**
     * Places a pod. O(log n).
     *
     * @throws PlacementConflictException as {@link Cluster#with} does
     */
    public ClusterBatch place(Placement placement) {
        store = ClusterChanges.placed(store, placement);
        return this;
    }

    /**
     * Releases a pod. O(log n).
     *
     * @throws PlacementConflictException if the pod is not placed
     */
    public ClusterBatch release(PodId pod) {
        store = ClusterChanges.released(store, pod);
        return this;
    }

    /**
     * Adds a node. O(log n).
     *
     * @throws IllegalArgumentException as {@link Cluster#withNode} does
     */
    public ClusterBatch addNode(Node node) {
        store = ClusterChanges.added(store, node);
        return this;
    }

    /**
     * Puts a node in place of the one of the same name; what runs there stays. O(log n).
     *
     * @throws PlacementConflictException as {@link Cluster#withReplaced} does
     */
    public ClusterBatch replaceNode(Node node) {
        store = ClusterChanges.replaced(store, node);
        return this;
    }

    /**
     * Removes a node. O(log n).
     *
     * @throws PlacementConflictException if there is no such node or pods run there
     */
    public ClusterBatch removeNode(String name) {
        store = ClusterChanges.removed(store, name);
        return this;
    }

    /**
     * Cordons a node or takes the cordon back. O(log n).
     *
     * @throws PlacementConflictException if there is no such node
     */
    public ClusterBatch cordon(String name, boolean cordoned) {
        store = ClusterChanges.cordoned(store, name, cordoned);
        return this;
    }

    /**
     * Sets whether a GPU is healthy. O(log n).
     *
     * @throws PlacementConflictException if there is no such node
     * @throws IllegalArgumentException if there is no such GPU
     */
    public ClusterBatch gpuHealth(String name, int gpu, boolean healthy) {
        store = ClusterChanges.withGpuHealth(store, name, gpu, healthy);
        return this;
    }

    /** Returns the snapshot as it is now; the batch may go on and does not change it. */
    public Cluster build() {
        return new Cluster(store);
    }
}
