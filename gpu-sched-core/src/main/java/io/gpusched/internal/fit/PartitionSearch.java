package io.gpusched.internal.fit;

import io.gpusched.model.GpuGrant;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.Resources;
import io.gpusched.model.partition.GpuPartition;
import io.gpusched.model.partition.PartitionTable;
import io.gpusched.policy.BoundedPolicy;
import io.gpusched.policy.FirstFit;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds the best way to give a pod partitions on one node: exact in what fits, by backtracking over GPUs and places.
 *
 * <p>Of equal scores the way is taken that leaves the devices worth most to what may come (see
 * {@link io.gpusched.model.partition.PartitionWorth}), then the lowest GPUs and units. Containers that ask for whole GPUs or
 * shares beside partitions are laid out on what the partitions leave.
 */
final class PartitionSearch {
    /** How many ways are scored for a pod of several partitions; all of a pod of one are. */
    private static final int MOST_WAYS = 256;

    private final PodDemand demand;
    private final NodeState node;
    private final PlacementPolicy policy;
    private final List<GpuRequest> distinguishing;
    private final SearchSteps steps;
    private final PartitionPlan plan;
    private final PartitionLoad load;
    private final PartitionOffer offer;
    private final StateSet met = new StateSet();
    private final @Nullable PodDemand others;

    /** How many GPUs the other containers need at least; a GPU that is cut is none for them. */
    private final int othersNeed;

    private final @Nullable Consumer<Placement> sink;

    private int ways;
    private List<List<GpuPartition>> best = List.of();
    private long @Nullable [] bestMasks;
    private NodeState bestAfter;
    private long bestScore;
    private long bestWorth;
    private boolean outOfSteps;

    private PartitionSearch(
            PodDemand demand,
            NodeState node,
            PlacementPolicy policy,
            List<GpuRequest> distinguishing,
            SearchSteps steps,
            @Nullable Consumer<Placement> sink) {
        this.demand = demand;
        this.node = node;
        this.policy = policy;
        this.distinguishing = distinguishing;
        this.steps = steps;
        this.sink = sink;
        this.bestAfter = node;
        this.plan = demand.partitionPlan();
        this.load = new PartitionLoad(plan, node, distinguishing);
        this.offer = new PartitionOffer(plan, node, load, steps);
        this.others = others(demand);
        this.othersNeed =
                others == null ? 0 : GpuNeed.of(others.gpuContainers()).gpus();
    }

    /** The containers that ask for GPUs but not for partitions, or null if there are none. */
    private static @Nullable PodDemand others(PodDemand demand) {
        List<Container> others = demand.gpuContainers().stream()
                .filter(container -> !container.gpu().takesPartitions())
                .toList();
        return others.isEmpty() ? null : new PodDemand(new Pod(demand.pod().id(), others, NodeSelector.ANY, List.of()));
    }

    /** Returns the best way to place a pod that asks for partitions, or null; CPU, memory and pod limit are not looked at. */
    static @Nullable Way best(PodDemand demand, NodeState node, PlacementPolicy policy, SearchSteps steps) {
        GpuRequest.Partition one = demand.singlePartition();
        if (one != null ? !mayFit(one, node) : !mayFit(demand.partitionPlan().together, node, steps)) {
            return null;
        }
        PartitionSearch search = new PartitionSearch(demand, node, policy, List.of(), steps, null);
        search.walk();
        return search.found();
    }

    /** A quick look that is never wrong when it says no. */
    private static boolean mayFit(GpuRequest.Partition request, NodeState node) {
        for (int g = 0; g < node.gpuCount(); g++) {
            if (PartitionFit.hasRoom(request, node, g)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the GPUs have room for all that is asked of each profile at one time, if nothing else were asked of them. */
    private static boolean mayFit(Map<String, Integer> asked, NodeState node, SearchSteps steps) {
        for (Map.Entry<String, Integer> entry : asked.entrySet()) {
            long most = 0;
            for (int g = 0; g < node.gpuCount() && most < entry.getValue(); g++) {
                PartitionTable table = PartitionFit.open(node, g);
                int name = table == null ? -1 : table.name(entry.getKey());
                if (table != null && name >= 0) {
                    long word = PartitionFit.word(node, g);
                    steps.take(word == 0 ? 1 : 4 * table.stepsToFit(table.placesOf(name).length));
                    most += table.mostOf(word, name);
                }
            }
            if (most < entry.getValue()) {
                return false;
            }
        }
        return true;
    }

    /**
     * Hands over ways to place a pod that asks for partitions, those that differ only in GPUs alike to all the distinguishing
     * requests at least once; the counter says whether any was left out.
     */
    static void forEach(
            PodDemand demand,
            NodeState node,
            List<GpuRequest> distinguishing,
            Consumer<Placement> sink,
            SearchSteps steps) {
        new PartitionSearch(demand, node, FirstFit.of(), distinguishing, steps, sink).walk();
    }

    private @Nullable Way found() {
        if (best.isEmpty()) {
            return null;
        }
        return new Way(Layout.granted(demand, node, grants(best, bestMasks)), bestScore, bestAfter);
    }

    /**
     * A way to place a pod.
     *
     * @param after the node as it was scored, with the pod at least assumed on it
     */
    record Way(Placement placement, long score, NodeState after) {}

    private boolean isDone() {
        return outOfSteps || plan.units() > 1 && ways >= MOST_WAYS && sink == null;
    }

    /** Goes through the ways depth first, with a stack of its own. */
    private void walk() {
        if (!othersFit()) {
            return;
        }
        steps.take(load.steps());
        int[][] candidates = new int[plan.units()][];
        int[] next = new int[plan.units()];
        int unit = 0;
        candidates[0] = offer.candidates(0);
        while (unit >= 0 && !isDone()) {
            outOfSteps |= !steps.take(8);
            if (outOfSteps) {
                return;
            }
            if (next[unit] == candidates[unit].length) {
                unit--;
                if (unit >= 0) {
                    load.undo(unit);
                }
                continue;
            }
            load.take(unit, candidates[unit][next[unit]++], steps);
            if (othersNeed > 0 && load.uncut(steps) < othersNeed) {
                load.undo(unit);
            } else if (unit + 1 == plan.units()) {
                complete();
                load.undo(unit);
            } else if (isNew(unit + 1)) {
                unit++;
                next[unit] = 0;
                candidates[unit] = offer.candidates(unit);
            } else {
                load.undo(unit);
            }
        }
        if (unit >= 0) {
            steps.giveUp();
        }
    }

    /** Whether the other containers may find room at all: what does not fit without the partitions does not fit beside them. */
    private boolean othersFit() {
        if (others == null) {
            return true;
        }
        LayoutWalk walk = layouts(others, node, FirstFit.of().bound(node, others.pod()), masks -> 0);
        walk.findBest(Long.MIN_VALUE);
        return walk.best() != null || !walk.isComplete();
    }

    private LayoutWalk layouts(
            PodDemand pod, NodeState state, BoundedPolicy.@Nullable Bound bound, LayoutWalk.Judge judge) {
        LayoutProblem problem = new LayoutProblem(pod.plan(), state, distinguishing);
        steps.take(LayoutProblem.steps(problem.plan, state));
        return new LayoutWalk(problem, bound, judge, steps);
    }

    private boolean isNew(int unit) {
        steps.take(2L * node.gpuCount());
        return met.add(load.hash(unit), load.otherHash(unit));
    }

    private void complete() {
        if (others == null) {
            consider(null);
            return;
        }
        NodeState cut = node.assumingPartitions(Resources.NONE, load.taken());
        LayoutWalk walk = layouts(others, cut, null, masks -> score(masks));
        if (sink != null) {
            walk.visitAll();
        } else {
            walk.findBest(Long.MIN_VALUE);
        }
        outOfSteps |= !walk.isComplete();
        long[] masks = walk.best();
        if (sink == null && masks != null) {
            consider(masks);
        }
    }

    private long score(long[] masks) {
        steps.take(stepsToScore());
        Placement placement = Layout.granted(demand, node, grants(load.partitions(), masks));
        if (sink != null) {
            sink.accept(placement);
            return 0;
        }
        return policy.score(node, node.with(placement), demand.pod());
    }

    /** What it takes to make a placement with partitions, check it and score it. */
    private long stepsToScore() {
        return 100 + 40L * plan.units();
    }

    private void consider(long @Nullable [] masks) {
        ways++;
        steps.take(stepsToScore());
        if (sink != null) {
            sink.accept(Layout.granted(demand, node, grants(load.partitions(), masks)));
            return;
        }
        boolean byOccupancy = masks == null && policy.scope() == PlacementPolicy.Scope.OCCUPANCY;
        NodeState after = byOccupancy
                ? node.assumingPartitions(demand.resources(), load.taken())
                : node.with(Layout.granted(demand, node, grants(load.partitions(), masks)));
        long score = policy.score(node, after, demand.pod());
        steps.take(load.stepsForWorth());
        long worth = load.worth();
        if (best.isEmpty() || score > bestScore || score == bestScore && worth > bestWorth) {
            best = load.partitions();
            bestMasks = masks;
            bestAfter = after;
            bestScore = score;
            bestWorth = worth;
        }
    }

    /** What each container that asks for GPUs gets, in the pod's order. */
    private List<GpuGrant> grants(List<List<GpuPartition>> partitions, long @Nullable [] masks) {
        List<GpuGrant> grants = new ArrayList<>();
        int cut = 0;
        int other = 0;
        for (Container container : demand.gpuContainers()) {
            if (container.gpu().takesPartitions()) {
                grants.add(new GpuGrant.Partitions(partitions.get(cut++)));
            } else if (masks != null) {
                grants.add(Layout.grant(container.gpu(), node, masks[other++]));
            }
        }
        return grants;
    }
}
