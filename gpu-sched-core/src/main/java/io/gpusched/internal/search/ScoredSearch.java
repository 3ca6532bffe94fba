package io.gpusched.internal.search;

import io.gpusched.internal.fit.FitRule;
import io.gpusched.internal.fit.LayoutSearch;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.index.SnapshotIndex;
import io.gpusched.internal.rank.RankedSlot;
import io.gpusched.internal.rank.RememberedScores;
import io.gpusched.internal.rank.StatisticsTracker;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.policy.FirstFit;
import io.gpusched.policy.PlacementPolicy;
import it.unimi.dsi.fastutil.ints.IntList;
import org.jspecify.annotations.Nullable;

/**
 * Finds the place that a policy scores highest, from remembered scores where there are any. Not thread-safe.
 *
 * <p>Few nodes are scored one by one. For more, nodes are ranked once for each kind of pod; pods that differ only in their
 * selectors and tolerations share a ranking if the policy looks at occupancy alone, which is gone down until a node admits the pod.
 */
final class ScoredSearch {
    /** This many nodes are scored sooner than nodes are ranked. */
    private static final int QUICKLY_SCORED = 16;

    /** This many nodes that admit a pod are scored one by one where a shared ranking does not lead to one of them soon. */
    private static final int SCORED_WITHOUT_RANKING = 2_048;

    private final PlacementPolicy policy;
    private final StatisticsTracker tracker;
    private final @Nullable RememberedScores scores;

    /**
     * @param entries how many scores to remember
     */
    ScoredSearch(PlacementPolicy policy, SnapshotIndex index, long entries) {
        this.policy = policy;
        this.tracker = StatisticsTracker.of(policy, index);
        boolean isRanking = entries > 0 && !(policy instanceof FirstFit) && policy.scope() != PlacementPolicy.Scope.POD;
        this.scores = isRanking ? new RememberedScores(policy, index, tracker, entries) : null;
    }

    /** Forgets what was kept of the ranges that pods of a group were looked for in. */
    void forgetRanges() {
        if (scores != null) {
            scores.forgetPart();
        }
    }

    /** Returns the statistics at the snapshot that the index is at. */
    StatisticsTracker tracker() {
        return tracker;
    }

    /** Returns the search that scores one node after the other. */
    ScanSearch scan(Query query) {
        return new ScanSearch(query, policy, tracker);
    }

    /** Returns the best placement, or null if no node has room. */
    @Nullable
    Placement best(Query query) {
        boolean maySettle = query.isSelective() || !query.range().isEverywhere();
        IntList few = maySettle ? query.slots(QUICKLY_SCORED) : null;
        if (few != null) {
            return scan(query).bestOf(few);
        }
        if (scores == null) {
            return scan(query).best();
        }
        return query.isSelective() ? selected(scores, query) : ranked(scores, query);
    }

    /** Where rules between pods are in play, the pod gets no ranking of its own: what they admit changes with every pod. */
    private @Nullable Placement selected(RememberedScores ranked, Query query) {
        IntList few = query.slots((int) Math.sqrt(query.index().size()) / 2);
        if (few != null) {
            return scan(query).bestOf(few);
        }
        RankedSlot shared = shared(ranked, query);
        if (shared.isSure()) {
            return placement(query, shared.slot());
        }
        IntList some = query.slots(query.demand().isRuled() ? Integer.MAX_VALUE : SCORED_WITHOUT_RANKING);
        return some == null ? ranked(ranked, query) : scan(query).bestOf(some);
    }

    /** Goes down the ranking that pods of all selectors share, if the policy allows for one, until a node admits the pod. */
    private RankedSlot shared(RememberedScores ranked, Query query) {
        PodDemand demand = query.demand();
        return policy.scope() == PlacementPolicy.Scope.OCCUPANCY
                ? ranked.best(demand, query.range(), slot -> {
                    NodeState node = query.index().state(slot);
                    return FitRule.ofState(demand, node) == null && FitRule.ofNode(demand, node) == null;
                })
                : RankedSlot.UNSURE;
    }

    private @Nullable Placement ranked(RememberedScores ranked, Query query) {
        return placement(query, ranked.best(query.demand(), query.range()));
    }

    private @Nullable Placement placement(Query query, int slot) {
        LayoutSearch.Found found = slot < 0
                ? null
                : LayoutSearch.best(query.demand(), query.index().state(slot), policy);
        return found == null ? null : found.placement();
    }
}
