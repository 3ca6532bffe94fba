package io.gpusched.model;

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
    private Cluster cluster;

    ClusterBatch(Cluster cluster) {
        this.cluster = cluster;
    }

    /**
     * Places a pod. O(log n).
     *
     * @throws PlacementConflictException as {@link Cluster#with} does
     */
    public ClusterBatch place(Placement placement) {
        cluster = cluster.with(placement);
        return this;
    }

    /**
     * Places a pod that runs already, on GPUs that are not healthy too. O(log n).
     *
     * @throws PlacementConflictException as {@link Cluster#withRunning} does
     */
    public ClusterBatch placeRunning(Placement placement) {
        cluster = cluster.withRunning(placement);
        return this;
    }

    /**
     * Releases a pod. O(log n).
     *
     * @throws PlacementConflictException if the pod is not placed
     */
    public ClusterBatch release(PodId pod) {
        cluster = cluster.without(pod);
        return this;
    }

    /**
     * Adds a node. O(log n).
     *
     * @throws IllegalArgumentException as {@link Cluster#withNode} does
     */
    public ClusterBatch addNode(Node node) {
        cluster = cluster.withNode(node);
        return this;
    }

    /**
     * Puts a node in place of the one of the same name; what runs there stays. O(log n).
     *
     * @throws PlacementConflictException as {@link Cluster#withReplaced} does
     */
    public ClusterBatch replaceNode(Node node) {
        cluster = cluster.withReplaced(node);
        return this;
    }

    /**
     * Removes a node. O(log n).
     *
     * @throws PlacementConflictException if there is no such node or pods run there
     */
    public ClusterBatch removeNode(String name) {
        cluster = cluster.withoutNode(name);
        return this;
    }

    /**
     * Cordons a node or takes the cordon back. O(log n).
     *
     * @throws PlacementConflictException if there is no such node
     */
    public ClusterBatch cordon(String name, boolean cordoned) {
        cluster = cluster.withCordoned(name, cordoned);
        return this;
    }

    /**
     * Sets whether a GPU is healthy. O(log n).
     *
     * @throws PlacementConflictException if there is no such node
     * @throws IllegalArgumentException if there is no such GPU
     */
    public ClusterBatch gpuHealth(String name, int gpu, boolean healthy) {
        cluster = cluster.withGpuHealth(name, gpu, healthy);
        return this;
    }

    /** Returns the snapshot as it is now; the batch may go on and does not change it. */
    public Cluster build() {
        return cluster;
    }
}
