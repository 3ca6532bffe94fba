package io.gpusched.internal.rank;

import io.gpusched.internal.fit.LayoutSearch;
import io.gpusched.internal.index.ClassIndex;
import io.gpusched.internal.index.ClusterIndex;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.policy.ClusterAwarePolicy;
import io.gpusched.policy.ClusterStatistics;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.workload.Pod;
import java.util.Objects;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the statistics of a cluster-aware policy at one snapshot at a time; for other policies it does nothing. Not
 * thread-safe.
 */
public final class StatisticsTracker {
    private static final StatisticsTracker NONE = new StatisticsTracker(null);

    private final @Nullable ClusterAwarePolicy policy;
    private final @Nullable ClusterStatistics statistics;

    private StatisticsTracker(@Nullable ClusterAwarePolicy policy) {
        this.policy = policy;
        this.statistics = policy == null ? null : Objects.requireNonNull(policy.statistics(), "policy.statistics()");
    }

    /** Returns the tracker at a snapshot; O(n) for cluster-aware policies. */
    public static StatisticsTracker of(PlacementPolicy policy, Cluster cluster) {
        if (!(policy instanceof ClusterAwarePolicy aware)) {
            return NONE;
        }
        StatisticsTracker tracker = new StatisticsTracker(aware);
        for (ClassIndex nodes : ClusterIndex.of(cluster).classes()) {
            nodes.forEach(node -> tracker.replace(null, node));
        }
        return tracker;
    }

    /** Whether placements may have penalties. */
    public boolean isAware() {
        return policy != null;
    }

    /** Takes note of a node in another state; null where there was, or is, no such node. */
    public void replace(@Nullable NodeState before, @Nullable NodeState after) {
        if (statistics == null) {
            return;
        }
        if (before != null) {
            statistics.remove(before);
        }
        if (after != null) {
            statistics.add(after);
        }
    }

    /** Returns what the penalty of a placement depends on. */
    public Object key(NodeState before, LayoutSearch.Found found) {
        return policy == null ? Scored.NO_KEY : policy.penaltyKey(before, found.after());
    }

    /** Returns the penalties of placements of a pod, at the snapshot it is at. */
    public ToLongFunction<Object> penalties(Pod pod) {
        return statistics == null
                ? key -> 0
                : Objects.requireNonNull(statistics.penalties(pod), "statistics.penalties(pod)");
    }
}
