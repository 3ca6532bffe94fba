package io.gpusched.internal.lookahead;

import io.gpusched.model.NodeClass;
import io.gpusched.workload.WorkloadProfile.Shape;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * What a look-ahead knows of a class of nodes, whatever runs there.
 *
 * @param kind the kind of its nodes
 * @param cost the cost of what is free on them
 * @param gpuMillis the compute of the GPUs of each
 * @param fitting which shapes of the mix, by index, fit onto an empty one
 * @param tiers which {@link LargePodReserve} tiers could use an empty one, as a bit mask
 * @param noLoss the key of placements that destroy no host
 */
record HardwareForecast(NodeKind kind, NodeCost cost, long gpuMillis, BitSet fitting, int tiers, Loss noLoss) {
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

    static HardwareForecast of(NodeClass nodeClass, NodeKind kind, NodeCost cost, PodMix mix, LargePodReserve reserve) {
        return new HardwareForecast(
                kind,
                cost,
                nodeClass.gpus().size() * (long) Shape.WHOLE,
                mix.fitting(nodeClass, kind),
                reserve.accepted(kind),
                new Loss(kind, 0));
    }

    /** Returns the key of placements that destroy these hosts. */
    Loss loss(long hosts) {
        return hosts == 0 ? noLoss : new Loss(kind, hosts);
    }
}
