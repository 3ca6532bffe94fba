package io.gpusched.internal.fit;

import io.gpusched.internal.partition.PartitionTable;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.ContainerKind;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.Resources;
import io.gpusched.model.partition.GpuPartition;
import io.gpusched.policy.DeviceOrder;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Takes the partitions that a policy with a {@link DeviceOrder} names, container by container, where that serves the whole pod. */
final class OrderedPartitions {
    private OrderedPartitions() {}

    /** Returns the way that the policy names; null if it names none, or not for all containers. */
    static PartitionSearch.@Nullable Way best(
            PodDemand demand, NodeState node, PlacementPolicy policy, DeviceOrder order, SearchSteps steps) {
        List<ContainerGrant> earlier = new ArrayList<>();
        List<GpuGrant> grants = new ArrayList<>();
        for (Container container : demand.gpuContainers()) {
            if (!(container.gpu() instanceof GpuRequest.Partition request) || container.kind() == ContainerKind.INIT) {
                return null;
            }
            if (!steps.take(20L * (1 + earlier.size()) + node.gpuCount())) {
                return null;
            }
            NodeState now = earlier.isEmpty()
                    ? node
                    : node.with(node.assign(demand.pod().id(), Resources.NONE, earlier));
            List<GpuPartition> named = order.partitions(now, List.copyOf(earlier), container);
            if (named.size() != request.instances() || !fit(request, now, named) || !areNear(request, node, named)) {
                return null;
            }
            GpuGrant grant = new GpuGrant.Partitions(named.stream().sorted().toList());
            grants.add(grant);
            earlier.add(new ContainerGrant(container.name(), container.kind(), grant));
        }
        Placement placement = Layout.granted(demand, node, grants);
        NodeState after = node.with(placement);
        return new PartitionSearch.Way(placement, policy.score(node, after, demand.pod()), after);
    }

    /** Whether partitions lie on one NUMA node where that is asked for. */
    private static boolean areNear(GpuRequest.Partition request, NodeState node, List<GpuPartition> named) {
        return !PartitionOffer.isOneNumaNode(request)
                || named.stream()
                                .map(partition ->
                                        node.node().gpus().get(partition.gpu()).numaNode())
                                .distinct()
                                .count()
                        == 1;
    }

    /** Whether partitions are of the profile asked for and find room together. */
    private static boolean fit(GpuRequest.Partition request, NodeState node, List<GpuPartition> named) {
        long[] words = new long[node.gpuCount()];
        for (int g = 0; g < words.length; g++) {
            words[g] = PartitionFit.word(node, g);
        }
        for (GpuPartition partition : named) {
            int gpu = partition.gpu();
            PartitionTable table = gpu < words.length ? PartitionFit.open(request, node, gpu) : null;
            int place = table == null || !partition.profile().equals(request.profile())
                    ? -1
                    : table.find(partition.profile(), partition.start(), partition.mode());
            if (table == null || place < 0 || table.hasNodeModes() || !table.fits(words[gpu], place)) {
                return false;
            }
            words[gpu] += table.word(place);
        }
        return true;
    }
}
