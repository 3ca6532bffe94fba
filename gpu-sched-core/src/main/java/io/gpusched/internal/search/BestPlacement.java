package io.gpusched.internal.search;

import io.gpusched.internal.fit.LayoutSearch;
import io.gpusched.internal.rank.Scored;
import io.gpusched.internal.rank.StatisticsTracker;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.workload.Pod;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** The best offered way to place a pod: by score and penalty, then by node order. Not thread-safe. */
final class BestPlacement {
    private static final int NO_SLOT = Integer.MAX_VALUE;

    private final StatisticsTracker tracker;
    private final ToLongFunction<Object> penalties;
    private LayoutSearch.@Nullable Found best;
    private long score;
    private int slot = NO_SLOT;

    /**
     * @param tracker the statistics at the very snapshot
     */
    BestPlacement(StatisticsTracker tracker, Pod pod) {
        this.tracker = tracker;
        this.penalties = tracker.penalties(pod);
    }

    /** Returns the best placement, or null if none was offered. */
    @Nullable
    Placement placement() {
        return best == null ? null : best.placement();
    }

    /** Takes a way to place the pod on a node unless a better one is known; returns whether it did. */
    boolean offer(int offered, NodeState node, LayoutSearch.Found found) {
        long net = Scored.net(found.score(), penalties.applyAsLong(tracker.key(node, found)));
        if (best != null && (net < score || net == score && offered > slot)) {
            return false;
        }
        best = found;
        score = net;
        slot = offered;
        return true;
    }

    /** Returns the score that a way on a node has to exceed; {@link Long#MIN_VALUE} where any may do. */
    long toBeat(int offered) {
        if (best == null || tracker.isAware()) {
            return Long.MIN_VALUE;
        }
        return score > Long.MIN_VALUE && offered < slot ? score - 1 : score;
    }
}
