package io.gpusched.internal.lookahead;

import io.gpusched.model.Gpu;
import io.gpusched.model.NodeClass;
import io.gpusched.model.NodeState;
import io.gpusched.workload.WorkloadProfile.Demand;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a look-ahead knows of nodes of one hardware, whatever runs there. Thread-safe. */
final class HardwareForecast {
    private static final int SKEW_DIVISOR = 5;

    /**
     * What a placement takes away, as far as its penalty depends on it.
     *
     * @param kind the kind of its node
     * @param hosts the hosts that it destroys, as {@link LargePodReserve#lost} returns them
     */
    record Loss(NodeKind kind, long hosts) {
        @Override
        public boolean equals(@Nullable Object other) {
            return this == other || other instanceof Loss loss && hosts == loss.hosts && kind.equals(loss.kind);
        }

        @Override
        public int hashCode() {
            return kind.hashCode() * 31 + Long.hashCode(hosts);
        }
    }

    private final NodeKind kind;
    private final KindCost kindCost;
    private final BitSet fitting;
    private final int tiers;
    private final long gpuMillis;
    private final long cpuMillis;
    private final Loss noLoss;

    /** By index: the first GPU that is like it; itself if its compute is not the usual. */
    private final int[] kindOfGpu;

    /**
     * @param fitting which demands of the mix, by index, fit onto an empty node
     * @param tiers which {@link LargePodReserve} tiers could use an empty node, as a bit mask
     */
    HardwareForecast(NodeClass nodeClass, NodeKind kind, KindCost kindCost, BitSet fitting, int tiers) {
        this.kind = kind;
        this.kindCost = kindCost;
        this.fitting = fitting;
        this.tiers = tiers;
        this.gpuMillis = (long) nodeClass.gpus().size() * Demand.WHOLE;
        this.cpuMillis = Math.min(1L << 29, nodeClass.capacity().cpuMillis());
        this.noLoss = new Loss(kind, 0);
        this.kindOfGpu = kindsOfGpus(nodeClass.gpus());
    }

    private static int[] kindsOfGpus(List<Gpu> gpus) {
        int[] kinds = new int[gpus.size()];
        for (int g = 0; g < kinds.length; g++) {
            kinds[g] = g;
            for (int earlier = 0; earlier < g && kinds[g] == g; earlier++) {
                kinds[g] = ShareMove.areAlike(gpus.get(earlier), gpus.get(g)) ? earlier : g;
            }
        }
        return kinds;
    }

    NodeKind kind() {
        return kind;
    }

    BitSet fitting() {
        return fitting;
    }

    int tiers() {
        return tiers;
    }

    /** The compute of the GPUs of a node, a thousand each. */
    long gpuMillis() {
        return gpuMillis;
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
        return kindOfGpu[gpu] == kindOfGpu[other];
    }

    /** Whether it would be better for all typical pods if a share were moved; given what is left with it where it is. */
    boolean isBetter(ShareMove move, FreeAmounts left, NodeState after) {
        return kindCost.dominance().isBetter(move, left, after.freeCpuMillis(), after.freeMemoryMib());
    }
}
