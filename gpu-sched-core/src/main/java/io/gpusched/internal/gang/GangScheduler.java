package io.gpusched.internal.gang;

import io.gpusched.internal.fit.Occupancy;
import io.gpusched.internal.fit.PodCapacity;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.fit.SearchSteps;
import io.gpusched.internal.index.SlotRange;
import io.gpusched.internal.search.PlacementSearch;
import io.gpusched.model.Cluster;
import io.gpusched.model.Locality;
import io.gpusched.model.Locality.Scope;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.workload.Pod;
import it.unimi.dsi.fastutil.objects.ObjectOpenCustomHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Places the members of one group, all that must start together or none. Not thread-safe; one for each decision.
 *
 * <p>The rule: members are placed one by one where the policy ranks them best, the minimum of each role first, then
 * everyone in the group's order. If that does not get the group started, the largest members go first; if that does not
 * either, an exact search decides, unless rules between pods are in play. Within domains this is tried domain by domain, the
 * tightest that has room for all first. On one node it is tried node by node: the one that takes the most members is
 * taken, then the one where their scores add up to most, then the first.
 */
public final class GangScheduler {
    private final PlacementSearch search;
    private final Cluster cluster;
    private final Gang gang;
    private final GangDomains domains;

    /** Whether the members cannot be placed with nothing but room in mind. */
    private final boolean isRuled;

    /** For all domains that are tried. */
    private final SearchSteps steps;

    private boolean isMinimal;

    /** Whether an exact search, which looks at room alone, has found places. */
    private boolean isSearched;

    /**
     * @param steps how many steps the decision may take; the counter says afterwards whether anything was left out
     */
    public GangScheduler(PlacementSearch search, Cluster cluster, Gang gang, SearchSteps steps) {
        this.search = search;
        this.cluster = cluster;
        this.gang = gang;
        this.steps = steps;
        this.isRuled = gang.isRuled(search.rules(cluster));
        this.domains = new GangDomains(search, cluster, gang);
    }

    /** Returns this, but placing no more members than the group needs to start. */
    GangScheduler minimal() {
        isMinimal = true;
        return this;
    }

    /** Places the group within a range of the node order. */
    public GangResult schedule(SlotRange around) {
        Locality locality = gang.group().locality();
        SlotRange home = GangHome.of(search, cluster, gang);
        if (home != null && !locality.required()) {
            return new GangResult(nearHome(home, around), !steps.isReached() && !isSearched);
        }
        SlotRange place = home == null ? around : around.and(home);
        GangFill fill = switch (locality.scope()) {
            case ANYWHERE -> within(place);
            case NODE -> onOneNode(place);
            case DOMAIN -> withinOneDomain(place);
        };
        if (!locality.required() && locality.scope() != Scope.ANYWHERE) {
            if (fill == null && locality.scope() == Scope.DOMAIN) {
                fill = overFewDomains(around);
            }
            fill = fill == null ? within(around) : fill;
            if (fill != null && !isMinimal && !fill.isComplete()) {
                fill.fill(around);
            }
        }
        return new GangResult(fill, !steps.isReached() && !(fill != null && isSearched));
    }

    /** Places the group within a range of the node order, or returns null. */
    private @Nullable GangFill within(SlotRange range) {
        return domains.mayStart(range) ? inRange(range) : null;
    }

    private @Nullable GangFill inRange(SlotRange range) {
        if (gang.isCountable()) {
            PodDemand demand = gang.kinds().get(0).demand();
            if (GangCount.serves(search, cluster, demand)) {
                return counted(range);
            }
            boolean mayStart =
                    range.isEverywhere() || search.count(cluster, demand, range, gang.required()) >= gang.required();
            return mayStart ? oneByOneOrExactly(range, null) : null;
        }
        if (range.isEverywhere()) {
            return oneByOneOrExactly(range, null);
        }
        List<NodeState> nodes = search.index(cluster).nodes(range);
        if (!SumBound.mayStart(gang, nodes)) {
            return null;
        }
        GangSearch exact = new GangSearch(gang, nodes, steps);
        return exact.mayStart() ? oneByOneOrExactly(range, exact) : null;
    }

    /**
     * Places the members one by one, and if that does not get the group started by the exact search.
     *
     * @param exact the search of the range; null if it was not made yet
     */
    private @Nullable GangFill oneByOneOrExactly(SlotRange range, @Nullable GangSearch exact) {
        boolean wasReached = steps.isReached();
        GangFill fill = newFill();
        if (fill.fill(range)) {
            return fill;
        }
        if (gang.isCountable() && !isRuled) {
            steps.retract(wasReached);
            return null;
        }
        GangFill largestFirst = newFill();
        if (gang.kinds().size() > 1 && largestFirst.fillInOrder(Gang.LARGEST_FIRST, range)) {
            return largestFirst;
        }
        GangFill smallestFirst =
                newFill(); // the exact search does not know rules: the smallest leave most room for others
        if (isRuled && gang.kinds().size() > 1 && smallestFirst.fillInOrder(Gang.LARGEST_FIRST.reversed(), range)) {
            return smallestFirst;
        }
        steps.take(stepsOf(fill) + stepsOf(largestFirst) + stepsOf(smallestFirst));
        steps.retract(wasReached);
        return exactly(
                range,
                exact == null ? new GangSearch(gang, search.index(cluster).nodes(range), steps) : exact);
    }

    private @Nullable GangFill counted(SlotRange range) {
        GangCount count = new GangCount(search, cluster, gang.kinds().get(0).demand(), steps);
        int most = isMinimal ? gang.required() : gang.members().size();
        GangFill fill = newFill();
        return fill.takeAll(count.places(gang.members().subList(0, most), count.nodes(range, most)), range)
                ? fill
                : null;
    }

    private @Nullable GangFill exactly(SlotRange range, GangSearch exact) {
        Assignment found = exact.find();
        if (found == null) {
            return null;
        }
        if (isRuled) {
            steps.giveUp(); // there is room, but it is not shown whether rules between pods leave any
            return null;
        }
        isSearched = true;
        GangFill fill = newFill();
        found.addTo(fill);
        fill.fill(range);
        return fill;
    }

    /** Returns what it took to place members in vain, in steps; each is looked for among the changes that those before it made. */
    private static long stepsOf(GangFill fill) {
        long placed = fill.placements().size();
        return GangBounds.STEPS_PER_MEMBER * placed + 2 * placed * placed;
    }

    private GangFill newFill() {
        return new GangFill(search, cluster, gang, isMinimal, steps);
    }

    /*
     * Nodes in the same state as one that was tried before cannot do better and are passed by. Once the group has a node, others
     * are tried as long as that takes no more steps than the decision has.
     */
    private @Nullable GangFill onOneNode(SlotRange around) {
        GangFill best = null;
        long bestScore = 0;
        long left = steps.left();
        Set<NodeState> tried = hasLikeNodes() ? new ObjectOpenCustomHashSet<>(Occupancy.STRATEGY) : null;
        for (NodeState node : search.index(cluster).nodes(around)) {
            if (best != null && left <= 0) {
                break;
            }
            boolean mayStart = mayStart(node) && (tried == null || tried.add(node));
            GangFill fill =
                    mayStart ? inRange(SlotRange.of(search.index(cluster).slot(node.name()))) : null;
            if (fill == null) {
                continue;
            }
            left -= GangBounds.STEPS_PER_MEMBER * gang.members().size();
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

    /** Returns whether counts leave it open that the group can start on a node. */
    private boolean mayStart(NodeState node) {
        return domains.mayStart(node)
                && (!gang.isCountable() || PodCapacity.of(gang.kinds().get(0).demand(), node) >= gang.required());
    }

    /** Whether nodes in the same state do for members what one of them does. */
    private boolean hasLikeNodes() {
        return !isRuled
                && search.policy().scope() == PlacementPolicy.Scope.OCCUPANCY
                && !gang.looksAtUuids()
                && gang.kinds().stream()
                        .allMatch(kind ->
                                kind.demand().pod().nodeSelector().terms().isEmpty());
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

    private @Nullable GangFill withinOneDomain(SlotRange around) {
        String level = gang.group().locality().level();
        for (GangDomains.Candidate candidate : domains.candidates(level, around)) {
            GangFill fill = inRange(candidate.range());
            if (fill != null || steps.left() == 0 && steps.isReached()) {
                return fill;
            }
        }
        return null;
    }

    /** Places members where most of those run that run already, which is preferred, and the others as a group without any that run. */
    private @Nullable GangFill nearHome(SlotRange home, SlotRange around) {
        GangFill fill = overFewDomains(around, home.and(around));
        return fill == null ? within(around) : fill;
    }

    private @Nullable GangFill overFewDomains(SlotRange around) {
        return overFewDomains(around, new SlotRange(0, 0));
    }

    /** Places the group domain by domain, one before the others, and of these the roomiest first; null if that does not get it started. */
    private @Nullable GangFill overFewDomains(SlotRange around, SlotRange first) {
        GangFill fill = newFill();
        fill.fill(first);
        List<GangDomains.Candidate> candidates =
                domains.roomiestFirst(gang.group().locality().level(), around);
        for (int i = 0; i < candidates.size() && !fill.isComplete(); i++) {
            fill.fill(candidates.get(i).range());
        }
        return fill.fill(around) ? fill : null;
    }
}
