package io.gpusched.simulator.policy;

import io.gpusched.model.NodeState;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.workload.Pod;
import java.util.Objects;

/**
 * Puts a pod where what it takes aligns least with what is free: the smallest dot product of free and taken amounts over
 * CPU and GPU compute, one GPU weighing as much as 16 cores; among equals the GPU with the least left.
 *
 * <p>The measure is the alignment of Tetris (SIGCOMM 2014) with its sign turned, as evaluated in "Beware of
 * Fragmentation" (USENIX ATC 2023). Exact for nodes of up to 8,000 cores and 64 GPUs of 1,000 milli; scores of larger ones
 * may overflow, which spoils the choice but never a placement. Immutable and thread-safe.
 */
public final class DotProduct implements PlacementPolicy {
    private static final long CPU_PER_GPU = 16;
    private static final DotProduct INSTANCE = new DotProduct();

    private DotProduct() {}

    /** Returns the policy. */
    public static DotProduct of() {
        return INSTANCE;
    }

    @Override
    public long score(NodeState before, NodeState after, Pod pod) {
        Objects.requireNonNull(before, "before");
        Objects.requireNonNull(after, "after");
        Objects.requireNonNull(pod, "pod");
        long weight = CPU_PER_GPU * CPU_PER_GPU;
        long product = before.freeCpuMillis() * Taken.cpuMillis(before, after)
                + weight * before.freeComputeMillis() * Taken.gpuMillis(before, after);
        return -(product << 16 | Math.min(Taken.leftOnSharedGpus(before, after), 0xFFFF));
    }

    @Override
    public Scope scope() {
        return Scope.OCCUPANCY;
    }

    @Override
    public String toString() {
        return "dot-product";
    }
}
