package io.gpusched.internal.fit;

import io.gpusched.model.GpuShare;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.policy.BoundedPolicy;
import io.gpusched.policy.DeviceOrder;
import io.gpusched.policy.FirstFit;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.workload.GpuRequest;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds the best way to lay out a pod's containers on the GPUs of one node: if a legal way exists it is found, and none
 * scores higher, unless the steps run out, which the counter then says.
 */
public final class LayoutSearch {
    /** More than it takes to look at few ways. */
    private static final long STEPS_FOR_FEW = 1_000_000;

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
    private record Complete(Placement placement, long score) implements Found {}

    static Found complete(Placement placement, long score) {
        return new Complete(placement, score);
    }

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

    /** A way that takes partitions, and the node as it was scored. */
    private record Cut(PartitionSearch.Way way) implements Found {
        @Override
        public Placement placement() {
            return way.placement();
        }

        @Override
        public long score() {
            return way.score();
        }

        @Override
        public NodeState after(NodeState node) {
            return way.after();
        }
    }

    private static @Nullable Found cut(PodDemand demand, NodeState node, PlacementPolicy policy, SearchSteps steps) {
        PartitionSearch.Way way = policy.deviceOrder()
                .map(order -> OrderedPartitions.best(demand, node, policy, order, steps))
                .orElse(null);
        boolean named =
                policy.deviceOrder().map(DeviceOrder::namesAllPartitions).orElse(false);
        if (way == null && !named) {
            way = PartitionSearch.best(demand, node, policy, steps);
        }
        return way == null ? null : new Cut(way);
    }

    private LayoutSearch() {}

    /** Returns the best layout of a pod with {@linkplain LayoutEffort#isQuick few} of them, or null if there is none. */
    public static @Nullable Found best(PodDemand demand, NodeState node, PlacementPolicy policy) {
        return best(demand, node, policy, SearchSteps.of(STEPS_FOR_FEW));
    }

    /** Returns the best layout on this node, or null if there is none. CPU, memory and pod limit are looked at. */
    public static @Nullable Found best(PodDemand demand, NodeState node, PlacementPolicy policy, SearchSteps steps) {
        return better(demand, node, policy, Long.MIN_VALUE, steps);
    }

    /** As {@link #best}, but may return null as well if no layout scores above this. */
    public static @Nullable Found better(
            PodDemand demand, NodeState node, PlacementPolicy policy, long above, SearchSteps steps) {
        if (!NodeFit.hasResources(demand, node)) {
            return null;
        }
        if (demand.needsPartitions()) {
            return cut(demand, node, policy, steps);
        }
        Optional<DeviceOrder> order = policy.deviceOrder();
        if (order.isPresent() && !demand.gpuContainers().isEmpty() && !demand.wholeNode()) {
            return ordered(demand, node, policy, order.get(), steps);
        }
        GpuRequest single = demand.single();
        if (single == null) {
            return search(demand, node, policy, above, steps);
        }
        if (single.takesNode() || single.isNone()) {
            boolean fits = single.isNone() || NodeFit.canTakeWhole(single, node);
            return fits ? scored(demand, node, policy, 0) : null;
        }
        if (single.takesWhole()) {
            return bestWhole(demand, single, node, policy, above, steps);
        }
        return single.count() == 1
                ? bestShare(demand, single, node, policy)
                : search(demand, node, policy, above, steps);
    }

    private static @Nullable Found ordered(
            PodDemand demand, NodeState node, PlacementPolicy policy, DeviceOrder order, SearchSteps steps) {
        Found found = OrderedSearch.best(demand, node, policy, order, steps);
        Optional<DeviceOrder> fallback = found == null ? order.fallback() : Optional.empty();
        return fallback.isPresent() ? ordered(demand, node, policy, fallback.get(), steps) : found;
    }

    private static @Nullable Found bestShare(
            PodDemand demand, GpuRequest share, NodeState node, PlacementPolicy policy) {
        Found best = null;
        long tried = 0;
        for (long rest = NodeFit.fitting(share, node); rest != 0; rest &= rest - 1) {
            int gpu = Long.numberOfTrailingZeros(rest);
            if (!hasInterchangeable(node, gpu, tried)) {
                tried |= 1L << gpu;
                Found found = scored(demand, node, policy, 1L << gpu);
                best = best == null || found.score() > best.score() ? found : best;
            }
        }
        return best;
    }

    private static @Nullable Found bestWhole(
            PodDemand demand,
            GpuRequest request,
            NodeState node,
            PlacementPolicy policy,
            long above,
            SearchSteps steps) {
        if (node.idleGpus() < request.count()) {
            return null;
        }
        long idle = NodeFit.idleAccepted(request, node);
        if (Long.bitCount(idle) < request.count()) {
            return null;
        }
        if (areInterchangeable(node, idle)
                || LinkSets.matter(node.nodeClass(), request.selector().closeness(), request.count())) {
            long gpus = NodeFit.choose(request, node, idle, steps);
            return gpus == 0 ? null : scored(demand, node, policy, gpus);
        }
        return search(demand, node, policy, above, steps);
    }

    private static boolean hasInterchangeable(NodeState node, int gpu, long others) {
        for (long rest = others; rest != 0; rest &= rest - 1) {
            if (node.isInterchangeable(gpu, Long.numberOfTrailingZeros(rest))) {
                return true;
            }
        }
        return false;
    }

    private static boolean areInterchangeable(NodeState node, long gpus) {
        int first = Long.numberOfTrailingZeros(gpus);
        for (long rest = gpus & (gpus - 1); rest != 0; rest &= rest - 1) {
            if (!node.isInterchangeable(first, Long.numberOfTrailingZeros(rest))) {
                return false;
            }
        }
        return true;
    }

    private static @Nullable Found search(
            PodDemand demand, NodeState node, PlacementPolicy policy, long above, SearchSteps steps) {
        if (demand.wholeNode()) {
            return wholeNode(demand, node, policy);
        }
        if (demand.needsPartitions()) {
            return cut(demand, node, policy, steps);
        }
        LayoutProblem problem = problem(demand, node, List.of(), steps);
        BoundedPolicy.Bound bound = policy instanceof BoundedPolicy bounded ? bounded.bound(node, demand.pod()) : null;
        LayoutWalk walk = new LayoutWalk(problem, bound, masks -> score(demand, node, policy, masks), steps);
        walk.findBest(bound == null ? Long.MIN_VALUE : above);
        if (!walk.isComplete()) {
            steps.giveUp();
        }
        long[] best = walk.best();
        return best == null ? null : new Complete(Layout.placement(demand, node, best), walk.bestScore());
    }

    /** Whether the GPUs of a node have room for a pod, whatever CPU and memory are left and though it is cordoned. */
    public static boolean fitsGpus(PodDemand demand, NodeState node, SearchSteps steps) {
        return demand.gpuContainers().isEmpty() || search(demand, node, FirstFit.of(), Long.MIN_VALUE, steps) != null;
    }

    private static LayoutProblem problem(
            PodDemand demand, NodeState node, List<GpuRequest> distinguishing, SearchSteps steps) {
        LayoutPlan plan = demand.plan();
        steps.take(LayoutProblem.steps(plan, node));
        return new LayoutProblem(plan, node, distinguishing);
    }

    private static @Nullable Found wholeNode(PodDemand demand, NodeState node, PlacementPolicy policy) {
        if (!NodeFit.canTakeWhole(demand.gpuContainers().get(0).gpu(), node)) {
            return null;
        }
        long[] masks = new long[1];
        return new Complete(Layout.placement(demand, node, masks), score(demand, node, policy, masks));
    }

    private static long score(PodDemand demand, NodeState node, PlacementPolicy policy, long[] masks) {
        return policy.score(node, node.with(Layout.placement(demand, node, masks)), demand.pod());
    }

    /**
     * Hands over every way to lay a pod out on the GPUs of a node that has the CPU and memory for it, those that differ
     * only in GPUs alike to all the distinguishing requests at least once. The counter says whether any was left out.
     */
    public static void forEach(
            PodDemand demand,
            NodeState node,
            List<GpuRequest> distinguishing,
            Consumer<Placement> sink,
            SearchSteps steps) {
        GpuRequest single = demand.single();
        if (demand.wholeNode() || single != null && single.isNone()) {
            boolean fits = !demand.wholeNode()
                    || NodeFit.canTakeWhole(demand.gpuContainers().get(0).gpu(), node);
            if (fits) {
                sink.accept(Layout.placement(demand, node, new long[1]));
            }
            return;
        }
        if (demand.needsPartitions()) {
            PartitionSearch.forEach(demand, node, distinguishing, sink, steps);
            return;
        }
        LayoutProblem problem = problem(demand, node, distinguishing, steps);
        LayoutWalk.Judge judge = masks -> {
            sink.accept(Layout.placement(demand, node, masks));
            return 0;
        };
        LayoutWalk walk = new LayoutWalk(problem, null, judge, steps);
        walk.visitAll();
        if (!walk.isComplete()) {
            steps.giveUp();
        }
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
        GpuRequest single = demand.single();
        if (single != null && single.takesPart()) {
            GpuShare part = Layout.share(single, node, Long.numberOfTrailingZeros(gpus));
            return node.assuming(demand.resources(), part);
        }
        if (demand.wholeNode()) {
            long all = node.gpuCount() == Long.SIZE ? -1L : (1L << node.gpuCount()) - 1;
            return node.assuming(node.node().capacity(), all);
        }
        return node.assuming(demand.resources(), gpus);
    }
}
