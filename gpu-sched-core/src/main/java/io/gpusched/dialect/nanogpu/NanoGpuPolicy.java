package io.gpusched.dialect.nanogpu;

import io.gpusched.internal.dialect.GpuRule;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.NodeState;
import io.gpusched.policy.DeviceOrder;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.workload.Container;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Which GPUs and nodes nano-gpu prefers.
 *
 * <p>A node's score is looked at as it is before a placement, higher first: binpack the used percentage minus the number of
 * GPUs; spread 100 for each idle GPU plus a tenth of all free percent minus the number of GPUs. It has no bounds, so it
 * cannot be weighed against other scores.
 *
 * <p>On a node the largest demand chooses first, of equal demands the last container. Binpack takes the GPU with the least
 * free percentage that fits, lowest index on a tie; spread goes through the same order from its end.
 */
public enum NanoGpuPolicy implements PlacementPolicy, DeviceOrder {
    /** The fullest that fits. */
    BINPACK,
    /** The emptiest. */
    SPREAD;

    @Override
    public long score(NodeState before, NodeState after, Pod pod) {
        Objects.requireNonNull(before, "before");
        Objects.requireNonNull(after, "after");
        Objects.requireNonNull(pod, "pod");
        return nodeScore(before);
    }

    private long nodeScore(NodeState node) {
        int gpus = node.gpuCount();
        if (gpus == 0) {
            return 0;
        }
        long free = 0;
        int idle = 0;
        for (int g = 0; g < gpus; g++) {
            int percent = node.freeComputeMillis(g) / 10;
            free += percent;
            idle += percent == 100 ? 1 : 0;
        }
        return this == BINPACK ? (100L * gpus - free) / gpus - gpus : 100L * idle + free / 10 - gpus;
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
    public List<Container> containers(List<Container> containers) {
        Objects.requireNonNull(containers, "containers");
        List<Container> order = new ArrayList<>(containers);
        Collections.reverse(order);
        order.sort(Comparator.comparingInt((Container one) -> one.gpu().computeMillis())
                .reversed());
        return order;
    }

    @Override
    public int[] gpus(NodeState node, List<ContainerGrant> earlier, Container container) {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(earlier, "earlier");
        Objects.requireNonNull(container, "container");
        Comparator<Integer> fullest =
                Comparator.<Integer>comparingInt(node::freeComputeMillis).thenComparing(Comparator.naturalOrder());
        return GpuRule.sorted(node, this == BINPACK ? fullest : fullest.reversed());
    }

    @Override
    public String toString() {
        return this == BINPACK ? "nano-gpu/binpack" : "nano-gpu/spread";
    }
}
