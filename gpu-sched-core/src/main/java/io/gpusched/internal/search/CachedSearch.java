package io.gpusched.internal.search;

import io.gpusched.internal.fit.LayoutSearch;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.score.ScoreCache;
import io.gpusched.internal.score.ShapeRanking;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.policy.PlacementPolicy;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Finds the best placement from remembered scores. */
public final class CachedSearch {
    private final ScoreCache cache;
    private final PlacementPolicy policy;

    /**
     * @param policy one whose scores do not depend on the names of pods
     */
    public CachedSearch(ScoreCache cache, PlacementPolicy policy) {
        this.cache = cache;
        this.policy = policy;
    }

    /**
     * Returns the best placement, or null if no node has room.
     *
     * @param otherwise finds it where it is not quick to tell from what is remembered
     */
    public @Nullable Placement best(Cluster cluster, PodDemand demand, Supplier<@Nullable Placement> otherwise) {
        NodeState node;
        if (demand.isRuled()) {
            ShapeRanking.Match match = cache.bestRuled(cluster, demand);
            if (match.isUnsure()) {
                return otherwise.get();
            }
            node = match.node();
        } else {
            node = cache.best(cluster, demand);
        }
        LayoutSearch.Found found = node == null ? null : LayoutSearch.best(demand, node, policy);
        return found == null ? null : found.placement();
    }
}
