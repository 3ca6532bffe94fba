package io.gpusched.analysis;

import io.gpusched.check.Checks;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.ClusterBatch;
import io.gpusched.model.GroupMembership;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.policy.BinPack;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.schedule.SearchBudget;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import io.gpusched.workload.PodSpec;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Whether nodes can be emptied, and where their pods would go: all of them or none.
 *
 * <p>Example: n1 runs a pod of two whole GPUs, n2 has two idle GPUs of eight. {@code Drain.of(cluster, List.of("n1"))} has
 * one move, to n2; if n2 had one idle GPU, it would have none and one obstacle.
 *
 * <p>The pods are placed together as one group on a snapshot in which the nodes are cordoned and empty. So selectors,
 * taints, cordons and rules between pods count, and a refusal is proven unless the scheduler's search reached its limit. Members of a
 * group ({@link Placement#group()}) stay as close as its locality says: near the members that stay, or all together elsewhere if none does. A
 * required locality is kept or the drain refused; a preferred one may be given up.
 *
 * @param nodes the nodes, in node order
 * @param moves the new placement of each of their pods, in an order in which they can be made; empty if there are obstacles.
 *     Room is there for each of them at any time. A rule between pods, such as anti-affinity, may be met only once the pods
 *     have been released that are still to be moved
 * @param obstacles why not all pods have another place; empty if they have
 * @param after the cluster with the nodes cordoned and empty and all moves made; if there are obstacles, unchanged
 * @param extent whether all was looked at; if the budget of steps ended before, there may be more obstacles
 */
public record Drain(List<String> nodes, List<Placement> moves, List<Obstacle> obstacles, Cluster after, Extent extent) {
    /**
     * Pods that have no place elsewhere together: one that has none even alone, the members of a group that must stay close, or all
     * of them if each of these alone has a place.
     *
     * @param pods the pods
     * @param refusal what the scheduler says of the cluster in which the nodes are cordoned and empty for good; empty if what
     *     they ask is unknown, their placements having been made by hand
     */
    public record Obstacle(List<PodId> pods, Optional<Unschedulable> refusal) {
        /** Copies the list. */
        public Obstacle {
            Objects.requireNonNull(refusal, "refusal");
            pods = Checks.list("pods", pods);
        }

        @Override
        public String toString() {
            return pods + (refusal.isPresent() ? " have no place elsewhere" : " do not tell what they ask");
        }
    }

    /** Copies the lists. */
    public Drain {
        Objects.requireNonNull(after, "after");
        Objects.requireNonNull(extent, "extent");
        nodes = Checks.list("nodes", nodes);
        moves = Checks.list("moves", moves);
        obstacles = Checks.list("obstacles", obstacles);
    }

    /**
     * Finds other places by {@link BinPack}, the tightest for each pod.
     *
     * @throws io.gpusched.model.PlacementConflictException if there is no node of one of these names
     */
    public static Drain of(Cluster cluster, Collection<String> nodes) {
        Objects.requireNonNull(cluster, "cluster");
        Objects.requireNonNull(nodes, "nodes");
        return of(
                cluster,
                nodes,
                GpuScheduler.builder().policy(BinPack.of()).memory(0).build());
    }

    /** As {@link #of(Cluster, Collection, GpuScheduler, SearchBudget)}, within 200 million steps. */
    public static Drain of(Cluster cluster, Collection<String> nodes, GpuScheduler scheduler) {
        return of(cluster, nodes, scheduler, AnalysisSteps.DEFAULT);
    }

    /**
     * Finds other places by a scheduler. Costs what scheduling the pods as a group costs; where one of them has no place,
     * also what scheduling each alone costs.
     *
     * @param budget for all decisions; each takes 500 steps for a pod besides its search. The decision about all pods is made in
     *     any case; the decisions about each pod alone end with it
     * @throws io.gpusched.model.PlacementConflictException if there is no node of one of these names
     */
    public static Drain of(Cluster cluster, Collection<String> nodes, GpuScheduler scheduler, SearchBudget budget) {
        Objects.requireNonNull(scheduler, "scheduler");
        AnalysisSteps steps = new AnalysisSteps(Objects.requireNonNull(budget, "budget"));
        return of(cluster, nodes, steps.count(scheduler), steps);
    }

    /** Finds other places by a scheduler whose steps are counted. */
    static Drain of(Cluster cluster, Collection<String> nodes, GpuScheduler scheduler, AnalysisSteps steps) {
        Objects.requireNonNull(cluster, "cluster");
        Checks.noNulls("nodes", nodes);
        List<NodeState> states = states(cluster, nodes);
        List<String> names = states.stream().map(NodeState::name).toList();
        List<Pod> pods = new ArrayList<>();
        List<Obstacle> unknown = new ArrayList<>();
        ClusterBatch batch = cluster.batch();
        for (NodeState node : states) {
            batch.cordon(node.name(), true);
            for (Placement placement : sorted(node)) {
                batch.release(placement.pod());
                Pod.of(placement)
                        .ifPresentOrElse(
                                pods::add, () -> unknown.add(new Obstacle(List.of(placement.pod()), Optional.empty())));
            }
        }
        if (!unknown.isEmpty()) {
            return new Drain(names, List.of(), unknown, cluster, Extent.COMPLETE);
        }
        return moved(cluster, names, pods, batch.build(), scheduler, steps);
    }

    private static Drain moved(
            Cluster cluster,
            List<String> names,
            List<Pod> pods,
            Cluster empty,
            GpuScheduler scheduler,
            AnalysisSteps steps) {
        if (pods.isEmpty()) {
            return new Drain(names, List.of(), List.of(), empty, Extent.COMPLETE);
        }
        Relocation relocation = Relocation.of(empty, names, pods, scheduler);
        Optional<List<Placement>> moves = relocation.placements();
        if (moves.isPresent()) {
            return new Drain(names, moves.get(), List.of(), empty.withAll(moves.get()), Extent.COMPLETE);
        }
        List<Obstacle> obstacles = new ArrayList<>(alone(relocation.others(), relocation.groups(), scheduler, steps));
        if (obstacles.isEmpty()) {
            List<PodId> all = relocation.pods().stream().map(Pod::id).toList();
            obstacles.add(new Obstacle(all, refusal(relocation.decision())));
        }
        return new Drain(names, List.of(), obstacles, cluster, steps.extent());
    }

    /** The pods, and the groups of them, that have no place even alone; equal pods are asked for once, and none once the budget ended. */
    private static List<Obstacle> alone(
            Cluster empty, DrainGroups groups, GpuScheduler scheduler, AnalysisSteps steps) {
        Map<Asked, Optional<Unschedulable>> known = new HashMap<>();
        List<Obstacle> obstacles = new ArrayList<>();
        for (PodGroup group : groups.each()) {
            if (!steps.areLeft()) {
                break;
            }
            List<Pod> pods = group.pods();
            Pod first = pods.get(0);
            Optional<Unschedulable> refusal = pods.size() > 1
                    ? refusal(scheduler.schedule(empty, group))
                    : known.computeIfAbsent(
                            new Asked(first.id().namespace(), first.spec(), first.group()),
                            asked -> refusal(scheduler.schedule(empty, first)));
            if (refusal.isPresent()) {
                obstacles.add(new Obstacle(pods.stream().map(Pod::id).toList(), refusal));
            }
        }
        return obstacles;
    }

    private static Optional<Unschedulable> refusal(Object decision) {
        return Optional.of(decision).filter(Unschedulable.class::isInstance).map(Unschedulable.class::cast);
    }

    /** Pods of one namespace and group that ask for the same are refused alike. */
    private record Asked(String namespace, PodSpec spec, Optional<GroupMembership> group) {}

    private static List<NodeState> states(Cluster cluster, Collection<String> names) {
        Set<String> wanted = new LinkedHashSet<>(names);
        Comparator<NodeState> order =
                Comparator.comparing((NodeState node) -> node.node().topology()).thenComparing(NodeState::name);
        TreeSet<NodeState> states = new TreeSet<>(order);
        wanted.forEach(name -> states.add(cluster.requireNode(name)));
        return List.copyOf(states);
    }

    private static List<Placement> sorted(NodeState node) {
        return node.placements().stream()
                .sorted(Comparator.comparing(Placement::pod))
                .toList();
    }

    /** Returns whether all pods have another place. */
    public boolean isPossible() {
        return obstacles.isEmpty();
    }

    @Override
    public String toString() {
        return isPossible()
                ? "drain " + nodes + ": " + moves.size() + " moves"
                : "cannot drain " + nodes + ": " + obstacles
                        + (extent == Extent.COMPLETE ? "" : " and there may be more");
    }
}
