package io.gpusched.internal.score;

import io.gpusched.internal.fit.LayoutSearch;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.policy.ClusterAwarePolicy;
import io.gpusched.policy.ClusterAwarePolicy.Prices;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.workload.Pod;
import org.jspecify.annotations.Nullable;

/**
 * The sums that a cluster-aware policy wants, of one snapshot at a time; for other policies everything is free of charge.
 * Not thread-safe.
 */
public final class MarketWatch {
    /** Nothing costs anything. */
    private static final Prices FREE = (nodeClass, key) -> 0;

    private static final ClusterAwarePolicy.Tariff FREE_TARIFF = sums -> FREE;

    private final ClusterAwarePolicy.@Nullable Market market;
    private final long[] sums;

    private MarketWatch(ClusterAwarePolicy.@Nullable Market market) {
        this.market = market;
        this.sums = new long[market == null ? 0 : market.size()];
    }

    /** Returns the watch over a snapshot; O(n) for cluster-aware policies. */
    public static MarketWatch of(PlacementPolicy policy, Cluster cluster) {
        if (!(policy instanceof ClusterAwarePolicy aware)) {
            return new MarketWatch(null);
        }
        ClusterAwarePolicy.Market market = aware.market(cluster.classes());
        MarketWatch watch = new MarketWatch(market);
        for (int order = 0; order < cluster.size(); order++) {
            market.count(cluster.node(order), 1, watch.sums);
        }
        return watch;
    }

    /** Whether the policy looks at the cluster as a whole. */
    public boolean isAware() {
        return market != null;
    }

    /** Takes note that a node is in another state. */
    public void move(NodeState before, NodeState after) {
        if (market != null) {
            market.count(before, -1, sums);
            market.count(after, 1, sums);
        }
    }

    /** Returns what a placement takes away. */
    public long key(NodeState before, LayoutSearch.Found found) {
        return market == null ? 0 : market.key(before, found.after(before));
    }

    /** Returns what pods of this shape pay. */
    public ClusterAwarePolicy.Tariff tariff(Pod pod) {
        return market == null ? FREE_TARIFF : market.tariff(pod);
    }

    /** Returns the prices by a tariff of this watch's market, in the snapshot it is at. */
    public Prices prices(ClusterAwarePolicy.Tariff tariff) {
        return tariff.prices(sums);
    }
}
