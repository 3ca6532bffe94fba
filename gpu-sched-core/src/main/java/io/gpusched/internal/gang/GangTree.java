package io.gpusched.internal.gang;

import io.gpusched.internal.fit.SearchSteps;
import io.gpusched.internal.fit.SharedValues;
import io.gpusched.internal.index.SlotRange;
import io.gpusched.internal.index.SnapshotIndex;
import io.gpusched.internal.search.PlacementSearch;
import io.gpusched.model.Cluster;
import io.gpusched.model.GroupMembership;
import io.gpusched.model.Locality;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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

    /** Of each group what its own members are members of. */
    private IdentityHashMap<PodGroup, GroupMembership> memberships = new IdentityHashMap<>();

    /** Whether it is certain that the group last tried cannot start. */
    private boolean isRefusalProven = true;

    /** Whether all members of groups that started stand where the policy ranks them best. */
    private boolean isBest = true;

    /** Refusals and whether they are proven: groups around a group may ask for the same place again and again. */
    private final Map<Failure, Boolean> failures = new HashMap<>();

    /** A group that could not start within a range of a snapshot; equal if group and snapshot are the same objects. */
    private record Failure(Cluster cluster, PodGroup group, SlotRange range) {
        @Override
        @SuppressWarnings("ReferenceEquality") // quicker than to compare all pods
        public boolean equals(@Nullable Object other) {
            return other instanceof Failure failure
                    && cluster == failure.cluster
                    && group == failure.group
                    && range.equals(failure.range);
        }

        @Override
        public int hashCode() {
            return Objects.hash(System.identityHashCode(cluster), System.identityHashCode(group), range);
        }
    }

    /**
     * What became of a group of groups.
     *
     * @param placements where its pods go; none if it cannot start
     * @param waiting those without a place
     * @param isProven of a refusal whether it is certain; else as in {@link GangResult}
     */
    public record Result(List<Placement> placements, List<PodId> waiting, boolean isProven) {}

    public GangTree(PlacementSearch search, SharedValues shared, SearchSteps steps) {
        this.search = search;
        this.shared = shared;
        this.steps = steps;
    }

    /** Places a group. */
    public Result schedule(Cluster cluster, PodGroup group) {
        memberships = GangMemberships.byGroup(group);
        List<GangFill> started = start(cluster, group, SlotRange.EVERYWHERE);
        if (started == null) {
            boolean isProven = isRefusalProven || !canStartFlat(cluster, group);
            return new Result(List.of(), List.of(), isProven && !steps.isReached());
        }
        if (!started.stream().allMatch(GangFill::isComplete)) {
            complete(after(cluster, started), started);
        }
        List<Placement> placements = new ArrayList<>();
        started.forEach(fill -> placements.addAll(fill.placements()));
        Set<PodId> placed = new HashSet<>();
        placements.forEach(placement -> placed.add(placement.pod()));
        List<PodId> waiting = group.pods().stream()
                .map(Pod::id)
                .filter(pod -> !placed.contains(pod))
                .toList();
        return new Result(placements, waiting, isBest && !steps.isReached());
    }

    /** Returns the snapshot with what has started last, which was on the snapshot with all that started before. */
    private static Cluster after(Cluster cluster, List<GangFill> started) {
        return started.isEmpty() ? cluster : started.get(started.size() - 1).cluster();
    }

    /** Places the members beyond the minimum of each group. */
    private static void complete(Cluster left, List<GangFill> started) {
        Cluster now = left;
        for (GangFill fill : started) {
            now = fill.complete(now);
        }
    }

    /** Returns a group, or a form of it, taken apart. */
    private Gang gang(PodGroup group, PodGroup form) {
        return new Gang(
                form, memberships.getOrDefault(group, GroupMembership.of(form.name(), form.locality())), shared);
    }

    private boolean canStartFlat(Cluster cluster, PodGroup group) {
        Gang flat = gang(group, GangParts.flat(group));
        return new GangScheduler(search, cluster, flat, steps)
                        .schedule(SlotRange.EVERYWHERE)
                        .fill()
                != null;
    }

    /** Starts a group; null if it cannot start. */
    private @Nullable List<GangFill> start(Cluster cluster, PodGroup group, SlotRange range) {
        Failure failure = new Failure(cluster, group, range);
        Boolean known = failures.get(failure);
        if (known != null) {
            isRefusalProven &= known;
            return null;
        }
        boolean wasProven = isRefusalProven;
        isRefusalProven = true;
        List<GangFill> started =
                group.groups().isEmpty() ? startFlat(cluster, group, range) : startGroups(cluster, group, range);
        if (started == null) {
            failures.put(failure, isRefusalProven);
        }
        isRefusalProven &= wasProven;
        return started;
    }

    private @Nullable List<GangFill> startFlat(Cluster cluster, PodGroup group, SlotRange range) {
        Gang gang = gang(group, group);
        GangResult result =
                new GangScheduler(search, cluster, gang, steps).minimal().schedule(range);
        GangFill fill = result.fill();
        if (fill == null) {
            return null;
        }
        isBest &= result.isProven();
        if (!group.locality().required()) {
            fill.stayWithin(range);
        }
        return List.of(fill);
    }

    private @Nullable List<GangFill> startGroups(Cluster cluster, PodGroup group, SlotRange range) {
        Gang all = gang(group, GangParts.flat(group));
        GangDomains domains = new GangDomains(search, cluster, all);
        List<SlotRange> places = places(cluster, all, domains, range);
        steps.take(GangBounds.STEPS_PER_DOMAIN * (all.members().size() + places.size()));
        for (SlotRange place : places) {
            boolean may = steps.take(GangBounds.STEPS_PER_DOMAIN) && domains.mayStart(place);
            List<GangFill> started = may ? startWithin(cluster, group, all, place) : null;
            if (started != null) {
                return started;
            }
        }
        return null;
    }

    /** The ranges to be tried one after the other. */
    private List<SlotRange> places(Cluster cluster, Gang all, GangDomains domains, SlotRange around) {
        List<SlotRange> places = new ArrayList<>();
        Locality locality = all.group().locality();
        SlotRange home = GangHome.of(search, cluster, all);
        if (home != null && !locality.required()) {
            places.add(home.and(around));
        }
        SlotRange range = home != null && locality.required() ? around.and(home) : around;
        switch (locality.scope()) {
            case ANYWHERE -> {}
            case DOMAIN ->
                domains.candidates(locality.level(), range).forEach(candidate -> places.add(candidate.range()));
            case NODE -> {
                SnapshotIndex index = search.index(cluster);
                index.nodes(range).stream()
                        .sorted(Comparator.comparingInt(NodeState::idleGpus))
                        .forEach(node -> places.add(SlotRange.of(index.slot(node.name()))));
            }
        }
        if (!locality.required()) {
            places.add(range);
        }
        return places;
    }

    private @Nullable List<GangFill> startWithin(Cluster cluster, PodGroup group, Gang all, SlotRange range) {
        GangSlices slices = GangSlices.of(search, cluster, group, all, steps);
        if (slices != null) {
            List<Placement> placements = slices.place(range);
            return placements == null ? null : List.of(taken(cluster, all, placements));
        }
        List<PodGroup> largestFirst = new ArrayList<>(group.groups());
        largestFirst.sort(Comparator.comparingInt((PodGroup child) -> GangParts.least(child))
                .reversed());
        for (List<PodGroup> children : List.of(group.groups(), largestFirst)) {
            List<GangFill> started = startAll(cluster, group, children, range);
            if (started != null) {
                return started;
            }
        }
        isRefusalProven = false;
        return null;
    }

    /** Takes the places of all that starts; no other member will follow. */
    private GangFill taken(Cluster cluster, Gang all, List<Placement> placements) {
        GangFill fill = new GangFill(search, cluster, all, steps);
        fill.takeAll(placements, new SlotRange(0, 0));
        return fill;
    }

    private @Nullable List<GangFill> startAll(
            Cluster cluster, PodGroup group, List<PodGroup> children, SlotRange range) {
        List<GangFill> all = new ArrayList<>();
        List<PodGroup> away = new ArrayList<>();
        int needed = group.minGroups();
        int left = children.size();
        for (PodGroup child : children) {
            left--;
            List<GangFill> started = needed > 0 ? start(after(cluster, all), child, range) : null;
            if (started == null) {
                away.add(child);
            } else {
                all.addAll(started);
                needed--;
            }
            if (needed > left) {
                return null;
            }
        }
        if (!group.roles().isEmpty()) {
            List<GangFill> own = startFlat(after(cluster, all), GangParts.own(group), range);
            if (own == null && GangParts.roleMinimum(group) > 0) {
                return null;
            }
            all.addAll(own == null ? List.of() : own);
        }
        for (PodGroup child : away) {
            List<GangFill> more = start(after(cluster, all), child, range);
            all.addAll(more == null ? List.of() : more);
        }
        if (size(all) < group.minMember()) {
            complete(after(cluster, all), all);
        }
        return size(all) < group.minMember() ? null : all;
    }

    private static int size(List<GangFill> started) {
        return started.stream().mapToInt(fill -> fill.placements().size()).sum();
    }
}
