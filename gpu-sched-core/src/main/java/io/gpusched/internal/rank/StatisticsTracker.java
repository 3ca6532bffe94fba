package io.gpusched.internal.rank;

import io.gpusched.internal.fit.LayoutSearch;
import io.gpusched.internal.index.NodeListener;
import io.gpusched.internal.index.SnapshotIndex;
import io.gpusched.model.NodeState;
import io.gpusched.policy.ClusterAwarePolicy;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.workload.Pod;
import java.util.Objects;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the statistics of a cluster-aware policy at the snapshot that an index is at; for other policies it does nothing. Not
 * thread-safe.
 */
public final class StatisticsTracker implements NodeListener {
    private final SnapshotIndex index;
    private final @Nullable ClusterAwarePolicy policy;
    private ClusterAwarePolicy.@Nullable Statistics statistics;

    private StatisticsTracker(SnapshotIndex index, @Nullable ClusterAwarePolicy policy) {
        this.index = index;
        this.policy = policy;
    }

    /** Returns a tracker that follows an index; each change of a node costs what it costs the policy. */
    public static StatisticsTracker of(PlacementPolicy policy, SnapshotIndex index) {
        if (!(policy instanceof ClusterAwarePolicy aware)) {
            return new StatisticsTracker(index, null);
        }
        StatisticsTracker tracker = new StatisticsTracker(index, aware);
        index.listen(tracker);
        return tracker;
    }

    @Override
    public void changed(int slot, @Nullable NodeState before, @Nullable NodeState after) {
        replace(Objects.requireNonNull(statistics), before, after);
    }

    private static void replace(
            ClusterAwarePolicy.Statistics all, @Nullable NodeState before, @Nullable NodeState after) {
        if (before != null) {
            all.remove(before);
        }
        if (after != null) {
            all.add(after);
        }
    }

    @Override
    public void rebuilt() {
        if (policy != null) {
            ClusterAwarePolicy.Statistics all = Objects.requireNonNull(policy.statistics(), "policy.statistics()");
            for (int slot = index.next(0); slot >= 0; slot = index.next(slot + 1)) {
                all.add(index.state(slot));
            }
            statistics = all;
        }
    }

    /** Whether placements may have penalties. */
    public boolean isAware() {
        return policy != null;
    }

    /** Returns what the penalty of a placement depends on. */
    public Object key(NodeState before, LayoutSearch.Found found) {
        return policy == null ? Scored.NO_KEY : policy.penaltyKey(before, found.after());
    }

    /** Returns the penalties of placements of a pod, at the snapshot that the index is at. */
    public ToLongFunction<Object> penalties(Pod pod) {
        return statistics == null
                ? key -> 0
                : Objects.requireNonNull(statistics.penalties(pod), "statistics.penalties(pod)");
    }
}
