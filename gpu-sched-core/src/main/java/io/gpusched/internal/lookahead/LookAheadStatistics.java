package io.gpusched.internal.lookahead;

import io.gpusched.internal.lookahead.HardwareForecast.Loss;
import io.gpusched.model.NodeState;
import io.gpusched.workload.Pod;
import io.gpusched.workload.WorkloadProfile;
import io.gpusched.workload.WorkloadProfile.Demand;
import it.unimi.dsi.fastutil.objects.Object2IntOpenHashMap;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * What a look-ahead sums up over a cluster: the compute of each kind of nodes, in all and what is free, and the hosts for
 * large pods. Adding and removing a node costs O(ranks), penalties O(kinds + ranks). Which demands need which kinds is worked
 * out anew only when the hardware in the cluster changes. Not thread-safe.
 */
public final class LookAheadStatistics {
    private final Forecast forecast;
    private final Map<NodeKind, KindSums> kinds = new HashMap<>();
    private long freeMillis;

    /** By rank. */
    private final long[] hosts;

    private List<ConstrainedDemand.Supply> supplies = List.of();
    private @Nullable ConstrainedDemand demand;

    /** Whether there is other hardware than {@link #supplies} says. */
    private boolean isStale = true;

    /** The nodes of a kind that has GPUs. */
    private static final class KindSums {
        private final NodeKind kind;
        private long capacityMillis;
        private long freeMillis;

        /** How many nodes each set of demands fits onto when they are empty. */
        private final Object2IntOpenHashMap<BitSet> fitting = new Object2IntOpenHashMap<>();

        /** Its place among the supplies. */
        private int at;

        KindSums(NodeKind kind) {
            this.kind = kind;
        }

        BitSet allFitting() {
            fitting.values().removeIf(nodes -> nodes == 0);
            BitSet all = new BitSet();
            fitting.keySet().forEach(all::or);
            return all;
        }
    }

    LookAheadStatistics(Forecast forecast) {
        this.forecast = forecast;
        this.hosts = new long[forecast.reserve().sizes()];
    }

    /** Adds a node. */
    public void add(NodeState node) {
        count(node, 1);
    }

    /** Removes a node that was added in this state. */
    public void remove(NodeState node) {
        count(node, -1);
    }

    private void count(NodeState node, int sign) {
        HardwareForecast hardware = forecast.of(node.nodeClass());
        if (hardware.gpuMillis() == 0) {
            return;
        }
        KindSums kind = kinds.computeIfAbsent(hardware.kind(), KindSums::new);
        kind.capacityMillis += sign * hardware.gpuMillis();
        int nodes = kind.fitting.addTo(hardware.fitting(), sign);
        isStale |= nodes == 0 || nodes + sign == 0;
        if (!node.isCordoned()) {
            long free = sign * (long) FreeAmounts.of(node, 0).gpuMillis();
            freeMillis += free;
            kind.freeMillis += free;
            forecast.reserve().addHosts(node, hardware.sizes(), sign, hosts);
        }
    }

    /** Returns the penalties of placements of this pod by their {@linkplain LookAheadScorer#penaltyKey keys}, valid until nodes change. */
    public ToLongFunction<Object> penalties(Pod pod) {
        ConstrainedDemand known = constrainedDemand();
        Demand demand = WorkloadProfile.demandOf(pod);
        long[] byKind = new long[supplies.size()];
        for (KindSums kind : kinds.values()) {
            byKind[kind.at] = known.penalty(kind.at, kind.freeMillis, freeMillis) * demand.totalGpuMillis();
        }
        int exempt = forecast.reserve().exempt(demand);
        long[] byTier = new long[hosts.length];
        for (int t = 0; t < byTier.length; t++) {
            byTier[t] = (exempt >>> t & 1) != 0 ? 0 : forecast.reserve().penalty(t, hosts[t], freeMillis);
        }
        return key -> penalty((Loss) key, byKind, byTier);
    }

    private long penalty(Loss loss, long[] byKind, long[] byTier) {
        KindSums kind = kinds.get(loss.kind());
        long forKind = kind == null ? 0 : byKind[kind.at];
        long forHosts = loss.hosts() == 0 ? 0 : LargePodReserve.worst(loss.hosts(), byTier);
        return (forKind + forHosts) << LookAheadScorer.TIE_BITS;
    }

    /** Returns the demand for the hardware there is; worked out only if that is not what it was. */
    private ConstrainedDemand constrainedDemand() {
        ConstrainedDemand known = demand;
        if (isStale || known == null || !hasKnownCapacities()) {
            isStale = false;
            List<ConstrainedDemand.Supply> now = supplies();
            if (known == null || !now.equals(supplies)) {
                supplies = now;
                known = new ConstrainedDemand(forecast.mix(), now);
                demand = known;
            }
        }
        return known;
    }

    private boolean hasKnownCapacities() {
        for (KindSums kind : kinds.values()) {
            if (supplies.get(kind.at).capacityMillis() != kind.capacityMillis) {
                return false;
            }
        }
        return true;
    }

    private List<ConstrainedDemand.Supply> supplies() {
        kinds.values().removeIf(kind -> kind.capacityMillis == 0);
        List<KindSums> sorted = new ArrayList<>(kinds.values());
        sorted.sort(Comparator.comparing((KindSums sums) -> sums.kind, NodeKind.ORDER));
        List<ConstrainedDemand.Supply> all = new ArrayList<>();
        for (KindSums sums : sorted) {
            sums.at = all.size();
            all.add(new ConstrainedDemand.Supply(sums.kind, sums.capacityMillis, sums.allFitting()));
        }
        return all;
    }
}
