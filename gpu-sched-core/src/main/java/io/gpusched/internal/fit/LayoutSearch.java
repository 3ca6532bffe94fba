package io.gpusched.internal.fit;

import io.gpusched.model.Gpu;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
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
 *
 * <p>Of equal scores the layout is taken that leaves cut devices worth most to what may come (see
 * {@link io.gpusched.model.partition.PartitionWorth}), then the lowest GPUs.
 */
public final class LayoutSearch {
    /** More than it takes to look at few ways. */
    private static final long STEPS_FOR_FEW = 1_000_000;

    /** A way to place a pod on a node. */
    public interface Found {
        /** The way. */
        Placement placement();

        /** What the policy says of it. */
        long score();

        /** The node as it was scored, with the pod at least assumed on it. */
        NodeState after();
    }

    /** The way is known, the placement made when it is asked for: of many ways only that of the best is. */
    private record Single(PodDemand demand, NodeState node, NodeState after, long gpus, long score) implements Found {
        @Override
        public Placement placement() {
            return Layout.single(demand, node, gpus);
        }
    }

    private record Complete(Placement placement, NodeState after, long score) implements Found {}

    private final PodDemand demand;
    private final NodeState node;
    private final PlacementPolicy policy;
    private final SearchSteps steps;

    private LayoutSearch(PodDemand demand, NodeState node, PlacementPolicy policy, SearchSteps steps) {
        this.demand = demand;
        this.node = node;
        this.policy = policy;
        this.steps = steps;
    }

    /** Returns the best layout of a pod with {@linkplain LayoutCount#isQuick few} of them, or null if there is none. */
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
        return FitRule.ofState(demand, node) == null ? new LayoutSearch(demand, node, policy, steps).best(above) : null;
    }

    /** Whether the GPUs of a node have room for a pod, whatever CPU and memory are left and though it is cordoned. */
    public static boolean fitsGpus(PodDemand demand, NodeState node, SearchSteps steps) {
        return new LayoutSearch(demand, node, FirstFit.of(), steps).best(Long.MIN_VALUE) != null;
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
        LayoutSearch search = new LayoutSearch(demand, node, FirstFit.of(), steps);
        if (demand.wholeNode() || demand.gpuContainers().isEmpty()) {
            Found found = search.best(Long.MIN_VALUE);
            if (found != null) {
                sink.accept(found.placement());
            }
            return;
        }
        LayoutWalk.Judge judge = load -> {
            sink.accept(Layout.granted(demand, node, load.outcome.grants(load.choices())));
            return 0;
        };
        LayoutProblem problem = search.problem(demand.plan(), distinguishing);
        new LayoutWalk(problem, search.load(problem, null), null, null, judge, steps).visitAll();
    }

    private @Nullable Found best(long above) {
        if (demand.gpuContainers().isEmpty()) {
            return scored(0);
        }
        if (demand.wholeNode()) {
            return FitRule.canTakeWhole(first(), node) ? scored(0) : null;
        }
        if (demand.needsPartitions() && !PartitionFit.mayServe(demand, node, steps)) {
            return null;
        }
        Optional<DeviceOrder> order = policy.deviceOrder();
        if (order.isPresent()) {
            Found found = inOrder(order.get());
            boolean isLast = !demand.needsPartitions() || order.get().namesAllPartitions();
            return found != null || isLast ? found : search(above);
        }
        GpuRequest only = demand.gpuContainers().size() == 1 ? first() : null;
        if (only != null && GpuTake.isWhole(only)) {
            return bestWhole(only, above);
        }
        return only instanceof GpuRequest.Share share && share.count() == 1 ? bestShare(share) : search(above);
    }

    private boolean seesOccupancyOnly() {
        return policy.scope() == PlacementPolicy.Scope.OCCUPANCY;
    }

    private GpuRequest first() {
        return demand.gpuContainers().get(0).gpu();
    }

    private @Nullable Found inOrder(DeviceOrder order) {
        LayoutProblem problem = problem(OrderedOffer.plan(demand, order), List.of());
        LayoutLoad load = load(problem, null);
        OrderedOffer offer = new OrderedOffer(demand, order, part -> fitsGpus(demand, node, part), problem, load);
        Found found = best(problem, load, null, offer, Long.MIN_VALUE);
        boolean mayFallBack = found == null && !demand.needsPartitions();
        return mayFallBack ? order.fallback().map(this::inOrder).orElse(null) : found;
    }

    private @Nullable Found bestShare(GpuRequest share) {
        Found best = null;
        long tried = 0;
        for (long rest = FitRule.fitting(share, node); rest != 0; rest &= rest - 1) {
            int gpu = Long.numberOfTrailingZeros(rest);
            if (!hasInterchangeable(gpu, tried)) {
                tried |= 1L << gpu;
                Found found = scored(1L << gpu);
                best = best == null || found.score() > best.score() ? found : best;
            }
        }
        return best;
    }

    private @Nullable Found bestWhole(GpuRequest request, long above) {
        if (node.idleGpus() < request.count()) {
            return null;
        }
        long idle = FitRule.idleAccepted(request, node);
        if (Long.bitCount(idle) < request.count()) {
            return null;
        }
        if (areInterchangeable(idle)
                || LinkSets.matter(node.nodeClass(), request.selector().affinity(), request.count())) {
            long gpus = FitRule.choose(request, node, idle, steps);
            return gpus == 0 ? null : scored(gpus);
        }
        return search(above);
    }

    private boolean hasInterchangeable(int gpu, long others) {
        for (long rest = others; rest != 0; rest &= rest - 1) {
            if (node.isInterchangeable(gpu, Long.numberOfTrailingZeros(rest))) {
                return true;
            }
        }
        return false;
    }

    private boolean areInterchangeable(long gpus) {
        int first = Long.numberOfTrailingZeros(gpus);
        for (long rest = gpus & (gpus - 1); rest != 0; rest &= rest - 1) {
            if (!node.isInterchangeable(first, Long.numberOfTrailingZeros(rest))) {
                return false;
            }
        }
        return true;
    }

    private @Nullable Found search(long above) {
        LayoutCosts costs = demand.needsPartitions() ? null : LayoutCosts.of(policy, node, demand.pod());
        LayoutProblem problem = problem(demand.plan(), List.of());
        return best(problem, load(problem, costs), costs, null, above);
    }

    private LayoutProblem problem(LayoutPlan plan, List<GpuRequest> distinguishing) {
        steps.take(LayoutProblem.steps(plan, node));
        return new LayoutProblem(plan, node, distinguishing);
    }

    private LayoutLoad load(LayoutProblem problem, @Nullable LayoutCosts costs) {
        LayoutLoad load = new LayoutLoad(problem, costs);
        steps.take(load.places == null ? 0 : load.places.steps());
        return load;
    }

    private @Nullable Found best(
            LayoutProblem problem,
            LayoutLoad load,
            @Nullable LayoutCosts costs,
            @Nullable OrderedOffer ordered,
            long above) {
        Scorer scorer = new Scorer();
        LayoutWalk walk = new LayoutWalk(problem, load, costs, ordered, scorer, steps);
        walk.findBest(above);
        int[] best = walk.best();
        return best == null
                ? null
                : new Complete(Layout.granted(demand, node, load.outcome.grants(best)), scorer.best, walk.bestScore());
    }

    /** Scores what a load holds, and keeps the state of the best. */
    private final class Scorer implements LayoutWalk.Judge {
        private NodeState last = node;
        private NodeState best = node;

        @Override
        public long score(LayoutLoad load) {
            last = seesOccupancyOnly() && !load.outcome.isMixed()
                    ? load.outcome.assumed(demand.resources())
                    : node.with(Layout.granted(demand, node, load.outcome.grants(load.choices())));
            return policy.score(node, last, demand.pod());
        }

        @Override
        public void keep() {
            best = last;
        }
    }

    /*
     * A policy that looks at occupancy alone is shown an assumed state, which needs neither a placement nor checks.
     */
    private Found scored(long gpus) {
        NodeState after = seesOccupancyOnly() ? assumed(gpus) : node.with(Layout.single(demand, node, gpus));
        return new Single(demand, node, after, gpus, policy.score(node, after, demand.pod()));
    }

    private NodeState assumed(long gpus) {
        if (demand.wholeNode()) {
            long all = -1L >>> Long.SIZE - node.gpuCount();
            return node.assuming(node.node().capacity(), all);
        }
        if (gpus != 0 && first() instanceof GpuRequest.Share share) {
            Gpu device = node.nodeClass().gpus().get(Long.numberOfTrailingZeros(gpus));
            return node.assuming(demand.resources(), share.on(device));
        }
        return node.assuming(demand.resources(), gpus);
    }
}
