package io.gpusched.policy;

import io.gpusched.model.NodeState;
import io.gpusched.workload.Pod;
import java.util.function.ToLongFunction;

/**
 * A policy that also looks at the cluster as a whole: a placement has a penalty that depends on statistics over all nodes.
 * A placement ranks by its {@linkplain #score score} minus its penalty; the highest wins, ties end as always. Which GPUs a
 * pod gets on a given node is decided by the score alone.
 *
 * <p>A penalty depends on three things only: the statistics, what the pod asks, and a small {@linkplain #penaltyKey key}
 * that says what the placement takes away. That is what lets a scheduler remember: when the statistics change, no node has
 * to be looked at again, for placements of equal keys have equal penalties.
 *
 * <p>Example: a policy that keeps the GPUs of one model free sums up the idle GPUs of each model in its statistics; its
 * key is the model; its penalty grows as fewer GPUs of that model are idle.
 */
public interface ClusterAwarePolicy extends PlacementPolicy {
    /** Returns the statistics of a cluster without nodes, to which a scheduler adds the nodes of a snapshot. */
    Statistics statistics();

    /**
     * Returns what the penalty of a placement depends on: a value with {@code equals} and {@code hashCode}. A pure function,
     * as the score is; if the {@linkplain #scope scope} is {@link Scope#OCCUPANCY}, of nothing else than occupancy. There
     * should be few distinct keys in a cluster: a decision costs O(keys).
     */
    Object penaltyKey(NodeState before, NodeState after);

    /**
     * Running statistics over the nodes of a cluster. A scheduler adds each node of a snapshot, and follows other snapshots by
     * removing and adding the nodes that differ.
     *
     * <p>What it returns must depend on the nodes it holds alone, not on the order or the number of calls that led there.
     * Mutable; a scheduler uses an instance from one thread.
     */
    interface Statistics {
        /** Adds a node; its class and hardware may be ones not seen before. */
        void add(NodeState node);

        /** Removes a node that was added in this very state. */
        void remove(NodeState node);

        /**
         * Returns the penalties of placements of this pod as the statistics are now, valid until they change: what is subtracted
         * from the score of a placement with a {@linkplain #penaltyKey key}, at least 0.
         */
        ToLongFunction<Object> penalties(Pod pod);
    }
}
