package io.gpusched.model;

import io.gpusched.internal.index.ClusterStore;
import io.gpusched.internal.index.NodeAdditions;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

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
    /** All changes so far, but for the last nodes if these were added one after the other. */
    private ClusterStore store;

    /** Nodes that are added together, for less than one by one, when something else changes or the snapshot is asked for. */
    private @Nullable NodeAdditions additions;

    ClusterBatch(ClusterStore store) {
        this.store = store;
    }

    /**
     * Places a pod. O(log n).
     *
     * @throws PlacementConflictException as {@link Cluster#with} does
     */
    public ClusterBatch place(Placement placement) {
        Objects.requireNonNull(placement, "placement");
        store = ClusterChanges.placed(settled(), placement);
        return this;
    }

    /**
     * Places a pod that runs already, on GPUs that are not healthy too. O(log n).
     *
     * @throws PlacementConflictException as {@link Cluster#withRunning} does
     */
    public ClusterBatch placeRunning(Placement placement) {
        Objects.requireNonNull(placement, "placement");
        store = ClusterChanges.running(settled(), placement);
        return this;
    }

    /**
     * Releases a pod. O(log n).
     *
     * @throws PlacementConflictException if the pod is not placed
     */
    public ClusterBatch release(PodId pod) {
        Objects.requireNonNull(pod, "pod");
        store = ClusterChanges.released(settled(), pod);
        return this;
    }

    /**
     * Adds a node. O(log n), and many in a row for less than one by one.
     *
     * @throws IllegalArgumentException as {@link Cluster#withNode} does
     */
    public ClusterBatch addNode(Node node) {
        Objects.requireNonNull(node, "node");
        NodeAdditions open = additions == null ? new NodeAdditions(store) : additions;
        ClusterChanges.add(open, node);
        additions = open;
        return this;
    }

    /**
     * Puts a node in place of the one of the same name; what runs there stays. O(log n).
     *
     * @throws PlacementConflictException as {@link Cluster#withReplaced} does
     */
    public ClusterBatch replaceNode(Node node) {
        Objects.requireNonNull(node, "node");
        store = ClusterChanges.replaced(settled(), node);
        return this;
    }

    /**
     * Removes a node. O(log n).
     *
     * @throws PlacementConflictException if there is no such node or pods run there
     */
    public ClusterBatch removeNode(String name) {
        Objects.requireNonNull(name, "name");
        store = ClusterChanges.removed(settled(), name);
        return this;
    }

    /**
     * Cordons a node or takes the cordon back. O(log n).
     *
     * @throws PlacementConflictException if there is no such node
     */
    public ClusterBatch cordon(String name, boolean cordoned) {
        Objects.requireNonNull(name, "name");
        store = ClusterChanges.cordoned(settled(), name, cordoned);
        return this;
    }

    /**
     * Sets whether a GPU is healthy. O(log n).
     *
     * @throws PlacementConflictException if there is no such node
     * @throws IllegalArgumentException if there is no such GPU
     */
    public ClusterBatch gpuHealth(String name, int gpu, boolean healthy) {
        Objects.requireNonNull(name, "name");
        store = ClusterChanges.withGpuHealth(settled(), name, gpu, healthy);
        return this;
    }

    /** Returns the snapshot as it is now; the batch may go on and does not change it. */
    public Cluster build() {
        return new Cluster(settled());
    }

    private ClusterStore settled() {
        NodeAdditions open = additions;
        if (open != null) {
            store = open.applied();
            additions = null;
        }
        return store;
    }
}
