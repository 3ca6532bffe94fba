package io.gpusched.internal.search;

import io.gpusched.internal.fit.Admission;
import io.gpusched.internal.fit.LayoutSearch;
import io.gpusched.internal.fit.NodeFit;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.fit.SearchSteps;
import io.gpusched.internal.index.ClassIndex;
import io.gpusched.internal.index.ClusterIndex;
import io.gpusched.internal.index.NodeRange;
import io.gpusched.internal.score.MarketWatch;
import io.gpusched.internal.score.ScoreCache;
import io.gpusched.internal.score.Scored;
import io.gpusched.internal.score.ShapeScores;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.policy.ClusterAwarePolicy.Prices;
import io.gpusched.policy.PlacementPolicy;
import org.jspecify.annotations.Nullable;

/** Finds the best placement of one pod by a policy, with whatever search serves that policy. Not thread-safe. */
public final class PlacementSearch {
    private static final PodId ANY_OF_SHAPE = new PodId("gpusched.io", "any of this shape");

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
        if (quick && cache != null && range.isEverywhere() && policy.scope() != PlacementPolicy.Scope.POD) {
            return findCached(cache, cluster, demand);
        }
        MarketWatch watch = cache == null ? MarketWatch.of(policy, cluster) : cache.watch(cluster);
        return quick
                ? new ScanSearch(cluster, demand, policy, watch, range).best()
                : new ThoroughSearch(cluster, demand, policy, watch, range, steps).best();
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

    private @Nullable Placement findCached(ScoreCache scoreCache, Cluster cluster, PodDemand demand) {
        ShapeScores scores = scoreCache.scores(cluster, demand, this::scorer);
        Prices prices = scoreCache.watch(cluster).prices(scores.tariff());
        NodeState best = new CachedSearch(cluster, scores, prices).best();
        LayoutSearch.Found found = best == null ? null : LayoutSearch.best(demand, best, policy);
        return found == null ? null : found.placement();
    }

    /** What scores nodes for the shape of a pod: under a name of its own, for the pod itself may run by the time. */
    private ShapeScores.Scorer scorer(PodDemand named, MarketWatch watch) {
        PodDemand demand = new PodDemand(named.pod().withId(ANY_OF_SHAPE));
        boolean asksNodes = !demand.pod().nodeSelector().terms().isEmpty();
        boolean byOccupancy = policy.scope() == PlacementPolicy.Scope.OCCUPANCY && !asksNodes && !demand.looksAtUuids();
        return new ShapeScores.Scorer() {
            @Override
            public boolean byOccupancy() {
                return byOccupancy;
            }

            @Override
            public boolean mayFit(NodeState node) {
                return node.idleGpus() >= demand.mostIdle() && NodeFit.hasResources(demand, node);
            }

            @Override
            public Scored score(NodeState node) {
                boolean admitted = !asksNodes || Admission.admits(demand.pod(), node);
                LayoutSearch.Found found = admitted ? LayoutSearch.best(demand, node, policy) : null;
                return found == null ? Scored.NOTHING : Scored.of(found.score(), watch.key(node, found));
            }
        };
    }
}
