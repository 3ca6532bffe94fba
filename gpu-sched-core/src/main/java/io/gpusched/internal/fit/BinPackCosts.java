package io.gpusched.internal.fit;

import io.gpusched.model.Gpu;
import io.gpusched.model.NodeState;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;

/**
 * What bin-pack charges GPU by GPU: 2^32 for an idle one, 256 times the percentage left for a shared one.
 *
 * <p>The percentage is of memory where memory alone is taken, else of compute. While it is open which it will be, the
 * smaller one is charged.
 */
final class BinPackCosts implements LayoutCosts {
    private static final long IDLE = 1L << 32;

    private final long[] byCompute;
    private final long[] byMemory;
    private final int idleGpus;
    private final boolean takesCompute;

    /** Whether a shared GPU may be taken from that has less than a percent left, so that it costs nothing. */
    private boolean mayCostNothing;

    BinPackCosts(NodeState before, Pod pod) {
        int gpus = before.gpuCount();
        byCompute = new long[gpus];
        byMemory = new long[gpus];
        idleGpus = before.idleGpus();
        for (int g = 0; g < gpus; g++) {
            Gpu device = before.nodeClass().gpus().get(g);
            boolean idle = before.isIdle(g);
            byCompute[g] = idle ? IDLE : before.freeComputeMillis(g) * 100L / device.computeMillis() << 8;
            byMemory[g] = idle
                    ? IDLE
                    : device.memoryMib() == 0 ? byCompute[g] : before.freeMemoryMib(g) * 100 / device.memoryMib() << 8;
            mayCostNothing |= before.freeSlots(g) > 0 && Math.min(byCompute[g], byMemory[g]) == 0;
        }
        boolean compute = false;
        for (int i = 0; i < pod.containers().size() && gpus > 0; i++) {
            GpuRequest asked = pod.containers().get(i).gpu();
            compute |= asked instanceof GpuRequest.Share share ? share.computeMillis() > 0 : !asked.isNone();
        }
        takesCompute = compute;
    }

    @Override
    public long cost(int gpu, int computeMillis, long memoryMib, int slots) {
        if (slots == 0) {
            return 0;
        }
        if (computeMillis > 0) {
            return byCompute[gpu];
        }
        return memoryMib > 0 && !takesCompute ? byMemory[gpu] : Math.min(byCompute[gpu], byMemory[gpu]);
    }

    /** A layout that takes from no shared GPU, and only such a one, scores as much less as there are idle GPUs. */
    @Override
    public long bestScore(long totalCost) {
        boolean onlyIdle = totalCost % IDLE == 0 && !mayCostNothing;
        return onlyIdle ? -totalCost - idleGpus : -totalCost;
    }
}
