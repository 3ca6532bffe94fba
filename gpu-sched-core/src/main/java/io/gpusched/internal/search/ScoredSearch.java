package io.gpusched.internal.search;

import io.gpusched.internal.fit.Admission;
import io.gpusched.internal.fit.LayoutSearch;
import io.gpusched.internal.fit.NodeFit;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.index.SnapshotIndex;
import io.gpusched.internal.rank.PolicyLayouts;
import io.gpusched.internal.rank.RankedNode;
import io.gpusched.internal.rank.ScoreCache;
import io.gpusched.internal.rank.StatisticsTracker;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.policy.ClusterAwarePolicy;
import io.gpusched.policy.FirstFit;
import io.gpusched.policy.PlacementPolicy;
import it.unimi.dsi.fastutil.ints.IntList;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds the place that a policy scores highest, from remembered scores where there are any. Not thread-safe.
 *
 * <p>Few nodes are scored one by one. For more, nodes are ranked once for each kind of pod; pods that differ only in their
 * selectors and tolerations share a ranking if the policy looks at occupancy alone, which is gone down until a node admits the pod.
 */
final class ScoredSearch {
    /** This many nodes are scored sooner than a ranking is asked. */
    private static final int QUICKLY_SCORED = 16;

    /** This many nodes that admit a pod are scored one by one where a shared ranking does not lead to one of them soon. */
    private static final int SCORED_WITHOUT_RANKING = 2_048;

    private final PlacementPolicy policy;
    private final @Nullable ScoreCache cache;
    private final ScanEffort effort = new ScanEffort();

    /**
     * @param cache what remembers scores; null if nothing does
     */
    ScoredSearch(PlacementPolicy policy, @Nullable ScoreCache cache) {
        this.policy = policy;
        this.cache = cache;
    }

    /** Forgets what was kept of the ranges that pods of a group were looked for in. */
    void forgetRanges() {
        effort.forget();
        if (cache != null) {
            cache.forgetRanges();
        }
    }

    /** Returns the statistics at the snapshot that the index is at. */
    StatisticsTracker tracker(SnapshotIndex index) {
        Cluster cluster = index.cluster();
        return cache == null || !(policy instanceof ClusterAwarePolicy)
                ? StatisticsTracker.of(policy, cluster)
                : cache.tracker(cluster);
    }

    /** Returns the search that scores one node after the other. */
    ScanSearch scan(Query query) {
        return new ScanSearch(query, policy, tracker(query.index()));
    }

    /** Returns the best placement, or null if no node has room. */
    @Nullable
    Placement best(Query query) {
        IntList few = query.isSelective() ? query.slots(QUICKLY_SCORED) : null;
        if (few != null) {
            return scan(query).bestOf(few);
        }
        ScoreCache scores = mayRank(query.demand()) ? cache : null;
        if (scores == null) {
            return scan(query).best();
        }
        if (!query.range().isEverywhere()) {
            return within(scores, query);
        }
        return query.isSelective() ? selected(scores, query) : ranked(scores, query);
    }

    /** Whether a ranking of nodes serves a pod: what rules between pods admit changes with every pod, how nodes score does not. */
    private boolean mayRank(PodDemand demand) {
        return !(policy instanceof FirstFit)
                && policy.scope() != PlacementPolicy.Scope.POD
                && (!demand.isRuled() || policy.scope() == PlacementPolicy.Scope.OCCUPANCY);
    }

    /*
     * The members of a group are looked for in one range after the other. The first few are compared with its nodes; where that
     * comes to more than it takes to rank these nodes, they are ranked, for as long as the decision takes.
     */
    private @Nullable Placement within(ScoreCache scores, Query query) {
        long most = effort.left(query);
        if (most > 0) {
            ScanSearch search = scan(query).comparingAtMost(most);
            Placement found = search.best();
            effort.add(query, search.compared());
            if (!search.isCutShort()) {
                return found;
            }
        }
        RankedNode shared = shared(scores, query);
        if (shared.isSure()) {
            return placement(query, shared.node());
        }
        return query.demand().isRuled() ? scan(query).best() : ranked(scores, query);
    }

    /** Where rules between pods are in play, the pod gets no ranking of its own: what they admit changes with every pod. */
    private @Nullable Placement selected(ScoreCache scores, Query query) {
        IntList few = query.slots((int) Math.sqrt(query.index().size()) / 2);
        if (few != null) {
            return scan(query).bestOf(few);
        }
        RankedNode shared = shared(scores, query);
        if (shared.isSure()) {
            return placement(query, shared.node());
        }
        IntList some = query.slots(query.demand().isRuled() ? Integer.MAX_VALUE : SCORED_WITHOUT_RANKING);
        return some == null ? ranked(scores, query) : scan(query).bestOf(some);
    }

    /** Goes down the ranking that pods of all selectors share, if the policy allows for one, until a node admits the pod. */
    private RankedNode shared(ScoreCache scores, Query query) {
        if (!query.isSelective() || policy.scope() != PlacementPolicy.Scope.OCCUPANCY) {
            return new RankedNode(null, false);
        }
        PodDemand demand = query.demand();
        Predicate<NodeState> admits = node -> NodeFit.hasResources(demand, node) && Admission.admits(demand, node);
        return scores.best(query.index().cluster(), demand, OldRanges.keys(query.index(), query.range()), admits);
    }

    private @Nullable Placement ranked(ScoreCache scores, Query query) {
        return placement(
                query,
                scores.best(query.index().cluster(), query.demand(), OldRanges.keys(query.index(), query.range())));
    }

    private @Nullable Placement placement(Query query, @Nullable NodeState node) {
        LayoutSearch.Found found = node == null ? null : PolicyLayouts.best(query.demand(), node, policy);
        return found == null ? null : found.placement();
    }
}
