package io.gpusched.internal.fit;

import io.gpusched.model.ContainerGrant;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuShare;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import java.util.ArrayList;
import java.util.List;

/** Turns chosen GPU indexes into grants and a placement. */
public final class Layout {
    private Layout() {}

    /** The placement in which the pod's only GPU container gets these GPUs, ascending. */
    public static Placement single(PodDemand demand, NodeState node, long gpus) {
        List<Container> containers = demand.pod().containers();
        if (containers.size() == 1) {
            Placement known = demand.known(node.nodeClass(), gpus);
            Placement like = known == null ? ofOnly(demand, containers.get(0), node, gpus) : known;
            return like.heldBy(demand.pod().id(), demand.spec(), node.name());
        }
        List<Container> asking = demand.gpuContainers();
        return granted(
                demand,
                node,
                asking.isEmpty() ? List.of() : List.of(grant(asking.get(0).gpu(), node, gpus)));
    }

    /** A placement of what the pod holds if its only container gets these GPUs. */
    private static Placement ofOnly(PodDemand demand, Container only, NodeState node, long gpus) {
        GpuGrant grant = grant(only.gpu(), node, gpus);
        List<ContainerGrant> grants = List.of(new ContainerGrant(only.name(), only.kind(), grant));
        Placement like = demand.shared(gpus, held(demand, node, grants));
        demand.remember(node.nodeClass(), gpus, like);
        return like;
    }

    /** The placement in which each GPU container, in the pod's order, gets what is given. */
    public static Placement granted(PodDemand demand, NodeState node, List<GpuGrant> gpus) {
        List<ContainerGrant> grants = new ArrayList<>(demand.pod().containers().size());
        int next = 0;
        for (Container container : demand.pod().containers()) {
            GpuGrant grant = container.gpu().isNone() ? GpuGrant.none() : gpus.get(next++);
            grants.add(new ContainerGrant(container.name(), container.kind(), grant));
        }
        return demand.shared(gpus.hashCode(), held(demand, node, grants))
                .heldBy(demand.pod().id(), demand.spec(), node.name());
    }

    private static Placement held(PodDemand demand, NodeState node, List<ContainerGrant> grants) {
        return new Placement(demand.pod().id(), node.name(), demand.resources(), grants);
    }

    /** What a request gets with the GPUs of a mask. */
    public static GpuGrant grant(GpuRequest request, NodeState node, long mask) {
        if (request instanceof GpuRequest.Share share) {
            return new GpuGrant.Shared(shares(share, node, mask));
        }
        if (request instanceof GpuRequest.WholeNode) {
            return new GpuGrant.WholeNode(node.gpuCount());
        }
        return request.isNone() ? GpuGrant.none() : new GpuGrant.Whole(indexes(mask));
    }

    private static List<GpuShare> shares(GpuRequest.Share share, NodeState node, long mask) {
        if (Long.bitCount(mask) == 1) {
            return List.of(share.on(node.nodeClass().gpus().get(Long.numberOfTrailingZeros(mask))));
        }
        List<GpuShare> shares = new ArrayList<>();
        indexes(mask).forEach(gpu -> shares.add(share.on(node.nodeClass().gpus().get(gpu))));
        return shares;
    }

    private static List<Integer> indexes(long mask) {
        if (Long.bitCount(mask) == 1) {
            return List.of(Long.numberOfTrailingZeros(mask));
        }
        Integer[] gpus = new Integer[Long.bitCount(mask)];
        int at = 0;
        for (long rest = mask; rest != 0; rest &= rest - 1) {
            gpus[at++] = Long.numberOfTrailingZeros(rest);
        }
        return List.of(gpus);
    }
}
