package io.gpusched.internal.lookahead;

import io.gpusched.model.Gpu;
import io.gpusched.model.NodeClass;
import io.gpusched.model.NodeState;
import io.gpusched.workload.WorkloadProfile.Demand;
import java.util.BitSet;
import java.util.List;

/**
 * What a look-ahead knows of nodes of one hardware, whatever runs there. Thread-safe.
 *
 * @param kind the kind of the nodes
 * @param kindCost the cost of what is free on nodes of the kind
 * @param gpus the GPUs of a node
 * @param gpuMillis the compute of the GPUs, a thousand each
 * @param cpuMillis the CPU of a node
 * @param fitting which demands of the mix, by index, fit onto an empty node
 * @param sizes which {@link LargePodReserve} sizes could use an empty node, as a bit mask
 * @param noLoss the key of placements that destroy no host
 */
record HardwareForecast(
        NodeKind kind,
        KindCost kindCost,
        List<Gpu> gpus,
        long gpuMillis,
        long cpuMillis,
        BitSet fitting,
        int sizes,
        Loss noLoss) {
    private static final int SKEW_DIVISOR = 5;

    /**
     * What a placement takes away, as far as its penalty depends on it.
     *
     * @param kind the kind of its node
     * @param hosts the hosts that it destroys, as {@link LargePodReserve#lost} returns them
     */
    record Loss(NodeKind kind, long hosts) {}

    static HardwareForecast of(NodeClass nodeClass, NodeKind kind, KindCost kindCost, BitSet fitting, int sizes) {
        List<Gpu> gpus = nodeClass.gpus();
        long gpuMillis = (long) gpus.size() * Demand.WHOLE;
        long cpuMillis = Math.min(1L << 29, nodeClass.capacity().cpuMillis());
        return new HardwareForecast(kind, kindCost, gpus, gpuMillis, cpuMillis, fitting, sizes, new Loss(kind, 0));
    }

    /** Returns the key of placements that destroy these hosts. */
    Loss loss(long hosts) {
        return hosts == 0 ? noLoss : new Loss(kind, hosts);
    }

    /** Returns the cost of what is free on a node, in 1/1024 milli of a GPU: the less, the better. */
    long cost(FreeAmounts free) {
        return (free.gpuMillis() == 0 ? 0 : kindCost.of(free)) + skew(free);
    }

    /** One GPU times the difference between the free part of the CPU and of the GPUs, over five. */
    private long skew(FreeAmounts free) {
        if (gpuMillis == 0 || cpuMillis == 0) {
            return 0;
        }
        long apart = Math.abs(free.cpuMillis() * gpuMillis - free.gpuMillis() * cpuMillis);
        return (long) (Demand.WHOLE * KindCost.MILLI / SKEW_DIVISOR) * apart / (gpuMillis * cpuMillis);
    }

    /** Whether two GPUs can take each other's shares as far as compute goes. */
    boolean areAlike(int gpu, int other) {
        return ShareMove.areAlike(gpus.get(gpu), gpus.get(other));
    }

    /** Whether it would be better for all typical pods if a share were moved; given what is left with it where it is. */
    boolean isBetter(ShareMove move, FreeAmounts left, NodeState after) {
        return kindCost.dominance().isBetter(move, left, after.freeCpuMillis(), after.freeMemoryMib());
    }
}
