package io.gpusched.internal.rank;

import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.index.NodeRange;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.policy.PlacementPolicy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Remembers, for the clusters used lately and for each shape of pod seen lately, which nodes score best, and catches up with
 * any snapshot by looking at what changed. Not thread-safe.
 *
 * <p>What it holds is bounded: the nodes of at most {@value #MOST_CLUSTERS} snapshots, {@value #MOST_SHAPES} shapes for each,
 * and for all shapes together about as many entries, of 20 bytes each, as it is told. When there are more, each shape keeps
 * its best entries only, an equal number for each; a shape that has used up these is scored anew.
 */
public final class ScoreCache {
    private static final int MOST_CLUSTERS = 4;
    private static final int MOST_SHAPES = 4_096;

    /** What each shape keeps at least. */
    private static final int LEAST_ENTRIES = 16;

    private final PlacementPolicy policy;
    private final long capacity;

    /** The one used last first. */
    private final Deque<ScoreHistory> histories = new ArrayDeque<>();

    public ScoreCache(PlacementPolicy policy, long capacity) {
        this.policy = policy;
        this.capacity = capacity;
    }

    /** Returns the best node of a range for a pod, the first in node order among equals, or null if none has room. */
    public @Nullable NodeState best(Cluster cluster, PodDemand demand, NodeRange range) {
        ScoreHistory history = history(cluster);
        NodeState best = history.best(demand, range);
        bound(history);
        return best;
    }

    /**
     * Returns the best node of a range for a pod among those that pass a test, as far as that is found soon; for
     * policies that look at occupancy alone, by a ranking that pods share which differ in their selectors and tolerations.
     *
     * @param admitted which nodes labels and taints admit
     */
    public RankedNode best(Cluster cluster, PodDemand demand, NodeRange range, Predicate<NodeState> admitted) {
        ScoreHistory history = history(cluster);
        RankedNode best = history.best(demand, range, admitted);
        bound(history);
        return best;
    }

    /** Forgets what it knows of ranges: of each cluster the one asked for last. */
    public void forgetRanges() {
        histories.forEach(ScoreHistory::forgetRange);
    }

    private void bound(ScoreHistory history) {
        if (history.shapes() > MOST_SHAPES) {
            history.forgetOldest();
        }
        if (held() > capacity) {
            trim(history);
        }
    }

    private long held() {
        long held = 0;
        for (ScoreHistory history : histories) {
            held += history.size();
        }
        return held;
    }

    /** Returns the statistics at a snapshot, good until another one is asked for. */
    public StatisticsTracker tracker(Cluster cluster) {
        return history(cluster).tracker();
    }

    private ScoreHistory history(Cluster cluster) {
        ScoreHistory history = find(cluster);
        if (history == null) {
            history = new ScoreHistory(policy, cluster);
            if (histories.size() == MOST_CLUSTERS) {
                histories.removeLast();
            }
        } else {
            histories.remove(history);
            history.follow(cluster);
        }
        histories.addFirst(history);
        return history;
    }

    private @Nullable ScoreHistory find(Cluster cluster) {
        for (ScoreHistory history : histories) {
            if (history.isOf(cluster)) {
                return history;
            }
        }
        return null;
    }

    /** Makes room for as many entries again, if need be by forgetting other clusters and shapes than the last. */
    private void trim(ScoreHistory last) {
        int shapes = histories.stream().mapToInt(ScoreHistory::shapes).sum();
        int most = (int) Math.max(LEAST_ENTRIES, capacity / (2L * shapes));
        histories.forEach(history -> history.trim(most));
        while (held() > capacity && histories.size() > 1) {
            histories.removeLast();
        }
        while (held() > capacity && last.shapes() > 1) {
            last.forgetOldest();
        }
    }
}
