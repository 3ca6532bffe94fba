package io.gpusched.internal.gang;

import io.gpusched.internal.fit.SearchSteps;
import io.gpusched.internal.fit.SharedValues;
import io.gpusched.internal.index.NodeRange;
import io.gpusched.internal.search.PlacementSearch;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Places a group of groups, all that must start together or nothing. Not thread-safe; one for each decision.
 *
 * <p>The rule: a group looks for its domain as {@link GangScheduler} does, the tightest with room for all of it first. There its
 * groups are started one after the other with as few members as they need, each on the snapshot that those before it leave,
 * then its own members; groups that are not needed may stay away. When all has started, the members beyond the minimum follow,
 * group by group, and then the groups that stayed away. Equal slices are counted instead ({@link GangSlices}).
 */
public final class GangTree {
    /*
     * Taking one group after the other is not exact: a group may take what the next one would have needed. If a group cannot
     * start, its groups are tried once more, the largest first. A refusal is proven only where counting shows it, or where not even
     * all pods as one flat group can start.
     */
    private final PlacementSearch search;
    private final SearchSteps steps;
    private final SharedValues shared;
    private boolean isProven = true;

    /** What it costs to look at a place for a group, and at a member for each group that it is in, in steps. */
    private static final long STEPS_PER_PLACE = 20;

    private final GangFailures failures = new GangFailures();

    /** Groups that have started. */
    private static final class Attempt {
        /** Places of groups that were placed as a whole. */
        private final List<Placement> started;

        /** Places of groups that may take more of their members. */
        private final List<GangFill> fills;

        /** Those of the places that the snapshot does not show yet. */
        private List<Placement> pending;

        private Cluster cluster;

        Attempt(List<Placement> started, List<GangFill> fills, List<Placement> pending, Cluster cluster) {
            this.started = started;
            this.fills = fills;
            this.pending = pending;
            this.cluster = cluster;
        }

        /** The snapshot with all of it. */
        Cluster cluster() {
            if (!pending.isEmpty()) {
                cluster = cluster.withAll(pending);
                pending = List.of();
            }
            return cluster;
        }

        Attempt and(Attempt later) {
            List<Placement> both = new ArrayList<>(started);
            both.addAll(later.started);
            List<GangFill> more = new ArrayList<>(fills);
            more.addAll(later.fills);
            return new Attempt(both, more, later.pending, later.cluster);
        }

        int size() {
            return started.size()
                    + fills.stream().mapToInt(fill -> fill.placements().size()).sum();
        }
    }

    /**
     * What became of a group of groups.
     *
     * @param placements where its pods go; none if it cannot start
     * @param waiting those without a place
     * @param isProven whether it is certain that it cannot start
     */
    public record Result(List<Placement> placements, List<PodId> waiting, boolean isProven) {}

    public GangTree(PlacementSearch search, SharedValues shared, SearchSteps steps) {
        this.search = search;
        this.shared = shared;
        this.steps = steps;
    }

    /** Places a group. */
    public Result schedule(Cluster cluster, PodGroup group) {
        Attempt start = start(cluster, group, NodeRange.EVERYWHERE);
        if (start == null) {
            return new Result(List.of(), List.of(), (isProven || !canStartFlat(cluster, group)) && !steps.isReached());
        }
        List<Placement> placements = new ArrayList<>(start.started);
        Cluster left = start.fills.isEmpty() ? cluster : start.cluster();
        for (GangFill fill : start.fills) {
            left = fill.complete(left);
            placements.addAll(fill.placements());
        }
        Set<PodId> placed = new HashSet<>();
        placements.forEach(placement -> placed.add(placement.pod()));
        List<PodId> waiting = new ArrayList<>();
        for (Pod pod : group.pods()) {
            if (!placed.contains(pod.id())) {
                waiting.add(pod.id());
            }
        }
        return new Result(placements, waiting, true);
    }

    private boolean canStartFlat(Cluster cluster, PodGroup group) {
        Gang flat = new Gang(GangParts.flat(group), shared);
        return new GangScheduler(search, cluster, flat, steps)
                        .schedule(NodeRange.EVERYWHERE)
                        .fill()
                != null;
    }

    private @Nullable Attempt start(Cluster cluster, PodGroup group, NodeRange range) {
        Boolean known = failures.known(cluster, group, range);
        if (known != null) {
            isProven &= known;
            return null;
        }
        boolean wasProven = isProven;
        isProven = true;
        Attempt attempt =
                group.groups().isEmpty() ? startFlat(cluster, group, range) : startGroups(cluster, group, range);
        if (attempt == null) {
            failures.add(cluster, group, range, isProven);
        }
        isProven &= wasProven;
        return attempt;
    }

    private @Nullable Attempt startGroups(Cluster cluster, PodGroup group, NodeRange range) {
        Gang all = new Gang(GangParts.flat(group), shared);
        GangDomains domains = new GangDomains(all.openedForAny(cluster), all);
        List<NodeRange> places = places(cluster, group, domains, range);
        steps.take(STEPS_PER_PLACE * (all.members().size() + places.size()));
        for (NodeRange place : places) {
            boolean may = steps.take(STEPS_PER_PLACE) && domains.mayStart(place);
            Attempt attempt = may ? startWithin(cluster, group, all, place) : null;
            if (attempt != null) {
                return attempt;
            }
        }
        return null;
    }

    /** The ranges to be tried one after the other. */
    private static List<NodeRange> places(Cluster cluster, PodGroup group, GangDomains domains, NodeRange range) {
        List<NodeRange> places = new ArrayList<>();
        PodGroup.Locality locality = group.locality();
        switch (locality.scope()) {
            case ANYWHERE -> places.add(range);
            case DOMAIN ->
                domains.candidates(locality.level(), range).forEach(candidate -> places.add(candidate.range()));
            case NODE -> nodes(cluster, range).forEach(node -> places.add(NodeRange.of(node)));
        }
        if (!locality.required() && locality.scope() != PodGroup.Locality.Scope.ANYWHERE) {
            places.add(range);
        }
        return places;
    }

    private static List<NodeState> nodes(Cluster cluster, NodeRange range) {
        List<NodeState> nodes = new ArrayList<>(cluster.nodes());
        nodes.removeIf(node -> !range.contains(node));
        nodes.sort(Comparator.comparingInt(NodeState::idleGpus));
        return nodes;
    }

    private @Nullable Attempt startFlat(Cluster cluster, PodGroup group, NodeRange range) {
        Gang gang = new Gang(group, shared);
        GangFill fill = new GangScheduler(search, cluster, gang, steps)
                .minimal()
                .schedule(range)
                .fill();
        if (fill == null) {
            return null;
        }
        if (!group.locality().required()) {
            fill.stayWithin(range);
        }
        return new Attempt(List.of(), List.of(fill), List.of(), fill.cluster());
    }

    private @Nullable Attempt startWithin(Cluster cluster, PodGroup group, Gang all, NodeRange range) {
        GangSlices slices = GangSlices.of(search, all.opened(cluster), group, all, steps);
        if (slices != null) {
            List<Placement> placements = slices.place(range);
            return placements == null ? null : new Attempt(placements, List.of(), placements, cluster);
        }
        Attempt greedy = startInTurn(cluster, group, range);
        if (greedy == null) {
            isProven = false; // one group after the other may miss a way
        }
        return greedy;
    }

    private @Nullable Attempt startInTurn(Cluster cluster, PodGroup group, NodeRange range) {
        Attempt inOrder = startAll(cluster, group, group.groups(), range);
        if (inOrder != null) {
            return inOrder;
        }
        List<PodGroup> largestFirst = new ArrayList<>(group.groups());
        largestFirst.sort(Comparator.comparingInt((PodGroup child) -> GangParts.least(child))
                .reversed());
        return startAll(cluster, group, largestFirst, range);
    }

    private @Nullable Attempt startAll(Cluster cluster, PodGroup group, List<PodGroup> children, NodeRange range) {
        Attempt all = new Attempt(List.of(), List.of(), List.of(), cluster);
        int started = 0;
        int left = children.size();
        List<PodGroup> away = new ArrayList<>();
        for (PodGroup child : children) {
            left--;
            boolean isNeeded = started < group.minGroups();
            Attempt attempt = isNeeded ? start(all.cluster(), child, range) : null;
            if (attempt == null) {
                away.add(child);
                if (started + left < group.minGroups()) {
                    return null;
                }
            } else {
                all = all.and(attempt);
                started++;
            }
        }
        if (!group.roles().isEmpty()) {
            Attempt own = startFlat(all.cluster(), GangParts.own(group), range);
            if (own == null && GangParts.roleMinimum(group) > 0) {
                return null;
            }
            all = own == null ? all : all.and(own);
        }
        for (PodGroup child : away) {
            Attempt more = start(all.cluster(), child, range);
            all = more == null ? all : all.and(more);
        }
        return all.size() >= group.minMember() ? all : grown(all, group);
    }

    /** Places members beyond the minimum of each group, where the groups together need more; null if that is not enough. */
    private static @Nullable Attempt grown(Attempt attempt, PodGroup group) {
        Cluster left = attempt.cluster();
        for (GangFill fill : attempt.fills) {
            left = fill.complete(left);
        }
        return attempt.size() >= group.minMember()
                ? new Attempt(attempt.started, attempt.fills, List.of(), left)
                : null;
    }
}
