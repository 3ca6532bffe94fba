package io.gpusched.policy;

import io.gpusched.model.NodeState;

/**
 * A policy that also looks at the cluster as a whole: a placement has a penalty that depends on statistics over all nodes.
 * A placement ranks by its {@linkplain #score score} minus its penalty; the highest wins, ties end as always. Which GPUs a
 * pod gets on a given node is decided by the score alone.
 *
 * <p>A penalty depends on three things only: the statistics, the shape of the pod, and a small {@linkplain #penaltyKey key}
 * that says what the placement takes away. That is what lets a scheduler remember: when the statistics change, no node has
 * to be looked at again, for placements of equal keys have equal penalties.
 *
 * <p>Example: a policy that keeps the GPUs of one model free sums up the idle GPUs of each model in its statistics; its
 * key is the model; its penalty grows as fewer GPUs of that model are idle.
 */
public interface ClusterAwarePolicy extends PlacementPolicy {
    /** Returns the statistics of a cluster without nodes, to which a scheduler adds the nodes of a snapshot. */
    ClusterStatistics statistics();

    /**
     * Returns what the penalty of a placement depends on: a value with {@code equals} and {@code hashCode}. A pure function,
     * as the score is; if the {@linkplain #scope scope} is {@link Scope#OCCUPANCY}, of nothing else than occupancy. There
     * should be few distinct keys in a cluster: a decision costs O(keys).
     */
    Object penaltyKey(NodeState before, NodeState after);
}
