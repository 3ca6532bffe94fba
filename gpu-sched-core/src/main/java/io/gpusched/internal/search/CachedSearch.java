package io.gpusched.internal.search;

import io.gpusched.internal.fit.LayoutSearch;
import io.gpusched.internal.rank.PolicyLayouts;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.index.NodeRange;
import io.gpusched.internal.rank.RankedNode;
import io.gpusched.internal.rank.ScoreCache;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.policy.PlacementPolicy;
import java.util.function.Predicate;
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

    /** Returns the best placement within a range, or null if no node there has room. */
    public @Nullable Placement best(Cluster cluster, PodDemand demand, NodeRange range) {
        return placement(cache.best(cluster, demand, range), demand);
    }

    /**
     * What a search found.
     *
     * @param isSure whether this is the best placement, or none if no node has room
     */
    record Outcome(@Nullable Placement placement, boolean isSure) {}

    /**
     * Returns the best placement on a node of a range that passes a test, if that is found soon; by a policy that
     * looks at occupancy alone.
     *
     * @param admitted which nodes labels and taints admit
     */
    Outcome best(Cluster cluster, PodDemand demand, NodeRange range, Predicate<NodeState> admitted) {
        RankedNode node = cache.best(cluster, demand, range, admitted);
        return new Outcome(node.isSure() ? placement(node.node(), demand) : null, node.isSure());
    }

    private @Nullable Placement placement(@Nullable NodeState node, PodDemand demand) {
        LayoutSearch.Found found = node == null ? null : PolicyLayouts.best(demand, node, policy);
        return found == null ? null : found.placement();
    }
}
