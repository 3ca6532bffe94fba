package io.gpusched.internal.rank;

import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.index.ClusterIndex;
import io.gpusched.internal.index.NodeRange;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.policy.PlacementPolicy;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What is remembered of one snapshot, and how it follows others that came of the same cluster: by their difference. Not
 * thread-safe.
 */
final class ScoreHistory {
    private final PlacementPolicy policy;
    private final StatisticsTracker tracker;
    private final Rankings everywhere;

    /** The rankings of the range asked for last; null if there is none. */
    private @Nullable Rankings part;

    private Cluster seen;

    ScoreHistory(PlacementPolicy policy, Cluster cluster) {
        this.policy = policy;
        this.tracker = StatisticsTracker.of(policy, cluster);
        this.everywhere = new Rankings(policy, tracker, NodeRange.EVERYWHERE);
        this.seen = cluster;
    }

    /** Whether it can follow a snapshot by what changed. */
    boolean isOf(Cluster cluster) {
        return ClusterIndex.of(seen).isRelatedTo(ClusterIndex.of(cluster));
    }

    /** Takes note of what differs in another snapshot; O(changed nodes &middot; log n). */
    @SuppressWarnings(
            "ReferenceEquality") // a snapshot that is the same object has no changes; equality would cost O(n)
    void follow(Cluster cluster) {
        if (cluster != seen) {
            cluster.forEachChange(seen, this::replace);
            seen = cluster;
        }
    }

    private void replace(@Nullable NodeState before, @Nullable NodeState after) {
        tracker.replace(before, after);
        everywhere.replace(before, after);
        if (part != null) {
            part.replace(before, after);
        }
    }

    /** Returns the statistics at the snapshot it is at. */
    StatisticsTracker tracker() {
        return tracker;
    }

    /**
     * Returns the best node of a range for a pod at the snapshot it is at; O(nodes of the range) for a shape that is not
     * remembered.
     */
    @Nullable
    NodeState best(PodDemand demand, NodeRange range) {
        return rankings(range).best(seen, demand);
    }

    /** Returns the best node of a range for a pod among those that pass a test, as far as that is found soon. */
    RankedNode best(PodDemand demand, NodeRange range, Predicate<NodeState> admitted) {
        return rankings(range).best(seen, demand, admitted);
    }

    private Rankings rankings(NodeRange range) {
        if (range.isEverywhere()) {
            return everywhere;
        }
        Rankings known = part;
        if (known == null || !known.range().equals(range)) {
            known = new Rankings(policy, tracker, range);
            part = known;
        }
        return known;
    }

    /** Forgets what it knows of a range. */
    void forgetRange() {
        part = null;
    }

    int shapes() {
        return everywhere.shapes() + (part == null ? 0 : part.shapes());
    }

    /** Returns the number of entries of all shapes. */
    long size() {
        return everywhere.size() + (part == null ? 0 : part.size());
    }

    /** Forgets the shape that was not asked for longest, first of those in a range. */
    void forgetOldest() {
        if (part != null && part.shapes() > 0) {
            part.forgetOldest();
        } else {
            everywhere.forgetOldest();
        }
    }

    /** Makes each shape keep about so many entries at most. */
    void trim(int most) {
        everywhere.trim(most);
        if (part != null) {
            part.trim(most);
        }
    }
}
