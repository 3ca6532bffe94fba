package io.gpusched.policy;

import io.gpusched.model.NodeState;
import io.gpusched.workload.Pod;
import java.util.function.ToLongFunction;

/**
 * Running statistics over the nodes of a cluster, as a {@link ClusterAwarePolicy} keeps them. A scheduler adds each node
 * of a snapshot, and follows other snapshots by removing and adding the nodes that differ.
 *
 * <p>What it returns must depend on the nodes it holds alone, not on the order or the number of calls that led there.
 * Mutable; a scheduler uses an instance from one thread.
 */
public interface ClusterStatistics {
    /** Adds a node; its class and hardware may be ones not seen before. */
    void add(NodeState node);

    /** Removes a node that was added in this very state. */
    void remove(NodeState node);

    /**
     * Returns the penalties of placements of this pod as the statistics are now, valid until they change: what is subtracted
     * from the score of a placement with a {@linkplain ClusterAwarePolicy#penaltyKey key}, at least 0.
     */
    ToLongFunction<Object> penalties(Pod pod);
}
