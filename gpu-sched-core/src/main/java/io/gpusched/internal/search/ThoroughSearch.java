package io.gpusched.internal.search;

import io.gpusched.internal.access.NodeAccess;
import io.gpusched.internal.fit.Admission;
import io.gpusched.internal.fit.LayoutEffort;
import io.gpusched.internal.fit.LayoutSearch;
import io.gpusched.internal.rank.PolicyLayouts;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.fit.SearchSteps;
import io.gpusched.internal.index.CapacityQuery;
import io.gpusched.internal.index.ClassIndex;
import io.gpusched.internal.index.NodeRange;
import io.gpusched.internal.rank.Occupancy;
import io.gpusched.internal.rank.Scored;
import io.gpusched.internal.rank.StatisticsTracker;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.policy.PlacementPolicy;
import it.unimi.dsi.fastutil.objects.ObjectOpenCustomHashSet;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Finds the best placement of a pod that a node may take in very many ways: of several GPU containers, or of parts of
 * several GPUs.
 */
final class ThoroughSearch {
    /*
     * Every node gets a few steps first, beyond what it takes to lay the pod out once without looking back; those on which
     * they do not suffice get sixteen times as many, and so on until all are settled or the steps of the decision are used up. So a hard node does not keep others from being looked at,
     * and all rounds together cost little more than the last. Nodes in the same state are looked at once. A policy that
     * can bound its scores passes by the nodes that cannot beat the best so far.
     *
     * Once the steps are used up, nodes that were not looked at yet get a few of a reserve of a quarter as many.
     */
    private static final long FIRST_STEPS = 2_000;

    private static final long LAST_STEPS = 500;

    private static final Comparator<NodeState> AS_IN_TREES = Comparator.comparingInt(
                    (NodeState node) -> NodeAccess.location(node).tree())
            .thenComparingLong(NodeAccess::order);

    private final List<ClassIndex> trees;
    private final PodDemand demand;
    private final PlacementPolicy policy;
    private final SearchStrategy strategy;
    private final StatisticsTracker tracker;
    private final ToLongFunction<Object> penalties;
    private final NodeRange range;
    private final SearchSteps steps;
    private final SearchSteps reserve;
    private final @Nullable Set<NodeState> tried;
    private List<NodeState> unsettled = new ArrayList<>();
    private boolean isCutShort;
    private LayoutSearch.@Nullable Found best;
    private long bestScore;
    private @Nullable NodeState bestNode;

    /**
     * @param trees trees that hold all nodes that the pod may ever go to, and perhaps others
     * @param tracker the statistics at this very snapshot
     */
    ThoroughSearch(
            List<ClassIndex> trees,
            PodDemand demand,
            PlacementPolicy policy,
            SearchStrategy strategy,
            StatisticsTracker tracker,
            NodeRange range,
            SearchSteps steps) {
        this.trees = trees;
        this.demand = demand;
        this.policy = policy;
        this.strategy = strategy;
        this.tracker = tracker;
        this.penalties = tracker.penalties(demand.pod());
        this.range = range;
        this.steps = steps;
        this.reserve = SearchSteps.of(1 + steps.left() / 4);
        boolean alike = policy.scope() == PlacementPolicy.Scope.OCCUPANCY && !demand.looksAtUuids();
        this.tried = alike ? new ObjectOpenCustomHashSet<>(Occupancy.STRATEGY) : null;
    }

    /** Returns the best placement, or null if no node has room; the counter says whether that is certain. */
    @Nullable
    Placement best() {
        for (ClassIndex nodes : trees) {
            Admission.Verdict verdict = Admission.of(demand, nodes.nodeClass());
            if (verdict != Admission.Verdict.NEVER) {
                scan(nodes, verdict == Admission.Verdict.ASK_NODES);
            }
        }
        return settled();
    }

    /**
     * Returns the best placement on one of these nodes that admit the pod and have the CPU and memory, some of which may be there several times; or null if
     * none has room. They are looked at in the same order as all nodes would be.
     */
    @Nullable
    @SuppressWarnings("ReferenceEquality") // one node that is there several times is one object
    Placement bestOf(List<NodeState> nodes) {
        boolean firstWins = strategy == SearchStrategy.FIRST_NODE;
        List<NodeState> sorted = new ArrayList<>(nodes);
        sorted.sort(AS_IN_TREES);
        NodeState last = null;
        for (NodeState node : sorted) {
            boolean open = node != last && range.contains(node);
            last = node;
            if (open && (!firstWins || bestNode == null || NodeAccess.order(node) < NodeAccess.order(bestNode))) {
                look(node);
            }
            if (isCutShort) {
                break;
            }
        }
        return settled();
    }

    private @Nullable Placement settled() {
        for (long each = FIRST_STEPS * 16; !unsettled.isEmpty() && steps.left() > 0; each *= 16) {
            List<NodeState> again = unsettled;
            unsettled = new ArrayList<>();
            for (NodeState node : again) {
                consider(node, each);
            }
        }
        if (!unsettled.isEmpty() || isCutShort) {
            steps.giveUp();
        }
        return best == null ? null : best.placement();
    }

    private void scan(ClassIndex nodes, boolean askLabels) {
        boolean firstWins = strategy == SearchStrategy.FIRST_NODE;
        NodeRange open = firstWins && bestNode != null ? range.before(bestNode) : range;
        nodes.first(CapacityQuery.of(demand.resources()), open, node -> {
            boolean better = (!askLabels || Admission.admits(demand, node)) && look(node);
            return better && firstWins || isCutShort;
        });
    }

    private boolean look(NodeState node) {
        return node.idleGpus() >= demand.mostIdle()
                && (tried == null || tried.add(node))
                && consider(node, FIRST_STEPS);
    }

    private boolean consider(NodeState node, long each) {
        SearchSteps source = steps.left() > 0 ? steps : reserve;
        long allowed =
                Math.min(source.left(), source == steps ? each + LayoutEffort.leastSteps(demand, node) : LAST_STEPS);
        if (allowed == 0) {
            isCutShort = true;
            return false;
        }
        SearchSteps mine = source.atMost(allowed);
        mine.take(1);
        LayoutSearch.Found found = PolicyLayouts.better(demand, node, policy, toBeat(node), mine);
        source.spend(allowed, mine);
        if (mine.isReached()) {
            unsettled.add(node);
        }
        return found != null && take(node, found);
    }

    /** The score that a way on this node has to exceed; {@link Long#MIN_VALUE} where any may do. */
    private long toBeat(NodeState node) {
        if (bestNode == null || tracker.isAware()) {
            return Long.MIN_VALUE;
        }
        return bestScore > Long.MIN_VALUE && NodeAccess.order(node) < NodeAccess.order(bestNode)
                ? bestScore - 1
                : bestScore;
    }

    private boolean take(NodeState node, LayoutSearch.Found found) {
        long score = Scored.net(found.score(), penalties.applyAsLong(tracker.key(node, found)));
        if (bestNode != null
                && (score < bestScore || score == bestScore && NodeAccess.order(node) > NodeAccess.order(bestNode))) {
            return false;
        }
        best = found;
        bestScore = score;
        bestNode = node;
        return true;
    }
}
