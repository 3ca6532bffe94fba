package io.gpusched.analysis;

import io.gpusched.decision.Decision;
import io.gpusched.decision.Placed;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.ClusterBatch;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The moves of other pods that leave one pod a place: what has to leave, {@link MakeRoom} says; all of it must have another place. */
final class MovesForPod implements MakeRoom.Newcomer, MakeRoom.Victims<List<Placement>> {
    private static final int PROBES = 64;

    /** Small pods find another place more easily, so they move before large ones. */
    private static final Comparator<List<Placement>> FEWEST_FIRST = Comparator.<List<Placement>>comparingInt(List::size)
            .thenComparingInt(MovesForPod::gpus)
            .thenComparing(leaving -> leaving.get(0).pod());

    private final Cluster cluster;
    private final Pod pod;
    private final MoveLimits limits;
    private final MoveOrder order;
    private final AnalysisSteps steps;
    private final GpuScheduler scheduler;
    private final List<List<Placement>> all;
    private int next;
    private List<Move> moves = List.of();

    MovesForPod(
            Cluster cluster,
            Pod pod,
            MoveLimits limits,
            GangIndex gangs,
            MoveOrder order,
            AnalysisSteps steps,
            GpuScheduler scheduler) {
        this.cluster = cluster;
        this.pod = pod;
        this.limits = limits;
        this.order = order;
        this.steps = steps;
        this.scheduler = scheduler;
        this.all = all(gangs);
    }

    /** What may move together, the fewest first. */
    private List<List<Placement>> all(GangIndex gangs) {
        List<List<Placement>> found = new ArrayList<>();
        Set<PodId> met = new HashSet<>();
        for (Placement held : cluster.placements()) {
            if (met.add(held.pod())) {
                List<Placement> one = List.of(held);
                List<Placement> together = limits.movesWholeGroups() ? gangs.whole(cluster, one) : one;
                together.forEach(member -> met.add(member.pod()));
                if (together.stream().allMatch(this::mayMove)) {
                    found.add(together);
                }
            }
        }
        found.sort(FEWEST_FIRST);
        return found;
    }

    private boolean mayMove(Placement held) {
        return Pod.of(held).isPresent() && limits.allows(held);
    }

    /** Returns the moves, in an order in which they can be made; none if they do not help. */
    List<Move> find() {
        MakeRoom.find(cluster, this, this, PROBES);
        return moves;
    }

    @Override
    public MakeRoom.Found find(Cluster others) {
        Decision decision = scheduler.schedule(others, pod);
        return decision instanceof Placed placed
                ? new MakeRoom.Found(List.of(placed.placement()), null)
                : new MakeRoom.Found(List.of(), (Unschedulable) decision);
    }

    @Override
    public boolean isAdmitted(Cluster others, List<Placement> placements) {
        return scheduler.refusal(others, pod, placements.get(0)).isEmpty();
    }

    @Override
    public boolean isSinglePod() {
        return true;
    }

    /** A refusal is no more than that here. */
    @Override
    public boolean needsOthers() {
        return true;
    }

    @Override
    public @Nullable List<Placement> next() {
        return next < all.size() && steps.areLeft() ? all.get(next++) : null;
    }

    @Override
    public List<List<Placement>> all() {
        return steps.areLeft() ? all : List.of();
    }

    @Override
    public List<Placement> placements(List<Placement> victim) {
        return victim;
    }

    @Override
    public List<List<Placement>> dearestFirst(List<List<Placement>> leaving) {
        List<List<Placement>> sorted = new ArrayList<>(leaving);
        sorted.sort(Collections.reverseOrder(FEWEST_FIRST));
        return sorted;
    }

    @Override
    public boolean areAllowed(List<List<Placement>> leaving, List<Placement> placements) {
        List<Placement> from = flat(leaving);
        if (from.size() > limits.most()) {
            return false;
        }
        Optional<List<Placement>> to = from.isEmpty() ? Optional.of(List.of()) : placesOf(from, placements);
        List<Move> ordered = to.map(places -> order.of(cluster, from, places)).orElse(List.of());
        boolean isAllowed = to.isPresent() && ordered.stream().allMatch(limits::allows);
        moves = isAllowed ? ordered : moves;
        return isAllowed;
    }

    private Optional<List<Placement>> placesOf(List<Placement> leaving, List<Placement> newcomer) {
        ClusterBatch batch = cluster.batch();
        leaving.forEach(held -> batch.release(held.pod()));
        newcomer.forEach(batch::place);
        List<Pod> pods =
                leaving.stream().map(held -> Pod.of(held).orElseThrow()).toList();
        return Relocation.of(batch.build(), List.of(), pods, scheduler).placements();
    }

    @Override
    public boolean isCheaper(List<List<Placement>> leaving, List<List<Placement>> other) {
        return flat(leaving).size() < flat(other).size();
    }

    @Override
    public List<List<List<Placement>>> byNode() {
        Map<String, Set<List<Placement>>> byNode = new LinkedHashMap<>();
        for (List<Placement> together : all()) {
            together.forEach(held -> byNode.computeIfAbsent(held.node(), any -> new LinkedHashSet<>())
                    .add(together));
        }
        return byNode.values().stream().map(List::copyOf).toList();
    }

    private static List<Placement> flat(List<List<Placement>> leaving) {
        return leaving.stream().flatMap(List::stream).toList();
    }

    private static int gpus(List<Placement> placements) {
        return placements.stream().mapToInt(held -> held.gpus().size()).sum();
    }
}
