package io.gpusched.internal.gang;

import io.gpusched.internal.fit.PodCapacity;
import io.gpusched.internal.fit.SearchSteps;
import io.gpusched.internal.index.ClusterIndex;
import io.gpusched.internal.index.NodeRange;
import io.gpusched.internal.search.PlacementSearch;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Places the members of one group, all that must start together or none. Not thread-safe; one for each decision.
 *
 * <p>The rule: members are placed one by one where the policy likes them best, the minimum of each role first, then
 * everyone in the group's order. If that does not get the group started, the largest members go first; if that does not
 * either, an exact search decides, unless rules between pods are in play. Within domains this is tried domain by domain, the
 * tightest that has room for all first.
 */
public final class GangScheduler {
    /** What it takes to place a member where not much has changed. */
    private static final long STEPS_PER_PLACEMENT = 60;

    private final PlacementSearch search;
    private final Cluster cluster;
    private final Gang gang;
    private final GangDomains domains;

    /** The snapshot in which the members have the most room, where some may go to cordoned nodes. */
    private final Cluster roomiest;

    /** Whether the members cannot be placed with nothing but room in mind. */
    private final boolean isRuled;

    /** For all domains that are tried. */
    private final SearchSteps steps;

    /** The compute that shares of the group take at least. */
    private final long leastShareMillis;

    private boolean isMinimal;

    /**
     * @param steps how many steps the decision may take; the counter says afterwards whether anything was left out
     */
    public GangScheduler(PlacementSearch search, Cluster cluster, Gang gang, SearchSteps steps) {
        this.search = search;
        this.cluster = cluster;
        this.gang = gang;
        this.steps = steps;
        this.leastShareMillis = gang.leastShareMillis();
        this.roomiest = gang.openedForAny(cluster);
        this.isRuled = gang.isRuled(search.rules(cluster)) || isOpened();
        this.domains = new GangDomains(roomiest, gang);
    }

    @SuppressWarnings("ReferenceEquality") // a snapshot that was not opened is the same object
    private boolean isOpened() {
        return roomiest != cluster;
    }

    /** Places the group within a range of the node order. */
    public GangResult schedule(NodeRange around) {
        PodGroup.Locality locality = gang.group().locality();
        GangFill fill = switch (locality.scope()) {
            case ANYWHERE -> within(around);
            case NODE -> onOneNode(around);
            case DOMAIN -> withinOneDomain(around);
        };
        if (!locality.required()) {
            if (fill == null && locality.scope() == PodGroup.Locality.Scope.DOMAIN) {
                fill = overFewDomains(around);
            }
            if (fill == null && locality.scope() != PodGroup.Locality.Scope.ANYWHERE) {
                fill = within(around);
            }
            if (fill != null && !isMinimal && !fill.isComplete()) {
                fill.fill(around);
            }
        }
        return new GangResult(fill, fill != null || !steps.isReached());
    }

    /** Returns this, but placing no more members than the group needs to start. */
    GangScheduler minimal() {
        isMinimal = true;
        return this;
    }

    /** Places the group within a range of the node order, or returns null. */
    private @Nullable GangFill within(NodeRange range) {
        if (!domains.mayStart(range) || !range.isEverywhere() && !(hasCompute(range) && hasCapacity(range))) {
            return null;
        }
        List<Placement> counted = GangCount.place(search, roomiest, gang, range, isMinimal, steps);
        GangFill fill = newFill();
        if (counted != null) {
            return fill.takeAll(counted, range) ? fill : null;
        }
        boolean wasReached = steps.isReached();
        if (fill.fill(range)) {
            return fill;
        }
        if (gang.isCountable() && !isRuled) {
            steps.retract(wasReached);
            return null;
        }
        GangFill largestFirst = newFill();
        if (largestFirst.fill(largestFirst(), range)) {
            return largestFirst;
        }
        steps.take(stepsOf(fill) + stepsOf(largestFirst));
        steps.retract(wasReached);
        return exactly(range);
    }

    /** What it took to place members in vain, in steps; each is looked for among the changes that those before it made. */
    private static long stepsOf(GangFill fill) {
        long placed = fill.placements().size();
        return STEPS_PER_PLACEMENT * placed + 2 * placed * placed;
    }

    private @Nullable GangFill exactly(NodeRange range) {
        List<Seat> seats = new GangSearch(roomiest, gang, steps).find(range);
        if (seats == null) {
            return null;
        }
        if (isRuled) {
            steps.giveUp(); // there is room for the group, but not shown is whether rules between pods leave any
            return null;
        }
        GangFill found = newFill();
        seats.forEach(seat -> found.take(seat.member(), seat.placement()));
        found.fill(range);
        return found;
    }

    private GangFill newFill() {
        return new GangFill(search, cluster, gang, isMinimal, steps);
    }

    /** Whether each kind of which some must start finds room for as many of them, counted kind by kind. */
    private boolean hasCapacity(NodeRange range) {
        int[] leasts = gang.least();
        for (MemberKind kind : gang.kinds()) {
            int least = leasts[kind.index()];
            if (least > 0 && kind.isCountable() && !PodCapacity.isAtLeast(roomiest, kind.demand(), range, least)) {
                return false;
            }
        }
        return true;
    }

    /** Whether what shares take of compute at least is free on all GPUs together. */
    private boolean hasCompute(NodeRange range) {
        long missing = leastShareMillis;
        if (missing > 0) {
            for (NodeState node : ClusterIndex.of(cluster).nodes(range)) {
                for (int g = 0; g < node.gpuCount() && missing > 0; g++) {
                    missing -= node.freeComputeMillis(g);
                }
            }
        }
        return missing <= 0;
    }

    private List<Member> largestFirst() {
        List<Member> members = new ArrayList<>(gang.members());
        members.sort(Comparator.comparing(Member::kind, Gang.LARGEST_FIRST));
        return members;
    }

    private @Nullable GangFill onOneNode(NodeRange around) {
        return isRuled ? ruledOnOneNode(around) : new GangOnNode(search, cluster, gang, domains, steps).find(around);
    }

    /**
     * As {@link GangOnNode}, where rules between pods are in play: no node can be passed by for its state. Once the group has a node,
     * others are tried as long as that takes no more steps than the decision has.
     */
    private @Nullable GangFill ruledOnOneNode(NodeRange around) {
        GangFill best = null;
        long bestScore = 0;
        long left = steps.left();
        for (NodeState node : ClusterIndex.of(cluster).nodes(around)) {
            if (best != null && left <= 0) {
                break;
            }
            left -= STEPS_PER_PLACEMENT * gang.members().size();
            GangFill fill = within(NodeRange.of(node));
            if (fill == null) {
                continue;
            }
            long score = score(node, fill);
            int more = best == null
                    ? 1
                    : fill.placements().size() - best.placements().size();
            if (more > 0 || more == 0 && score > bestScore) {
                best = fill;
                bestScore = score;
            }
        }
        return best;
    }

    private long score(NodeState node, GangFill fill) {
        NodeState now = node;
        long sum = 0;
        for (Placement placement : fill.placements()) {
            NodeState after = now.with(placement);
            sum += search.policy().score(now, after, Pod.of(placement).orElseThrow());
            now = after;
        }
        return sum;
    }

    private @Nullable GangFill withinOneDomain(NodeRange around) {
        String level = gang.group().locality().level();
        for (GangDomains.Candidate candidate : domains.candidates(level, around)) {
            GangFill fill = within(candidate.range());
            if (fill != null || steps.left() == 0 && steps.isReached()) {
                return fill;
            }
        }
        return null;
    }

    /** Places the group domain by domain, the roomiest first; null if that does not get it started. */
    private @Nullable GangFill overFewDomains(NodeRange around) {
        GangFill fill = newFill();
        String level = gang.group().locality().level();
        for (GangDomains.Candidate candidate : domains.roomiestFirst(level, around)) {
            fill.fill(candidate.range());
            if (fill.isComplete()) {
                break;
            }
        }
        return fill.fill(around) ? fill : null;
    }
}
