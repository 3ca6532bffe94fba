package io.gpusched.dialect.slurm;

import io.gpusched.model.ContainerGrant;
import io.gpusched.model.NodeState;
import io.gpusched.policy.DeviceOrder;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.workload.Container;
import io.gpusched.workload.Pod;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Slurm's choice on a node: lowest indexes; mps only on GPUs that serve it, once there are any. */
enum SlurmPolicy implements PlacementPolicy, DeviceOrder {
    /** The one way that there is. */
    FIRST_FIT;

    @Override
    public long score(NodeState before, NodeState after, Pod pod) {
        return 0;
    }

    @Override
    public Optional<DeviceOrder> deviceOrder() {
        return Optional.of(this);
    }

    @Override
    public int[] gpus(NodeState node, List<ContainerGrant> earlier, Container container) {
        boolean servesMps = isMps(container) && all(node).anyMatch(node::isShared);
        return all(node).filter(gpu -> !servesMps || node.isShared(gpu)).toArray();
    }

    private static IntStream all(NodeState node) {
        return IntStream.range(0, node.gpuCount());
    }

    /** {@link SlurmGresDialect#pod} names containers by what they ask. */
    private static boolean isMps(Container container) {
        return container.name().equals(SlurmGres.MPS) || container.name().startsWith(SlurmGres.MPS + "-");
    }

    @Override
    public String toString() {
        return "slurm/first-fit";
    }
}
