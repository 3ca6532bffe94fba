package io.gpusched.policy;

import io.gpusched.model.NodeState;
import io.gpusched.workload.Pod;

/**
 * A policy that can tell, from what a pod takes of single GPUs, how high its score can still get. With that a scheduler
 * proves the best way to lay out many containers on one node without scoring all of them (branch and bound).
 *
 * <p>A policy of your own needs this only if pods of many GPU containers are common and must be proven best; without it
 * {@link io.gpusched.decision.Certainty#FOUND} is the answer for some of them.
 */
public interface BoundedPolicy extends PlacementPolicy {
    /** Returns the bound for the ways to place a pod on a node. */
    Bound bound(NodeState before, Pod pod);

    /**
     * What the GPUs of one node cost one pod. A layout whose costs add up to {@code c} never scores above
     * {@code bestScore(c)}.
     */
    interface Bound {
        /**
         * Returns what it costs to take this much of a GPU, at least 0; 0 for nothing. Taking more never costs less.
         *
         * @param gpu the GPU's index
         * @param computeMillis compute that the pod takes of it in all
         * @param memoryMib memory that the pod takes of it in all
         * @param slots slots that the pod takes of it in all
         */
        long cost(int gpu, int computeMillis, long memoryMib, int slots);

        /** Returns the highest score of any layout that costs at least this much in all; never more for a higher cost. */
        long bestScore(long totalCost);
    }
}
