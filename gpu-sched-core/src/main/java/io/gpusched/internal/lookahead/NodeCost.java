package io.gpusched.internal.lookahead;

import io.gpusched.model.Gpu;
import io.gpusched.model.NodeClass;
import io.gpusched.model.NodeState;
import io.gpusched.workload.WorkloadProfile.Shape;
import java.util.List;

/** The cost of what is free on nodes of one class, in 1/1024 milli of a GPU: the less, the better. Thread-safe. */
final class NodeCost {
    private static final int SKEW_DIVISOR = 5;

    private final KindCost kindCost;
    private final long gpuCapacity;

    /** By index: the first GPU that is like it; itself if its compute is not the usual. */
    private final int[] kindOfGpu;

    NodeCost(NodeClass nodeClass, KindCost kindCost) {
        this.kindCost = kindCost;
        this.gpuCapacity = (long) nodeClass.gpus().size() * Shape.WHOLE;
        this.kindOfGpu = kinds(nodeClass.gpus());
    }

    private static int[] kinds(List<Gpu> gpus) {
        int[] kinds = new int[gpus.size()];
        for (int g = 0; g < kinds.length; g++) {
            kinds[g] = g;
            for (int earlier = 0; earlier < g && kinds[g] == g; earlier++) {
                kinds[g] = ShareMove.areAlike(gpus.get(earlier), gpus.get(g)) ? earlier : g;
            }
        }
        return kinds;
    }

    /**
     * Returns the cost.
     *
     * @param cpuMillis the CPU of the node, free or not
     */
    long of(FreeAmounts free, long cpuMillis) {
        return (free.gpuMillis() == 0 ? 0 : kindCost.of(free)) + skew(free, Math.min(1L << 29, cpuMillis));
    }

    /** Whether two GPUs can take each other's shares as far as compute goes. */
    boolean areAlike(int gpu, int other) {
        return kindOfGpu[gpu] == kindOfGpu[other];
    }

    /** Whether it would be better for all typical pods if a share were moved; given what is left with it where it is. */
    boolean isBetter(ShareMove move, FreeAmounts left, NodeState after) {
        return kindCost.dominance().isBetter(move, left, after.freeCpuMillis(), after.freeMemoryMib());
    }

    /** One GPU times the difference between the free part of the CPU and of the GPUs, over five. */
    private long skew(FreeAmounts free, long cpuCapacity) {
        if (gpuCapacity == 0 || cpuCapacity == 0) {
            return 0;
        }
        long apart = Math.abs(free.cpuMillis() * gpuCapacity - free.gpuMillis() * cpuCapacity);
        return (long) (Shape.WHOLE * CostUnits.MILLI / SKEW_DIVISOR) * apart / (gpuCapacity * cpuCapacity);
    }
}
