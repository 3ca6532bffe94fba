package io.gpusched.internal.lookahead;

import io.gpusched.model.NodeClass;
import io.gpusched.workload.WorkloadProfile;
import java.util.BitSet;

/**
 * What follows from a workload profile for nodes of any hardware, worked out when first asked for. Bounded: it remembers the
 * last {@value HardwareMemo#MOST_KINDS} kinds of hardware and the last {@value #MOST_KINDS} sets of accepted demands. Thread-safe.
 */
final class Forecast {
    private static final int MOST_KINDS = 32;

    private final PodMix mix;
    private final LargePodReserve reserve;
    private final HardwareMemo<HardwareForecast> byHardware = new HardwareMemo<>(this::learn);

    /** By the demands that nodes accept: nothing else about their kind matters to what is free on them. */
    private final RecentValues<BitSet, KindCost> kinds = new RecentValues<>(MOST_KINDS);

    Forecast(WorkloadProfile profile) {
        mix = new PodMix(profile);
        reserve = new LargePodReserve(mix);
    }

    PodMix mix() {
        return mix;
    }

    LargePodReserve reserve() {
        return reserve;
    }

    HardwareForecast of(NodeClass nodeClass) {
        return byHardware.get(nodeClass);
    }

    private HardwareForecast learn(NodeClass nodeClass) {
        NodeKind kind = NodeKind.of(nodeClass);
        KindCost cost = kinds.get(mix.accepted(kind), accepted -> new KindCost(mix, kind));
        return HardwareForecast.of(nodeClass, kind, cost, mix.fitting(nodeClass, kind), reserve.accepted(kind));
    }
}
