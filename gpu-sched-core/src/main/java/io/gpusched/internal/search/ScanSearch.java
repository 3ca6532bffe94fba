package io.gpusched.internal.search;

import io.gpusched.internal.access.NodeAccess;
import io.gpusched.internal.fit.Admission;
import io.gpusched.internal.fit.LayoutSearch;
import io.gpusched.internal.rank.PolicyLayouts;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.index.CapacityQuery;
import io.gpusched.internal.index.NodeIndex;
import io.gpusched.internal.index.NodeRange;
import io.gpusched.internal.rank.Scored;
import io.gpusched.internal.rank.StatisticsTracker;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.policy.PlacementPolicy;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Finds the best placement of a pod with few layouts by looking at every node that has the CPU and memory. */
public final class ScanSearch {
    private final List<? extends NodeIndex> trees;
    private final PodDemand demand;
    private final PlacementPolicy policy;
    private final boolean firstWins;
    private final StatisticsTracker tracker;
    private final ToLongFunction<Object> penalties;
    private final NodeRange range;

    private LayoutSearch.@Nullable Found best;
    private long bestScore;
    private @Nullable NodeState bestNode;
    private long compared;
    private long most = Long.MAX_VALUE;

    /**
     * @param trees trees that hold all nodes that the pod may ever go to, and perhaps others
     * @param tracker the statistics at this very snapshot
     */
    public ScanSearch(
            List<? extends NodeIndex> trees,
            PodDemand demand,
            PlacementPolicy policy,
            SearchStrategy strategy,
            StatisticsTracker tracker,
            NodeRange range) {
        this.trees = trees;
        this.demand = demand;
        this.policy = policy;
        this.firstWins = strategy == SearchStrategy.FIRST_NODE;
        this.tracker = tracker;
        this.penalties = tracker.penalties(demand.pod());
        this.range = range;
    }

    /** Returns the best placement, or null if no node has room. */
    @Nullable
    public Placement best() {
        for (NodeIndex nodes : trees) {
            Admission.Verdict verdict = Admission.of(demand, nodes.nodeClass());
            if (verdict != Admission.Verdict.NEVER) {
                scan(nodes, verdict == Admission.Verdict.ASK_NODES && !nodes.isOfAdmitted());
            }
        }
        return best == null ? null : best.placement();
    }

    /** Returns the best placement on one of these nodes that admit the pod and have the CPU and memory, or null if none has room. */
    @Nullable
    Placement bestOf(List<NodeState> nodes) {
        for (int i = 0; i < nodes.size(); i++) {
            NodeState node = nodes.get(i);
            if (range.contains(node)) {
                consider(node);
            }
        }
        return best == null ? null : best.placement();
    }

    /** Lets this search be cut short once so many nodes were compared. */
    ScanSearch comparingAtMost(long nodes) {
        most = nodes;
        return this;
    }

    /** Returns how many nodes were compared. */
    long compared() {
        return Math.min(compared, most);
    }

    /** Whether more nodes would have had to be compared, so that what was returned says nothing. */
    boolean isCutShort() {
        return compared > most;
    }

    private void scan(NodeIndex nodes, boolean askLabels) {
        if (!firstWins) {
            scan(nodes, RoomQueries.of(demand), range, askLabels);
            return;
        }
        for (CapacityQuery query : RoomQueries.anyOf(demand, nodes.nodeClass())) {
            scan(nodes, query, bestNode == null ? range : range.before(bestNode), askLabels);
        }
    }

    private void scan(NodeIndex nodes, CapacityQuery query, NodeRange open, boolean askLabels) {
        nodes.first(query, open, node -> {
            boolean better = (!askLabels || Admission.admits(demand, node)) && consider(node);
            return better && firstWins || isCutShort();
        });
    }

    private boolean consider(NodeState node) {
        if (node.idleGpus() < demand.mostIdle() || isCutShort() || ++compared > most) {
            return false;
        }
        LayoutSearch.Found found = PolicyLayouts.best(demand, node, policy);
        if (found == null) {
            return false;
        }
        long score = Scored.net(found.score(), penalties.applyAsLong(tracker.key(node, found)));
        if (bestNode == null
                || score > bestScore
                || score == bestScore && NodeAccess.order(node) < NodeAccess.order(bestNode)) {
            best = found;
            bestScore = score;
            bestNode = node;
            return true;
        }
        return false;
    }
}
