package io.gpusched.internal.search;

import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.fit.SearchSteps;
import io.gpusched.internal.index.ClusterIndex;
import io.gpusched.internal.index.NodeIndex;
import io.gpusched.internal.index.NodeRange;
import io.gpusched.internal.rank.ScoreCache;
import io.gpusched.internal.rank.StatisticsTracker;
import io.gpusched.internal.select.Candidates;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.policy.ClusterAwarePolicy;
import io.gpusched.policy.PlacementPolicy;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Makes the searches by one policy that look at nodes one by one. Not thread-safe. */
final class NodeSearches {
    private final PlacementPolicy policy;
    private final SearchStrategy strategy;
    private final @Nullable ScoreCache cache;

    /**
     * @param cache what remembers the statistics of clusters; null if nothing does
     */
    NodeSearches(PlacementPolicy policy, SearchStrategy strategy, @Nullable ScoreCache cache) {
        this.policy = policy;
        this.strategy = strategy;
        this.cache = cache;
    }

    /** Returns what holds all nodes that a pod may go to, of all nodes or of those that were selected. */
    static List<? extends NodeIndex> indexes(Cluster cluster, @Nullable Candidates selected) {
        return selected == null ? ClusterIndex.of(cluster).classes() : selected.indexes();
    }

    /** Returns the search of these trees for a pod that can be laid out in few ways. */
    ScanSearch scan(Cluster cluster, PodDemand demand, NodeRange range, List<? extends NodeIndex> trees) {
        return new ScanSearch(trees, demand, policy, strategy, tracker(cluster), range);
    }

    /** Returns the search of all nodes for a pod that can be laid out in very many ways. */
    ThoroughSearch thorough(Cluster cluster, PodDemand demand, NodeRange range, SearchSteps steps) {
        return new ThoroughSearch(
                ClusterIndex.of(cluster).classes(), demand, policy, strategy, tracker(cluster), range, steps);
    }

    /** Returns the best place on one of these nodes, which admit the pod, for a pod that can be laid out in few ways. */
    @Nullable
    Placement bestOf(Cluster cluster, PodDemand demand, NodeRange range, @Nullable List<NodeState> nodes) {
        return scan(cluster, demand, range, List.of()).bestOf(Objects.requireNonNull(nodes, "nodes"));
    }

    private StatisticsTracker tracker(Cluster cluster) {
        return cache == null || !(policy instanceof ClusterAwarePolicy)
                ? StatisticsTracker.of(policy, cluster)
                : cache.tracker(cluster);
    }
}
