package io.gpusched.internal.lookahead;

import io.gpusched.model.NodeClass;
import io.gpusched.workload.WorkloadProfile;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What follows from a workload profile for nodes of any class, worked out when first asked for. Bounded: it remembers the
 * last {@value HardwareMemo#PLACES} kinds of hardware and the last {@value #MOST_KINDS} sets of accepted shapes. Thread-safe.
 */
final class Forecast {
    private static final int MOST_KINDS = 32;

    private final PodMix mix;
    private final LargePodReserve reserve;
    private final HardwareMemo<HardwareForecast> classes = new HardwareMemo<>(this::learn);

    /** By the shapes that nodes accept: nothing else about their kind matters to what is free on them. */
    private final Map<BitSet, KindCost> kinds = new LinkedHashMap<>(16, 0.75f, true);

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
        return classes.get(nodeClass);
    }

    private HardwareForecast learn(NodeClass nodeClass) {
        NodeKind kind = NodeKind.of(nodeClass);
        NodeCost cost = new NodeCost(nodeClass, kindCost(kind));
        return HardwareForecast.of(nodeClass, kind, cost, mix, reserve);
    }

    private KindCost kindCost(NodeKind kind) {
        BitSet accepted = mix.accepted(kind);
        synchronized (kinds) {
            @Nullable KindCost cost = kinds.get(accepted);
            if (cost == null) {
                cost = new KindCost(mix, kind);
                kinds.put(accepted, cost);
                if (kinds.size() > MOST_KINDS) {
                    kinds.remove(kinds.keySet().iterator().next());
                }
            }
            return cost;
        }
    }
}
