package io.gpusched.policy;

import io.gpusched.model.NodeClass;
import io.gpusched.model.NodeState;
import io.gpusched.workload.Pod;
import io.gpusched.workload.WorkloadProfile;
import io.gpusched.workload.WorkloadProfile.Shape;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What a look-ahead watches of a cluster: compute that is free in all and of each kind, and hosts for large pods. */
final class LookAheadMarket implements ClusterAwarePolicy.Market {
    /** Where the sums stand: what is free in all, then by kind, then hosts by tier. */
    private static final int FREE_OF_KINDS = 1;

    private final Map<NodeClass, Integer> kindOfClass;
    private final int kinds;
    private final ModelScarcity scarcity;
    private final GroupReserve reserve;
    private final int hostsAt;

    LookAheadMarket(PodMix mix, Map<NodeClass, Integer> classes) {
        List<NodeKind> found = classes.keySet().stream()
                .map(NodeKind::of)
                .filter(NodeKind::hasGpus)
                .distinct()
                .toList();
        kindOfClass = classes.keySet().stream()
                .collect(Collectors.toMap(nodeClass -> nodeClass, nodeClass -> found.indexOf(NodeKind.of(nodeClass))));
        kinds = found.size();
        scarcity = new ModelScarcity(mix, found, classes);
        reserve = new GroupReserve(mix, classes.keySet());
        hostsAt = FREE_OF_KINDS + kinds;
    }

    @Override
    public int size() {
        return hostsAt + reserve.tiers();
    }

    @Override
    public void count(NodeState node, int sign, long[] sums) {
        int kind = kindOfClass.getOrDefault(node.nodeClass(), -1);
        if (kind < 0 || node.isCordoned()) {
            return;
        }
        long free = sign * (long) FreeAmounts.of(node, 0).gpuMillis();
        sums[0] += free;
        sums[FREE_OF_KINDS + kind] += free;
        for (int t = 0; t < reserve.tiers(); t++) {
            sums[hostsAt + t] += sign * reserve.hosts(t, node);
        }
    }

    @Override
    public long key(NodeState before, NodeState after) {
        return reserve.lost(before, after);
    }

    @Override
    public ClusterAwarePolicy.Tariff tariff(Pod pod) {
        Shape shape = WorkloadProfile.shapeOf(pod);
        BitSet exempt = reserve.exempt(shape);
        return sums -> prices(sums, shape.totalGpuMillis(), exempt);
    }

    private ClusterAwarePolicy.Prices prices(long[] sums, long gpuMillis, BitSet exempt) {
        long[] byKind = new long[kinds];
        for (int k = 0; k < kinds; k++) {
            byKind[k] = scarcity.price(k, sums[FREE_OF_KINDS + k], sums[0]) * gpuMillis;
        }
        long[] byTier = new long[reserve.tiers()];
        for (int t = 0; t < byTier.length; t++) {
            byTier[t] = exempt.get(t) ? 0 : reserve.price(t, sums[hostsAt + t], sums[0]);
        }
        return (nodeClass, key) -> {
            int kind = kindOfClass.getOrDefault(nodeClass, -1);
            long price = kind < 0 ? 0 : byKind[kind];
            return (key == 0 ? price : price + GroupReserve.worst(key, byTier)) << LookAhead.TIE_BITS;
        };
    }
}
