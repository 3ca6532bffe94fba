package io.gpusched.policy;

import io.gpusched.internal.lookahead.NodeChange;
import io.gpusched.model.NodeState;
import io.gpusched.workload.Pod;
import java.util.Objects;

/**
 * Leaves the least behind: the node on which free CPU and free GPU compute together are smallest after the placement, one
 * GPU weighing as much as 16 cores; among equals the GPU with the least left.
 *
 * <p>The weights are those of the BestFit baseline in "Beware of Fragmentation" (USENIX ATC 2023), where a node of 128
 * cores and 8 GPUs is the measure; here without its rounding. A node left with 4 cores and 500 milli of a GPU scores
 * -(4,000 + 16 &times; 500) = -12,000. Immutable and thread-safe.
 */
public final class BestFit implements PlacementPolicy {
    /** CPU milli that weigh as much as one milli of a GPU. */
    static final long CPU_PER_GPU = 16;

    private static final BestFit INSTANCE = new BestFit();

    private BestFit() {}

    /** Returns the policy. */
    public static BestFit of() {
        return INSTANCE;
    }

    @Override
    public long score(NodeState before, NodeState after, Pod pod) {
        Objects.requireNonNull(before, "before");
        Objects.requireNonNull(after, "after");
        Objects.requireNonNull(pod, "pod");
        long left = after.freeCpuMillis() + CPU_PER_GPU * after.freeComputeMillis();
        return -(left << 16 | Math.min(NodeChange.leftOnSharedGpus(before, after), 0xFFFF));
    }

    @Override
    public Scope scope() {
        return Scope.OCCUPANCY;
    }

    @Override
    public String toString() {
        return "best-fit";
    }
}
