package io.gpusched.internal.lookahead;

import io.gpusched.internal.lookahead.HardwareForecast.Loss;
import io.gpusched.model.NodeClass;
import io.gpusched.model.NodeState;
import io.gpusched.policy.ClusterStatistics;
import io.gpusched.policy.PenaltyFunction;
import io.gpusched.workload.Pod;
import io.gpusched.workload.WorkloadProfile;
import io.gpusched.workload.WorkloadProfile.Shape;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a look-ahead sums up over a cluster: the compute of each kind of nodes, in all and what is free, and the hosts for
 * large pods. Adding and removing a node costs O(tiers), penalties O(kinds + tiers). Which shapes need which kinds is worked
 * out anew only when the hardware in the cluster changes.
 */
final class LookAheadStatistics implements ClusterStatistics {
    private final Forecast outlook;
    private final Map<NodeClass, Members> classes = new HashMap<>();
    private final Map<NodeKind, KindSums> kinds = new HashMap<>();
    private long freeMillis;

    /** By tier. */
    private final long[] hosts;

    /** Classes that have had no member at some time since penalties were asked for. */
    private final List<Members> emptied = new ArrayList<>();

    /** Whether there are classes, or sizes of kinds, that the scarcity may not know of. */
    private boolean stale = true;

    private List<ConstrainedDemand.Supply> supplies = List.of();
    private @Nullable ConstrainedDemand scarcity;

    /** The nodes of a class. */
    private static final class Members {
        private final NodeClass nodeClass;
        private final HardwareForecast outlook;
        private final @Nullable KindSums kind;
        private int count;

        Members(NodeClass nodeClass, HardwareForecast outlook, @Nullable KindSums kind) {
            this.nodeClass = nodeClass;
            this.outlook = outlook;
            this.kind = kind;
        }
    }

    /** The nodes of a kind that has GPUs. */
    private static final class KindSums {
        private final NodeKind kind;
        private long capacityMillis;
        private long freeMillis;
        private int at;

        KindSums(NodeKind kind) {
            this.kind = kind;
        }
    }

    LookAheadStatistics(Forecast outlook) {
        this.outlook = outlook;
        this.hosts = new long[outlook.reserve().tiers()];
    }

    @Override
    public void add(NodeState node) {
        Members members = classes.get(node.nodeClass());
        if (members == null) {
            members = register(node.nodeClass());
        }
        members.count++;
        count(node, members, 1);
    }

    private Members register(NodeClass nodeClass) {
        HardwareForecast ofClass = outlook.of(nodeClass);
        KindSums kind = ofClass.kind().hasGpus() ? kinds.computeIfAbsent(ofClass.kind(), KindSums::new) : null;
        Members members = new Members(nodeClass, ofClass, kind);
        classes.put(nodeClass, members);
        stale = true;
        return members;
    }

    @Override
    public void remove(NodeState node) {
        Members members = classes.get(node.nodeClass());
        if (members == null) {
            throw new IllegalStateException("node \"" + node.name() + "\" was not added");
        }
        members.count--;
        count(node, members, -1);
        if (members.count == 0) {
            emptied.add(members);
        }
    }

    private void count(NodeState node, Members members, int sign) {
        KindSums kind = members.kind;
        if (kind == null) {
            return;
        }
        kind.capacityMillis += sign * members.outlook.gpuMillis();
        if (!node.isCordoned()) {
            long free = sign * (long) FreeAmounts.of(node, 0).gpuMillis();
            freeMillis += free;
            kind.freeMillis += free;
            outlook.reserve().addHosts(node, members.outlook.tiers(), sign, hosts);
        }
    }

    @Override
    public PenaltyFunction penalties(Pod pod) {
        ConstrainedDemand known = scarcity();
        Shape shape = WorkloadProfile.shapeOf(pod);
        long[] byKind = new long[supplies.size()];
        for (KindSums kind : kinds.values()) {
            byKind[kind.at] = known.penalty(kind.at, kind.freeMillis, freeMillis) * shape.totalGpuMillis();
        }
        int exempt = outlook.reserve().exempt(shape);
        long[] byTier = new long[hosts.length];
        for (int t = 0; t < byTier.length; t++) {
            byTier[t] = (exempt >>> t & 1) != 0 ? 0 : outlook.reserve().penalty(t, hosts[t], freeMillis);
        }
        return key -> penalty((Loss) key, byKind, byTier);
    }

    private long penalty(Loss loss, long[] byKind, long[] byTier) {
        KindSums kind = kinds.get(loss.kind());
        long forKind = kind == null ? 0 : byKind[kind.at];
        long forHosts = loss.hosts() == 0 ? 0 : LargePodReserve.worst(loss.hosts(), byTier);
        return (forKind + forHosts) << CostUnits.TIE_BITS;
    }

    /** Returns the scarcity by the hardware there is; worked out only if that is not what it was. */
    private ConstrainedDemand scarcity() {
        forgetEmptied();
        ConstrainedDemand known = scarcity;
        if (stale || known == null || !hasKnownCapacities()) {
            stale = false;
            List<ConstrainedDemand.Supply> now = supplies();
            if (known == null || !now.equals(supplies)) {
                supplies = now;
                known = new ConstrainedDemand(outlook.mix(), now);
                scarcity = known;
            }
        }
        return known;
    }

    private void forgetEmptied() {
        for (Members members : emptied) {
            if (members.count == 0 && classes.remove(members.nodeClass, members)) {
                stale = true;
            }
        }
        emptied.clear();
        if (stale) {
            kinds.values().removeIf(kind -> classes.values().stream().noneMatch(members -> members.kind == kind));
        }
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
        List<KindSums> sorted = new ArrayList<>(kinds.values());
        sorted.sort(Comparator.comparing((KindSums sums) -> sums.kind, NodeKind.ORDER));
        List<ConstrainedDemand.Supply> all = new ArrayList<>();
        for (KindSums sums : sorted) {
            sums.at = all.size();
            all.add(new ConstrainedDemand.Supply(sums.kind, sums.capacityMillis, new BitSet()));
        }
        for (Members members : classes.values()) {
            if (members.kind != null) {
                all.get(members.kind.at).fitting().or(members.outlook.fitting());
            }
        }
        return all;
    }
}
