package io.gpusched.internal.search;

import io.gpusched.internal.fit.Admission;
import io.gpusched.internal.fit.LayoutSearch;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.fit.SearchSteps;
import io.gpusched.internal.index.ClassIndex;
import io.gpusched.internal.index.ClusterIndex;
import io.gpusched.internal.index.NodeRange;
import io.gpusched.internal.score.ScoreCache;
import io.gpusched.internal.score.StatisticsTracker;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.policy.RandomFit;
import org.jspecify.annotations.Nullable;

/** Finds the best placement of one pod by a policy, with whatever search serves that policy. Not thread-safe. */
public final class PlacementSearch {
    private final PlacementPolicy policy;
    private final SearchStrategy strategy;
    private final @Nullable ScoreCache cache;
    private final long cacheEntries;

    private PlacementSearch(PlacementPolicy policy, long cacheEntries) {
        this.policy = policy;
        this.strategy = SearchStrategy.of(policy);
        this.cacheEntries = cacheEntries;
        this.cache = cacheEntries == 0 ? null : new ScoreCache(policy, cacheEntries);
    }

    /** Returns the search for this policy that remembers about this many node scores; 0 for none. */
    public static PlacementSearch of(PlacementPolicy policy, long cacheEntries) {
        return new PlacementSearch(policy, cacheEntries);
    }

    /** Returns the policy. */
    public PlacementPolicy policy() {
        return policy;
    }

    /** Returns how it finds the best node. */
    public SearchStrategy strategy() {
        return strategy;
    }

    /** Returns how many node scores it remembers. */
    public long cacheEntries() {
        return cacheEntries;
    }

    /** Returns the best way to place a pod on this one node, or null if there is none. */
    public @Nullable Placement place(NodeState node, PodDemand demand, SearchSteps steps) {
        LayoutSearch.Found found = Admission.of(demand, node) ? LayoutSearch.best(demand, node, policy, steps) : null;
        return found == null ? null : found.placement();
    }

    /**
     * Returns the best placement within a range of the node order, or null; whether anything was left out for want of
     * steps, the counter says.
     */
    public @Nullable Placement find(Cluster cluster, PodDemand demand, NodeRange range, SearchSteps steps) {
        if (strategy == SearchStrategy.TIGHTEST_ROOM && TreeSearch.canServe(cluster, demand)) {
            return new TreeSearch(cluster, demand, range).tightest();
        }
        boolean quick = isQuick(cluster, demand);
        if (quick && strategy == SearchStrategy.DRAWN_NODE && range.isEverywhere()) {
            return new RandomSearch(cluster, demand, (RandomFit) policy).draw();
        }
        if (quick && cache != null && range.isEverywhere() && policy.scope() != PlacementPolicy.Scope.POD) {
            return new CachedSearch(cache, policy).best(cluster, demand);
        }
        StatisticsTracker tracker = cache == null ? StatisticsTracker.of(policy, cluster) : cache.tracker(cluster);
        return quick
                ? new ScanSearch(cluster, demand, policy, tracker, range).best()
                : new ThoroughSearch(cluster, demand, policy, tracker, range, steps).best();
    }

    /** Whether no node has so many ways to lay the pod out that steps have to be counted. */
    private static boolean isQuick(Cluster cluster, PodDemand demand) {
        for (ClassIndex nodes : ClusterIndex.of(cluster).classes()) {
            if (!LayoutSearch.isQuick(demand, nodes.nodeClass())) {
                return false;
            }
        }
        return true;
    }
}
