package io.gpusched.internal.fit;

import io.gpusched.model.Allocation;
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
            Allocation allocation = demand.allocations().only(demand.resources(), containers.get(0), node, gpus);
            return Placement.on(node, demand.pod().id(), allocation);
        }
        return placement(demand, node, new long[] {gpus});
    }

    /** The placement in which each GPU container, in the pod's order, gets the GPUs of its mask. */
    public static Placement placement(PodDemand demand, NodeState node, long[] masks) {
        List<ContainerGrant> grants = new ArrayList<>(demand.pod().containers().size());
        int next = 0;
        for (Container container : demand.pod().containers()) {
            boolean asks = !(container.gpu() instanceof GpuRequest.None);
            GpuGrant gpus = asks ? grant(container.gpu(), node, masks[next++]) : GpuGrant.none();
            grants.add(new ContainerGrant(container.name(), container.kind(), gpus));
        }
        return Placement.on(node, demand.pod().id(), demand.resources(), grants);
    }

    public static GpuGrant grant(GpuRequest request, NodeState node, long mask) {
        if (request instanceof GpuRequest.Exclusive) {
            return new GpuGrant.Whole(indexes(mask));
        }
        if (request instanceof GpuRequest.Share share) {
            if (Long.bitCount(mask) == 1) {
                return new GpuGrant.Shared(List.of(share(share, node, Long.numberOfTrailingZeros(mask))));
            }
            List<GpuShare> shares = new ArrayList<>();
            indexes(mask).forEach(gpu -> shares.add(share(share, node, gpu)));
            return new GpuGrant.Shared(shares);
        }
        return request instanceof GpuRequest.WholeNode ? new GpuGrant.WholeNode(node.gpuCount()) : GpuGrant.none();
    }

    public static GpuShare share(GpuRequest.Share share, NodeState node, int gpu) {
        return new GpuShare(gpu, share.computeMillis(), memoryMib(share, node, gpu), share.slots());
    }

    public static long memoryMib(GpuRequest.Share share, NodeState node, int gpu) {
        return share.memory().on(node.nodeClass().gpus().get(gpu).memoryMib());
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
