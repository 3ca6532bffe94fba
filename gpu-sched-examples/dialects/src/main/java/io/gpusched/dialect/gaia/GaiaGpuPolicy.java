package io.gpusched.dialect.gaia;

import io.gpusched.dialect.internal.GpuRule;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.NodeState;
import io.gpusched.policy.DeviceOrder;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.workload.Container;
import io.gpusched.workload.Pod;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * GaiaGPU's choice: the node with the least free core, then the least free memory; there, for each container in the pod's
 * order, the GPUs with the least free core, then the least free memory, then the lowest index.
 */
enum GaiaGpuPolicy implements PlacementPolicy, DeviceOrder {
    /** The one way that there is. */
    FULLEST;

    /** 64 GPUs of the most memory that a GPU can have take fewer bits. */
    private static final int MEMORY_BITS = 36;

    @Override
    public long score(NodeState before, NodeState after, Pod pod) {
        long memory = 0;
        for (int g = 0; g < before.gpuCount(); g++) {
            memory += before.freeMemoryMib(g);
        }
        return -(before.freeComputeMillis() << MEMORY_BITS | memory);
    }

    @Override
    public Scope scope() {
        return Scope.OCCUPANCY;
    }

    @Override
    public Optional<DeviceOrder> deviceOrder() {
        return Optional.of(this);
    }

    @Override
    public int[] gpus(NodeState node, List<ContainerGrant> earlier, Container container) {
        return GpuRule.sorted(
                node,
                Comparator.<Integer>comparingInt(node::freeComputeMillis)
                        .thenComparingLong(gpu -> node.freeMemoryMib(gpu)));
    }

    @Override
    public String toString() {
        return "gaia/fullest";
    }
}
