package io.gpusched.analysis;

import io.gpusched.check.Checks;
import io.gpusched.decision.Certainty;
import io.gpusched.decision.Change;
import io.gpusched.decision.Decision;
import io.gpusched.decision.Diagnosis;
import io.gpusched.decision.GroupDecision;
import io.gpusched.decision.GroupPlaced;
import io.gpusched.decision.Placed;
import io.gpusched.decision.Reason;
import io.gpusched.decision.Remedy;
import io.gpusched.internal.diagnosis.Diagnoser;
import io.gpusched.internal.fit.FitRule;
import io.gpusched.internal.fit.Occupancy;
import io.gpusched.internal.fit.PodCapacity;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.fit.SearchSteps;
import io.gpusched.internal.rules.RuleCounts;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.policy.BinPack;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.schedule.SearchBudget;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import io.gpusched.workload.PodGroup.Role;
import it.unimi.dsi.fastutil.objects.Object2LongMap;
import it.unimi.dsi.fastutil.objects.Object2LongOpenCustomHashMap;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How many more pods of one spec fit into a cluster as it is. All constraints that a scheduler honours are honoured here.
 *
 * <p>Example: a node has two idle GPUs and one with 500 milli free. Seven more pods of 30 percent fit.
 *
 * @param byNode the number for each node with room, by name in node order
 * @param exact whether the number is exact; false for pods of several GPU containers, shares of several GPUs, hardware
 *     partitions, whole GPUs that must be linked, a choice of alternatives, and for pods with rules that concern each other. There it
 *     is a lower bound, found by placing one pod after another, unless it is none at all and that is proven
 * @param extent whether all were counted; if the budget of steps ended before, there may be more
 */
public record Headroom(Map<String, Long> byNode, boolean exact, Extent extent) {
    /** How the names of the pods begin that are counted. */
    private static final String COUNTED = "gpu-sched-headroom.pod-";

    private static final long STEPS_PER_NODE = 10;

    /**
     * How many more groups of a kind can start.
     *
     * @param groups so many were started, one after the other
     * @param exact whether no more can; of none that is so if the refusal is proven
     * @param extent whether one was refused in the end; if the budget of steps ended before, there may be more
     */
    public record Groups(long groups, boolean exact, Extent extent) {
        /** Checks that nothing is missing. */
        public Groups {
            Objects.requireNonNull(extent, "extent");
        }
    }

    /** Copies the map. */
    public Headroom {
        Objects.requireNonNull(extent, "extent");
        Checks.noNulls("byNode", byNode);
        byNode = Collections.unmodifiableMap(new LinkedHashMap<>(byNode));
    }

    /**
     * Counts the groups like this one that can start, each with at least its minimum, one after the other as bin-pack places them.
     *
     * @param budget for all of them; each takes 500 steps for a pod besides its search
     */
    public static Groups of(Cluster cluster, PodGroup group, SearchBudget budget) {
        Objects.requireNonNull(group, "group");
        AnalysisSteps steps = new AnalysisSteps(Objects.requireNonNull(budget, "budget"));
        GpuScheduler scheduler = steps.count(binPack());
        Cluster now = Objects.requireNonNull(cluster, "cluster");
        long count = 0;
        while (steps.areLeft()) {
            GroupDecision decision = scheduler.schedule(now, more(group, count));
            if (!(decision instanceof GroupPlaced placed)) {
                return new Groups(count, count == 0 && decision.certainty() == Certainty.PROVEN, Extent.COMPLETE);
            }
            now = now.withAll(placed.placements());
            count++;
        }
        return new Groups(count, false, Extent.BUDGET_ENDED);
    }

    private static GpuScheduler binPack() {
        return GpuScheduler.builder().policy(BinPack.of()).memory(0).build();
    }

    private static PodGroup more(PodGroup group, long count) {
        List<Role> roles = new ArrayList<>();
        for (Role role : group.roles()) {
            List<Pod> pods = new ArrayList<>();
            for (Pod pod : role.pods()) {
                String name = COUNTED + count + "." + pod.id().name();
                pods.add(pod.withId(new PodId(pod.id().namespace(), name)));
            }
            roles.add(new Role(role.name(), role.minMember(), pods));
        }
        List<PodGroup> groups =
                group.groups().stream().map(child -> more(child, count)).toList();
        String name = group.name() + "-" + count;
        return new PodGroup(name, group.minMember(), roles, group.locality(), groups, group.minGroups());
    }

    /** As {@link #of(Cluster, Pod, SearchBudget)}, within 200 million steps. */
    public static Headroom of(Cluster cluster, Pod pod) {
        return of(cluster, pod, AnalysisSteps.DEFAULT);
    }

    /**
     * Counts the pods like this one that fit, node by node. Nodes in the same state are counted once, unless the pod looks
     * at labels or UUIDs; a node costs O(GPUs) where counting is exact, else
     * O(pods that fit there).
     *
     * @param budget for all of it: a look at a node takes 10 steps, a pod that has to be placed 500 besides its search
     */
    public static Headroom of(Cluster cluster, Pod pod, SearchBudget budget) {
        Objects.requireNonNull(cluster, "cluster");
        Objects.requireNonNull(pod, "pod");
        AnalysisSteps steps = new AnalysisSteps(Objects.requireNonNull(budget, "budget"));
        if (pod.spec().concernsOthers()) {
            return oneByOne(cluster, pod, steps);
        }
        PodDemand demand = new PodDemand(pod).under(RuleCounts.of(cluster));
        GpuScheduler scheduler = steps.count(binPack());
        Object2LongMap<NodeState> known = new Object2LongOpenCustomHashMap<>(Occupancy.STRATEGY);
        boolean alike = pod.nodeSelector().terms().isEmpty() && !demand.looksAtUuids() && !demand.isRuled();
        Map<String, Long> byNode = new LinkedHashMap<>();
        for (NodeState node : cluster.nodes()) {
            if (!steps.areLeft()) {
                break;
            }
            steps.take(STEPS_PER_NODE);
            long count = alike
                    ? known.computeIfAbsent(node, (NodeState any) -> count(any, demand, pod, scheduler, steps))
                    : count(node, demand, pod, scheduler, steps);
            if (count > 0) {
                byNode.put(node.name(), count);
            }
        }
        boolean isExact = PodCapacity.isExact(demand) || byNode.isEmpty() && steps.isProven();
        return new Headroom(byNode, isExact && steps.areLeft(), steps.extent());
    }

    /** What is counted where one pod like this keeps others away, or lets them in. */
    private static Headroom oneByOne(Cluster cluster, Pod pod, AnalysisSteps steps) {
        Map<String, Long> counts = new LinkedHashMap<>();
        for (Placement placement : filled(cluster, pod, steps)) {
            counts.merge(placement.node(), 1L, Long::sum);
        }
        Map<String, Long> byNode = new LinkedHashMap<>();
        for (NodeState node : cluster.nodes()) {
            Long count = counts.get(node.name());
            if (count != null) {
                byNode.put(node.name(), count);
            }
        }
        return new Headroom(byNode, byNode.isEmpty() && steps.isProven() && steps.areLeft(), steps.extent());
    }

    private static List<Placement> filled(Cluster cluster, Pod pod, AnalysisSteps steps) {
        GpuScheduler scheduler = steps.count(binPack());
        List<Placement> filled = new ArrayList<>();
        Cluster now = cluster;
        while (steps.areLeft() && scheduler.schedule(now, more(pod, filled.size())) instanceof Placed placed) {
            filled.add(placed.placement());
            now = now.with(placed.placement());
        }
        return filled;
    }

    /** Whether one of the pod's alternatives fits. */
    private static boolean fitsAtAll(PodDemand demand, NodeState node) {
        for (@Nullable PodDemand one = demand; one != null; one = one.otherwise()) {
            if (FitRule.atAll(one, node) == null) {
                return true;
            }
        }
        return false;
    }

    private static long count(NodeState node, PodDemand demand, Pod pod, GpuScheduler scheduler, AnalysisSteps steps) {
        if (PodCapacity.isExact(demand)) {
            return FitRule.atAll(demand, node) == null ? PodCapacity.of(demand, node) : 0;
        }
        if (!fitsAtAll(demand, node)) {
            return 0;
        }
        NodeState now = node;
        for (long count = 0; ; count++) {
            Optional<Placement> placement = steps.areLeft() ? scheduler.place(now, more(pod, count)) : Optional.empty();
            if (placement.isEmpty()) {
                return count;
            }
            now = now.with(placement.get());
        }
    }

    /**
     * Returns why no more pods like this one fit once all that fit are there: every node under one reason, and as the
     * {@linkplain Diagnosis#remedy() remedy} what would make room for one more at the least. Costs O(pods that fit · log n).
     *
     * <p>Example: nodes of 8 GPUs run nothing, the pod asks for 3 GPUs. Two fit on each node, and the remedy is one idle GPU
     * more on one of them. Where that would be to release one of the pods that were counted, which makes room for no more than it
     * held, the remedy is to add a node.
     */
    public static Diagnosis whyNoMore(Cluster cluster, Pod pod) {
        return whyNoMore(cluster, pod, AnalysisSteps.DEFAULT);
    }

    /**
     * As {@link #whyNoMore(Cluster, Pod)}, within a budget. If it ends before all that fit are there, the certainty is {@link Certainty#LIMIT}
     * and nodes that may have room are counted under {@link Reason.Code#SEARCH_LIMIT}.
     *
     * @param budget each pod that fits takes 1,000 steps of it besides its search
     */
    public static Diagnosis whyNoMore(Cluster cluster, Pod pod, SearchBudget budget) {
        Objects.requireNonNull(cluster, "cluster");
        Objects.requireNonNull(pod, "pod");
        AnalysisSteps steps = new AnalysisSteps(Objects.requireNonNull(budget, "budget"));
        boolean isRuled = new PodDemand(pod).isAffectedBy(RuleCounts.of(cluster));
        List<Placement> filled = isRuled ? filled(cluster, pod, steps) : filledByNode(cluster, pod, steps);
        Pod counted = more(pod, filled.size());
        Cluster full = cluster.withAll(filled);
        GpuScheduler scheduler = binPack();
        Decision decision = scheduler.schedule(full, counted);
        Certainty certainty = decision.isPlaced() ? Certainty.LIMIT : decision.certainty();
        return ofOneMore(
                Diagnoser.diagnose(
                        full,
                        RuleCounts.of(full),
                        new PodDemand(counted),
                        "one more pod like \"" + pod.id() + "\"",
                        certainty,
                        SearchSteps.of(scheduler.budget().steps())),
                filled.stream().map(Placement::pod).collect(Collectors.toSet()));
    }

    /** The diagnosis with a remedy that releases no pod that is only counted. */
    private static Diagnosis ofOneMore(Diagnosis diagnosis, Set<PodId> counted) {
        return new Diagnosis(
                diagnosis.subject(),
                diagnosis.certainty(),
                diagnosis.nodes(),
                diagnosis.reasons().stream().map(Headroom::ofNodesLeft).toList(),
                diagnosis.couldFitLater() || diagnosis.reasons().stream().anyMatch(Headroom::isRoom),
                ofOneMore(diagnosis.remedy(), counted),
                diagnosis.otherwise().stream()
                        .map(other -> ofOneMore(other, counted))
                        .toList());
    }

    /** Whether nodes have room for one more, so that the budget ended before they were full. */
    private static boolean isRoom(Reason reason) {
        return reason.code() == Reason.Code.GROUP;
    }

    private static Reason ofNodesLeft(Reason reason) {
        return isRoom(reason)
                ? new Reason(
                        Reason.Code.SEARCH_LIMIT, reason.nodeNames(), reason.amounts(), reason.facts(), reason.gpus())
                : reason;
    }

    /** Adding nodes instead, where pods that are only counted would have to be released. */
    private static Remedy ofOneMore(Remedy remedy, Set<PodId> counted) {
        List<Change> changes = new ArrayList<>();
        for (Change change : remedy.changes()) {
            if (change instanceof Change.ReleasePods release) {
                List<PodId> real = release.pods().stream()
                        .filter(pod -> !counted.contains(pod))
                        .toList();
                if (real.size() < release.count()) {
                    return new Remedy(List.copyOf(remedy.nodes()), remedy.nodes());
                }
                changes.add(new Change.ReleasePods(release.node(), real, release.count()));
            } else {
                changes.add(change);
            }
        }
        return new Remedy(changes, remedy.nodes());
    }

    /** Fills node by node, which is quicker and comes to the same where pods do not look at each other. */
    private static List<Placement> filledByNode(Cluster cluster, Pod pod, AnalysisSteps steps) {
        GpuScheduler scheduler = steps.count(binPack());
        List<Placement> filled = new ArrayList<>();
        for (NodeState node : cluster.nodes()) {
            NodeState now = node;
            boolean mayTake = true;
            while (mayTake && steps.areLeft()) {
                Optional<Placement> placement = scheduler.place(now, more(pod, filled.size()));
                now = placement.map(now::with).orElse(now);
                placement.ifPresent(filled::add);
                mayTake = placement.isPresent();
            }
        }
        return filled;
    }

    /** Pods of the same namespace, which rules look at, under names that no other pod has. */
    private static Pod more(Pod pod, long count) {
        return pod.withId(new PodId(pod.id().namespace(), COUNTED + count));
    }

    /** Returns how many fit in all; see {@link #exact}. */
    public long pods() {
        return byNode.values().stream().mapToLong(Long::longValue).sum();
    }

    @Override
    public String toString() {
        return (exact ? "" : "at least ") + pods() + " pods on " + byNode.size() + " nodes";
    }
}
