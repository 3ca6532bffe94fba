package io.gpusched.dialect.nanogpu;

import io.gpusched.model.ContainerGrant;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.NodeState;
import io.gpusched.policy.DeviceOrder;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Which GPUs and nodes nano-gpu prefers.
 *
 * <p>A node's score is looked at as it is before a placement, higher first: binpack the used percentage minus the number of
 * GPUs; spread 100 for each idle GPU plus a tenth of all free percent minus the number of GPUs. It has no bounds, so it
 * cannot be weighed against other scores.
 *
 * <p>On a node the largest demand chooses first, of equal demands the last container. Binpack takes the GPU with the least
 * free percentage that fits; spread goes through the same order from its end. For the first container GPUs with equal room
 * stand by index; for a later one they keep the order that they had before.
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
        int free = 0;
        int idle = 0;
        for (int g = 0; g < gpus; g++) {
            int percent = node.freeComputeMillis(g) / 10;
            free += percent;
            idle += percent == 100 ? 1 : 0;
        }
        return this == BINPACK ? usedPercent(gpus, free) - gpus : 100L * idle + free / 10 - gpus;
    }

    /** As nano-gpu counts: a fraction times 100, cut to an integer. 58 of 100 used are 57 so, because 0.58 is a little less in binary. */
    private static long usedPercent(int gpus, int freePercent) {
        int total = 100 * gpus;
        return (long) ((double) (total - freePercent) / total * 100);
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
        order.sort(Comparator.comparingInt(NanoGpuPolicy::computeMillis).reversed());
        return order;
    }

    private static int computeMillis(Container container) {
        return container.gpu() instanceof GpuRequest.Share share ? share.computeMillis() : 0;
    }

    @Override
    public int[] gpus(NodeState node, List<ContainerGrant> earlier, Container container) {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(earlier, "earlier");
        Objects.requireNonNull(container, "container");
        List<Integer> order = fullestFirst(node, earlier);
        if (this == SPREAD) {
            Collections.reverse(order);
        }
        return order.stream().mapToInt(Integer::intValue).toArray();
    }

    /**
     * nano-gpu sorts one list before each container, and the sort is stable. GPUs with equal room therefore stay as they stood
     * before the last container, so the list is sorted again here for each of the earlier ones.
     */
    private static List<Integer> fullestFirst(NodeState node, List<ContainerGrant> earlier) {
        int[] free = new int[node.gpuCount()];
        Arrays.setAll(free, node::freeComputeMillis);
        earlier.forEach(grant -> add(free, grant, 1));
        List<Integer> order =
                new ArrayList<>(IntStream.range(0, free.length).boxed().toList());
        for (ContainerGrant grant : earlier) {
            order.sort(Comparator.comparingInt(gpu -> free[gpu]));
            add(free, grant, -1);
        }
        order.sort(Comparator.comparingInt(gpu -> free[gpu]));
        return order;
    }

    private static void add(int[] free, ContainerGrant grant, int sign) {
        if (grant.gpus() instanceof GpuGrant.Shared shared) {
            shared.shares().forEach(share -> free[share.gpu()] += sign * share.computeMillis());
        }
        if (grant.gpus() instanceof GpuGrant.Whole whole) {
            whole.gpus().forEach(gpu -> free[gpu] += sign * 1_000);
        }
    }

    @Override
    public String toString() {
        return this == BINPACK ? "nano-gpu/binpack" : "nano-gpu/spread";
    }
}
