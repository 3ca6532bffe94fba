package io.gpusched.internal.search;

import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.index.NodeRange;
import io.gpusched.internal.rank.ScoreCache;
import io.gpusched.internal.select.Candidates;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.policy.FirstFit;
import io.gpusched.policy.PlacementPolicy;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Finds the place that a policy scores highest for a pod that can be laid out in few ways, from remembered scores where there
 * are any. Not thread-safe.
 */
final class ScoredSearch {
    /** So many nodes are looked at one by one by policies that score each. */
    private static final int FEW = 16;

    /** So many nodes are scored one by one where a ranking does not help. */
    private static final int MOST_SCORED = 2_048;

    /** So many nodes that turn out to have no room are passed by for the first that has some before nodes are ranked. */
    private static final int MOST_PASSED_BY = 64;

    private final PlacementPolicy policy;
    private final NodeSearches nodes;
    private final @Nullable ScoreCache cache;
    private final ScanEffort effort = new ScanEffort();

    /**
     * @param cache what remembers scores; null if nothing does
     */
    ScoredSearch(PlacementPolicy policy, NodeSearches nodes, @Nullable ScoreCache cache) {
        this.policy = policy;
        this.nodes = nodes;
        this.cache = cache;
    }

    /** Forgets what was kept of the ranges that pods of a group were looked for in. */
    void forgetRanges() {
        effort.forget();
        if (cache != null) {
            cache.forgetRanges();
        }
    }

    /**
     * Returns the best placement within a range, or null if no node there has room.
     *
     * @param selected where to look; null for all nodes
     */
    @Nullable
    Placement best(Cluster cluster, PodDemand demand, NodeRange range, @Nullable Candidates selected) {
        if (selected != null && selected.areAtMost(FEW)) {
            return nodes.bestOf(cluster, demand, range, selected.nodes(FEW));
        }
        ScoreCache scores = policy.scope() == PlacementPolicy.Scope.POD ? null : cache;
        if (!range.isEverywhere()) {
            return within(mayRank(demand) ? scores : null, cluster, demand, range, selected);
        }
        if (scores != null && policy instanceof FirstFit) {
            ScanSearch search = nodes.scan(cluster, demand, range, NodeSearches.indexes(cluster, selected))
                    .comparingAtMost(MOST_PASSED_BY);
            Placement first = search.best();
            if (!search.isCutShort()) {
                return first;
            }
        }
        if (scores != null) {
            return selected == null
                    ? new CachedSearch(scores, policy).best(cluster, demand, range)
                    : remembered(scores, cluster, demand, selected);
        }
        return nodes.scan(cluster, demand, range, NodeSearches.indexes(cluster, selected))
                .best();
    }

    /*
     * The members of a group are looked for in one range after the other. The first few are compared with its nodes; where that
     * comes to more than it takes to rank these nodes, they are ranked, for as long as the decision takes.
     */
    private @Nullable Placement within(
            @Nullable ScoreCache scores,
            Cluster cluster,
            PodDemand demand,
            NodeRange range,
            @Nullable Candidates selected) {
        long most = scores == null ? Long.MAX_VALUE : effort.left(cluster, range, demand);
        if (most > 0) {
            ScanSearch search = nodes.scan(cluster, demand, range, NodeSearches.indexes(cluster, selected))
                    .comparingAtMost(most);
            Placement found = search.best();
            effort.add(range, demand, search.compared());
            if (!search.isCutShort()) {
                return found;
            }
        }
        CachedSearch search = new CachedSearch(Objects.requireNonNull(scores, "scores"), policy);
        CachedSearch.Outcome outcome = shared(search, cluster, demand, range, selected);
        if (outcome.isSure()) {
            return outcome.placement();
        }
        return demand.isRuled()
                ? nodes.scan(cluster, demand, range, NodeSearches.indexes(cluster, selected))
                        .best()
                : search.best(cluster, demand, range);
    }

    /** Whether a ranking of nodes serves a pod: what rules between pods admit changes with every pod, how nodes score does not. */
    private boolean mayRank(PodDemand demand) {
        return !demand.isRuled() || policy.scope() == PlacementPolicy.Scope.OCCUPANCY;
    }

    /** Goes down the ranking that pods of all selectors share, if the policy allows for one, until a node admits the pod. */
    private CachedSearch.Outcome shared(
            CachedSearch search, Cluster cluster, PodDemand demand, NodeRange range, @Nullable Candidates selected) {
        return selected == null || policy.scope() != PlacementPolicy.Scope.OCCUPANCY
                ? new CachedSearch.Outcome(null, false)
                : search.best(cluster, demand, range, selected::admit);
    }

    /*
     * Few nodes are scored one by one. For more the ranking that pods of all selectors share is gone down until a node admits
     * the pod; where that takes too long, the nodes that admit it are scored after all, unless they are very many: then the
     * pod's shape gets a ranking of its own. Not so where rules between pods are in play: what they admit changes with every
     * pod.
     */
    private @Nullable Placement remembered(ScoreCache scores, Cluster cluster, PodDemand demand, Candidates selected) {
        CachedSearch search = new CachedSearch(scores, policy);
        if (selected.areAtMost((int) Math.sqrt(cluster.size()) / 2)) {
            return nodes.bestOf(cluster, demand, NodeRange.EVERYWHERE, selected.nodes(cluster.size()));
        }
        CachedSearch.Outcome outcome = shared(search, cluster, demand, NodeRange.EVERYWHERE, selected);
        if (outcome.isSure()) {
            return outcome.placement();
        }
        List<NodeState> some = selected.nodes(demand.isRuled() ? cluster.size() : MOST_SCORED);
        return some == null
                ? search.best(cluster, demand, NodeRange.EVERYWHERE)
                : nodes.bestOf(cluster, demand, NodeRange.EVERYWHERE, some);
    }
}
