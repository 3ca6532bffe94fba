package io.gpusched.conformance.emulation;

import io.gpusched.model.ContainerGrant;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuShare;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.policy.DeviceOrder;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * How nano-gpu and GaiaGPU give GPUs to a pod: container by container in the order of their policy, each gets the first GPUs with
 * room, nothing is ever taken back. They refuse pods that fit: 50 and 60 percent in this order on GPUs with 60 and 50 percent free,
 * if the first container takes the first GPU. Containers without GPUs take no part; init containers are not looked at.
 */
public final class GreedyLayout {
    private final DeviceOrder order;

    private GreedyLayout(DeviceOrder order) {
        this.order = order;
    }

    /** Returns the rule with this order of containers and GPUs. */
    public static GreedyLayout of(DeviceOrder order) {
        return new GreedyLayout(order);
    }

    /** Returns whether every container of a pod gets its shares or whole GPUs so. */
    public boolean fits(NodeState node, Pod pod) {
        List<Container> asking = pod.containers().stream()
                .filter(container -> !container.gpu().isNone())
                .toList();
        List<ContainerGrant> given = new ArrayList<>();
        NodeState left = node;
        for (Container container : order.containers(asking)) {
            Optional<GpuGrant> grant = first(left, order.gpus(left, List.copyOf(given), container), container.gpu());
            if (grant.isEmpty()) {
                return false;
            }
            given.add(ContainerGrant.of(container.name(), grant.get()));
            left = left.with(new Placement(
                    PodId.of("greedy/" + given.size()),
                    node.name(),
                    Resources.NONE,
                    List.of(given.get(given.size() - 1))));
        }
        return true;
    }

    private static Optional<GpuGrant> first(NodeState node, int[] gpus, GpuRequest request) {
        List<Gpu> free = Arrays.stream(gpus)
                .filter(gpu -> node.isHealthy(gpu) && hasRoom(node, gpu, request))
                .limit(request.count())
                .sorted()
                .mapToObj(gpu -> node.node().gpus().get(gpu))
                .toList();
        return free.size() < request.count() ? Optional.empty() : Optional.of(grant(free, request));
    }

    private static boolean hasRoom(NodeState node, int gpu, GpuRequest request) {
        if (!(request instanceof GpuRequest.Share share)) {
            return node.isIdle(gpu);
        }
        GpuShare part = share.on(node.node().gpus().get(gpu));
        return node.freeComputeMillis(gpu) >= part.computeMillis()
                && node.freeMemoryMib(gpu) >= part.memoryMib()
                && node.freeSlots(gpu) >= part.slots();
    }

    private static GpuGrant grant(List<Gpu> gpus, GpuRequest request) {
        return request instanceof GpuRequest.Share share
                ? new GpuGrant.Shared(gpus.stream().map(share::on).toList())
                : new GpuGrant.Whole(gpus.stream().map(Gpu::index).toList());
    }
}
