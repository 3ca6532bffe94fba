package io.gpusched.internal.search;

import io.gpusched.internal.fit.Admission;
import io.gpusched.internal.fit.AllocationPool;
import io.gpusched.internal.fit.LayoutSearch;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.index.NodeRange;
import io.gpusched.internal.score.ScoreCache;
import io.gpusched.internal.score.StatisticsTracker;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.policy.BinPack;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.policy.RandomFit;
import io.gpusched.workload.Pod;
import org.jspecify.annotations.Nullable;

/** Finds the best placement of one pod by a policy, with whatever search serves that policy. Not thread-safe. */
public final class PlacementSearch {
    private final PlacementPolicy policy;
    private final @Nullable ScoreCache cache;
    private final AllocationPool allocations = new AllocationPool();

    private PlacementSearch(PlacementPolicy policy, @Nullable ScoreCache cache) {
        this.policy = policy;
        this.cache = cache;
    }

    /** Returns the search for this policy that remembers about this many node scores; 0 for none. */
    public static PlacementSearch of(PlacementPolicy policy, long cacheEntries) {
        return new PlacementSearch(policy, cacheEntries == 0 ? null : new ScoreCache(policy, cacheEntries));
    }

    /** Returns the policy. */
    public PlacementPolicy policy() {
        return policy;
    }

    /** Returns where allocations come from. */
    public AllocationPool allocations() {
        return allocations;
    }

    /** Returns a pod's request, taken apart. */
    public PodDemand demand(Pod pod) {
        return new PodDemand(pod, allocations);
    }

    /** Returns the best way to place a pod on this one node, or null if there is none. */
    public @Nullable Placement place(NodeState node, Pod pod) {
        PodDemand demand = demand(pod);
        LayoutSearch.Found found = Admission.of(demand, node) ? LayoutSearch.best(demand, node, policy) : null;
        return found == null ? null : found.placement();
    }

    /** Returns the best placement within a range of the node order, or null. */
    public @Nullable Placement find(Cluster cluster, PodDemand demand, NodeRange range) {
        if (policy instanceof BinPack && TreeSearch.canServe(cluster, demand)) {
            return new TreeSearch(cluster, demand, range).tightest();
        }
        if (policy instanceof RandomFit random && range.isEverywhere()) {
            return new RandomSearch(cluster, demand, random).draw();
        }
        if (cache != null && range.isEverywhere() && policy.scope() != PlacementPolicy.Scope.POD) {
            return new CachedSearch(cache, policy).best(cluster, demand);
        }
        StatisticsTracker tracker =
                cache == null ? StatisticsTracker.of(policy, cluster) : cache.tracker(cluster);
        return new ScanSearch(cluster, demand, policy, tracker, range).best();
    }
}
