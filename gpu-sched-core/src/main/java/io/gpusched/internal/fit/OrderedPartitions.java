package io.gpusched.internal.fit;

import io.gpusched.model.ContainerGrant;
import io.gpusched.model.ContainerKind;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.Resources;
import io.gpusched.model.partition.GpuPartition;
import io.gpusched.model.partition.PartitionTable;
import io.gpusched.policy.DeviceOrder;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuCloseness;
import io.gpusched.workload.GpuRequest;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Takes the partitions that a policy with a {@link DeviceOrder} names, container by container, where that serves the whole pod. What
 * an init container gets is not shared with the containers behind it.
 */
final class OrderedPartitions {
    private OrderedPartitions() {}

    /** Returns the way that the policy names; null if it names none, or not for all containers. */
    static PartitionSearch.@Nullable Way best(
            PodDemand demand, NodeState node, PlacementPolicy policy, DeviceOrder order, SearchSteps steps) {
        List<ContainerGrant> earlier = new ArrayList<>();
        List<GpuGrant> grants = new ArrayList<>();
        for (Container container : demand.gpuContainers()) {
            if (!steps.take(20L * (1 + earlier.size()) + node.gpuCount())) {
                return null;
            }
            NodeState now = earlier.isEmpty()
                    ? node
                    : node.with(node.assign(demand.pod().id(), Resources.NONE, earlier));
            GpuGrant grant = container.gpu() instanceof GpuRequest.Partition request
                    ? partitions(request, now, order.partitions(now, List.copyOf(earlier), container))
                    : gpus(container.gpu(), now, order.gpus(now, List.copyOf(earlier), container));
            if (grant == null) {
                return null;
            }
            grants.add(grant);
            earlier.add(new ContainerGrant(container.name(), ContainerKind.ORDINARY, grant));
        }
        Placement placement = Layout.granted(demand, node, grants);
        NodeState after = node.with(placement);
        return new PartitionSearch.Way(placement, policy.score(node, after, demand.pod()), after);
    }

    private static @Nullable GpuGrant partitions(
            GpuRequest.Partition request, NodeState node, List<GpuPartition> named) {
        return named.size() == request.instances() && fit(request, node, named) && areNear(request, node, named)
                ? new GpuGrant.Partitions(named.stream().sorted().toList())
                : null;
    }

    /** The first of these GPUs that have room, beside partitions of other containers; null if they are too few. */
    private static @Nullable GpuGrant gpus(GpuRequest request, NodeState node, int[] named) {
        if (request.takesNode() || !request.selector().closeness().equals(GpuCloseness.ANY)) {
            return null;
        }
        long fitting = NodeFit.fitting(request, node);
        long mask = 0;
        for (int gpu : named) {
            if (Long.bitCount(mask) < request.count()) {
                mask |= fitting & 1L << gpu;
            }
        }
        return Long.bitCount(mask) == request.count() ? Layout.grant(request, node, mask) : null;
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
