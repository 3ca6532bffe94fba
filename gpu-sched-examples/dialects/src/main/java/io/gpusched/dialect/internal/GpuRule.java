package io.gpusched.dialect.internal;

import io.gpusched.model.ContainerGrant;
import io.gpusched.model.NodeState;
import io.gpusched.policy.DeviceOrder;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.workload.Container;
import io.gpusched.workload.Pod;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** How a system chooses where one property of a GPU decides: the first node, there the GPUs in that order. */
public enum GpuRule implements PlacementPolicy, DeviceOrder {
    /** Lowest index. */
    LOWEST_INDEX,
    /** Least memory left, then lowest index. */
    LEAST_MEMORY_LEFT,
    /** Fewest slots in use, then lowest index. */
    FEWEST_TENANTS,
    /** Most slots in use, then lowest index. */
    MOST_TENANTS;

    /** What orders GPUs; the least comes first. */
    private long key(NodeState node, int gpu) {
        return switch (this) {
            case LOWEST_INDEX -> 0;
            case LEAST_MEMORY_LEFT -> node.freeMemoryMib(gpu);
            case FEWEST_TENANTS -> usedSlots(node, gpu);
            case MOST_TENANTS -> -usedSlots(node, gpu);
        };
    }

    private static long usedSlots(NodeState node, int gpu) {
        return (long) node.node().gpus().get(gpu).slots() - node.freeSlots(gpu);
    }

    @Override
    public long score(NodeState before, NodeState after, Pod pod) {
        return 0;
    }

    @Override
    public Optional<DeviceOrder> deviceOrder() {
        return Optional.of(this);
    }

    @Override
    public Scope scope() {
        return Scope.OCCUPANCY;
    }

    @Override
    public int[] gpus(NodeState node, List<ContainerGrant> earlier, Container container) {
        return sorted(node, Comparator.comparingLong(gpu -> key(node, gpu)));
    }

    /** Returns the GPUs of a node in an order; ties end in the lowest index. */
    public static int[] sorted(NodeState node, Comparator<Integer> order) {
        return IntStream.range(0, node.gpuCount())
                .boxed()
                .sorted(order)
                .mapToInt(Integer::intValue)
                .toArray();
    }

    @Override
    public String toString() {
        return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
    }
}
