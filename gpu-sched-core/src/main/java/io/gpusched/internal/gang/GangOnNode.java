package io.gpusched.internal.gang;

import io.gpusched.internal.access.NodeAccess;
import io.gpusched.internal.fit.PodCapacity;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.fit.SearchSteps;
import io.gpusched.internal.index.CapacityQuery;
import io.gpusched.internal.index.ClassIndex;
import io.gpusched.internal.index.NodeRange;
import io.gpusched.internal.rank.Occupancy;
import io.gpusched.internal.search.PlacementSearch;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.Resources;
import io.gpusched.policy.PlacementPolicy;
import it.unimi.dsi.fastutil.objects.ObjectOpenCustomHashSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the one node for a whole group: the one that takes the most members, then the one where their scores add up to
 * the most, then the first in node order; of those that were tried.
 */
final class GangOnNode {
    /*
     * On each node members are placed one by one first. Only where that does not get the group started, the exact search
     * looks for those that can start together, and the others follow one by one. Nodes in the same state as one that was
     * tried before cannot do better and are passed by. Once the group has a node, others are tried as long as that takes no more
     * steps than the decision has.
     */

    /** What it takes to find that members of a kind have no room on a node. */
    private static final long STEPS_OF_KIND = 4;

    private final Cluster cluster;
    private final Gang gang;
    private final PlacementPolicy policy;
    private final SearchSteps steps;
    private final @Nullable Set<NodeState> tried;
    private final PlacementSearch search;
    private final GangDomains domains;

    /** How many members of each kind start in any case. */
    private final int[] leasts;

    private @Nullable Attempt best;

    /** The steps that may still be taken to find a better node than the first that starts the group. */
    private long left;

    GangOnNode(PlacementSearch search, Cluster cluster, Gang gang, GangDomains domains, SearchSteps steps) {
        this.domains = domains;
        this.search = search;
        this.cluster = cluster;
        this.gang = gang;
        this.steps = steps;
        this.policy = search.policy();
        this.left = steps.left();
        this.leasts = gang.least();
        boolean differ = gang.kinds().stream()
                .map(MemberKind::demand)
                .anyMatch(demand -> demand.looksAtUuids()
                        || !demand.pod().nodeSelector().terms().isEmpty());
        this.tried = differ || policy.scope() != PlacementPolicy.Scope.OCCUPANCY
                ? null
                : new ObjectOpenCustomHashSet<>(Occupancy.STRATEGY);
    }

    /** Returns the group on its best node within a range, or null if no node there can start it. */
    @Nullable
    GangFill find(NodeRange around) {
        long least = gang.leastBulk().idleGpus();
        CapacityQuery query = CapacityQuery.of(leastResources());
        for (ClassIndex nodes : domains.classes()) {
            nodes.first(query, around, node -> {
                if (best != null && left <= 0) {
                    return true;
                }
                if (node.idleGpus() >= least && (tried == null || tried.add(node)) && hasCapacity(node)) {
                    offer(node);
                }
                return false;
            });
        }
        if (best == null) {
            return null;
        }
        GangFill fill = new GangFill(search, cluster, gang, false, steps);
        best.seats.forEach(seat -> fill.take(seat.member(), seat.placement()));
        fill.stayWithin(best.range);
        return fill;
    }

    /** What the smallest member takes of each resource. */
    private Resources leastResources() {
        long cpuMillis = Resources.MAX;
        long memoryMib = Resources.MAX;
        for (MemberKind kind : gang.kinds()) {
            cpuMillis = Math.min(cpuMillis, kind.demand().resources().cpuMillis());
            memoryMib = Math.min(memoryMib, kind.demand().resources().memoryMib());
        }
        return new Resources(cpuMillis, memoryMib);
    }

    private boolean hasCapacity(NodeState node) {
        for (MemberKind kind : gang.kinds()) {
            int least = leasts[kind.index()];
            if (!steps.take(1) || least > 0 && kind.isCountable() && PodCapacity.of(kind.demand(), node) < least) {
                return false;
            }
        }
        return true;
    }

    private void offer(NodeState node) {
        boolean wasReached = steps.isReached();
        Attempt attempt = new Attempt(node);
        attempt.addAll();
        if (!attempt.canStart() && !gang.isCountable()) {
            steps.retract(wasReached);
            List<Seat> seats = new GangSearch(cluster, gang, steps).find(NodeRange.of(node));
            attempt = new Attempt(node);
            if (seats != null) {
                seats.forEach(attempt::add);
                attempt.addAll();
            }
        }
        if (attempt.canStart() && (best == null || attempt.isBetterThan(best))) {
            best = attempt;
        }
        left -= GangFill.STEPS_PER_SCORE * attempt.seats.size()
                + STEPS_OF_KIND * gang.kinds().size()
                + gang.members().size();
    }

    /** Members on one node. */
    private final class Attempt {
        private final long order;
        private final NodeRange range;
        private final List<Seat> seats = new ArrayList<>();
        private final boolean[] isSeated = new boolean[gang.members().size()];
        private final int[] byKind = new int[gang.kinds().size()];
        private final int[] byRole = new int[gang.roles()];

        /** By kind: whether no more of them find room. */
        private final boolean[] isFull = new boolean[byKind.length];

        private int fullKinds;

        private NodeState now;
        private long score;

        Attempt(NodeState node) {
            this.now = node;
            this.range = NodeRange.of(node);
            this.order = NodeAccess.order(node);
        }

        boolean canStart() {
            return gang.canStart(byKind);
        }

        boolean isBetterThan(Attempt other) {
            if (seats.size() != other.seats.size()) {
                return seats.size() > other.seats.size();
            }
            return score != other.score ? score > other.score : order < other.order;
        }

        /** Adds as many members as go, one by one, the minimum of each role first. */
        void addAll() {
            for (int pass = 0; pass < 2; pass++) {
                for (Member member : gang.members()) {
                    if (fullKinds == isFull.length) {
                        return;
                    }
                    int role = member.kind().role();
                    if (!isSeated[member.index()] && (pass == 1 || byRole[role] < gang.roleMinimum(role))) {
                        addIfItFits(member);
                    }
                }
            }
        }

        private void addIfItFits(Member member) {
            PodDemand demand = member.demand();
            if (isFull[member.kind().index()]) {
                return;
            }
            Placement placement = search.place(now, demand, steps);
            if (placement == null) {
                isFull[member.kind().index()] = true;
                fullKinds++;
                return;
            }
            add(new Seat(member, placement));
        }

        void add(Seat seat) {
            NodeState after = now.with(seat.placement());
            score += policy.score(now, after, seat.member().demand().pod());
            now = after;
            seats.add(seat);
            isSeated[seat.member().index()] = true;
            byKind[seat.member().kind().index()]++;
            byRole[seat.member().kind().role()]++;
        }
    }
}
