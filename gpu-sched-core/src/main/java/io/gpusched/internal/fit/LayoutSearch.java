package io.gpusched.internal.fit;

import io.gpusched.model.GpuShare;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.policy.DeviceOrder;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.workload.GpuRequest;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds the best way to lay out a pod's containers on the GPUs of one node: if a legal way exists it is found, and none
 * scores higher.
 */
public final class LayoutSearch {
    /** A way to place a pod on a node, and what the policy says of it. */
    public interface Found {
        /** The way. */
        Placement placement();

        /** What the policy says of it. */
        long score();

        /** The node, which it was found for, once it is taken. */
        default NodeState after(NodeState node) {
            return node.with(placement());
        }
    }

    /** A way that was worked out in full. */
    public record Complete(Placement placement, long score) implements Found {}

    /** A way to serve the one GPU container: the placement is made only of the best. */
    private record Single(PodDemand demand, NodeState node, NodeState after, long gpus, long score) implements Found {
        @Override
        public Placement placement() {
            return Layout.single(demand, node, gpus);
        }

        @Override
        public NodeState after(NodeState before) {
            return after;
        }
    }

    private LayoutSearch() {}

    /** Returns the best layout on this node, or null if there is none. CPU, memory and pod limit are looked at. */
    public static @Nullable Found best(PodDemand demand, NodeState node, PlacementPolicy policy) {
        if (!NodeFit.hasResources(demand, node)) {
            return null;
        }
        Optional<DeviceOrder> order = policy.deviceOrder();
        if (order.isPresent() && !demand.gpuContainers().isEmpty() && !demand.wholeNode()) {
            return OrderedSearch.best(demand, node, policy, order.get());
        }
        GpuRequest single = demand.single();
        if (single == null) {
            return ContainerSearch.best(demand, node, policy);
        }
        if (single instanceof GpuRequest.Share share) {
            return bestShare(demand, share, node, policy);
        }
        if (single instanceof GpuRequest.Exclusive exclusive) {
            return bestExclusive(demand, exclusive, node, policy);
        }
        boolean fits = single instanceof GpuRequest.None || NodeFit.canTakeWhole(single, node);
        return fits ? scored(demand, node, policy, 0) : null;
    }

    private static @Nullable Found bestShare(
            PodDemand demand, GpuRequest.Share share, NodeState node, PlacementPolicy policy) {
        long candidates = NodeFit.shareable(share, node);
        if (Long.bitCount(candidates) < share.count()) {
            return null;
        }
        if (share.count() > 1) {
            return ContainerSearch.best(demand, node, policy);
        }
        Found best = null;
        long tried = 0;
        for (long rest = candidates; rest != 0; rest &= rest - 1) {
            int gpu = Long.numberOfTrailingZeros(rest);
            if (!hasTwin(node, gpu, tried)) {
                tried |= 1L << gpu;
                best = better(best, scored(demand, node, policy, 1L << gpu));
            }
        }
        return best;
    }

    private static @Nullable Found bestExclusive(
            PodDemand demand, GpuRequest.Exclusive exclusive, NodeState node, PlacementPolicy policy) {
        if (node.idleGpus() < exclusive.count()) {
            return null;
        }
        long idle = NodeFit.idleAccepted(exclusive, node);
        if (Long.bitCount(idle) < exclusive.count()) {
            return null;
        }
        return areTwins(node, idle)
                ? scored(demand, node, policy, NodeFit.lowest(idle, exclusive.count()))
                : ContainerSearch.best(demand, node, policy);
    }

    private static boolean hasTwin(NodeState node, int gpu, long others) {
        for (long rest = others; rest != 0; rest &= rest - 1) {
            if (node.isInterchangeable(gpu, Long.numberOfTrailingZeros(rest))) {
                return true;
            }
        }
        return false;
    }

    private static boolean areTwins(NodeState node, long gpus) {
        int first = Long.numberOfTrailingZeros(gpus);
        for (long rest = gpus & (gpus - 1); rest != 0; rest &= rest - 1) {
            if (!node.isInterchangeable(first, Long.numberOfTrailingZeros(rest))) {
                return false;
            }
        }
        return true;
    }

    /*
     * A policy that looks at occupancy alone is shown an assumed state, which needs neither a placement nor checks.
     */
    private static Found scored(PodDemand demand, NodeState node, PlacementPolicy policy, long gpus) {
        NodeState after;
        if (policy.scope() == PlacementPolicy.Scope.OCCUPANCY) {
            after = assumed(demand, node, gpus);
        } else {
            after = node.with(Layout.single(demand, node, gpus));
        }
        return new Single(demand, node, after, gpus, policy.score(node, after, demand.pod()));
    }

    private static NodeState assumed(PodDemand demand, NodeState node, long gpus) {
        if (demand.single() instanceof GpuRequest.Share share) {
            GpuShare part = Layout.share(share, node, Long.numberOfTrailingZeros(gpus));
            return node.assumingShare(demand.resources(), part);
        }
        if (demand.single() instanceof GpuRequest.WholeNode) {
            long all = node.gpuCount() == Long.SIZE ? -1L : (1L << node.gpuCount()) - 1;
            return node.assumingWhole(node.node().capacity(), all);
        }
        return node.assumingWhole(demand.resources(), gpus);
    }

    /** The better of the two, the first if they are equal. */
    public static Found better(@Nullable Found first, Found second) {
        return first == null || second.score() > first.score() ? second : first;
    }
}
