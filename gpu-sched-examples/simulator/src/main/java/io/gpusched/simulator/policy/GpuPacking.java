package io.gpusched.simulator.policy;

import io.gpusched.model.NodeState;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.workload.Pod;
import java.util.Objects;

/**
 * Prefers shared GPUs, then idle GPUs of nodes in use, then unused nodes; among shared GPUs the fullest.
 *
 * <p>The score is that of the GpuPacking baseline in "Beware of Fragmentation" (USENIX ATC 2023): 0 for pods without
 * GPUs; on a node whose GPUs are all idle max(33 - GPUs, GPUs); where idle GPUs are taken max(50 - idle GPUs taken, 33);
 * otherwise max(100 - percent left on the GPUs taken / 10, 50). Equal scores end with the GPU that has least left.
 * Immutable and thread-safe.
 */
public final class GpuPacking implements PlacementPolicy {
    private static final GpuPacking INSTANCE = new GpuPacking();

    private GpuPacking() {}

    /** Returns the policy. */
    public static GpuPacking of() {
        return INSTANCE;
    }

    @Override
    public long score(NodeState before, NodeState after, Pod pod) {
        Objects.requireNonNull(before, "before");
        Objects.requireNonNull(after, "after");
        Objects.requireNonNull(pod, "pod");
        return (packing(before, after) << 16) - Math.min(Taken.leftOnSharedGpus(before, after), 0xFFFF);
    }

    private static long packing(NodeState before, NodeState after) {
        int idleTaken = 0;
        int taken = 0;
        long percentLeft = 0;
        for (int g = 0; g < before.gpuCount(); g++) {
            if (Taken.takes(before, after, g)) {
                taken++;
                idleTaken += before.isIdle(g) ? 1 : 0;
                percentLeft += before.freeComputeMillis(g)
                        * 100L
                        / before.node().gpus().get(g).computeMillis();
            }
        }
        if (taken == 0) {
            return 0;
        }
        if (before.idleGpus() == before.gpuCount()) {
            return Math.max(33 - before.gpuCount(), before.gpuCount());
        }
        return idleTaken > 0 ? Math.max(50 - idleTaken, 33) : Math.max(100 - percentLeft / 10, 50);
    }

    @Override
    public Scope scope() {
        return Scope.OCCUPANCY;
    }

    @Override
    public String toString() {
        return "gpu-packing";
    }
}
