package io.gpusched.internal.fit;

import io.gpusched.model.NodeState;
import io.gpusched.policy.BinPack;
import io.gpusched.policy.FirstFit;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.workload.Pod;
import org.jspecify.annotations.Nullable;

/** What the GPUs of one node cost one pod. A layout whose costs add up to {@code c} never scores above {@code bestScore(c)}. */
interface LayoutCosts {
    /** Nothing costs anything, and all scores are 0. */
    LayoutCosts NONE = new LayoutCosts() {
        @Override
        public long cost(int gpu, int computeMillis, long memoryMib, int slots) {
            return 0;
        }

        @Override
        public long bestScore(long totalCost) {
            return 0;
        }
    };

    /** Returns what bounds the scores of a policy, or null if nothing does. */
    static @Nullable LayoutCosts of(PlacementPolicy policy, NodeState before, Pod pod) {
        if (policy instanceof BinPack) {
            return new BinPackCosts(before, pod);
        }
        return policy instanceof FirstFit ? NONE : null;
    }

    /** Returns what it costs to take this much of a GPU, at least 0; taking more never costs less. */
    long cost(int gpu, int computeMillis, long memoryMib, int slots);

    /** Returns the highest score of any layout that costs at least this much in all. */
    long bestScore(long totalCost);
}
