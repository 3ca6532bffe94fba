package io.gpusched.internal.search;

import io.gpusched.internal.fit.Admission;
import io.gpusched.internal.fit.LayoutSearch;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.score.MarketWatch;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeClass;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.Room;
import io.gpusched.policy.ClusterAwarePolicy.Prices;
import io.gpusched.policy.FirstFit;
import io.gpusched.policy.PlacementPolicy;
import org.jspecify.annotations.Nullable;

/** Finds the best placement by looking at every node that has the CPU and memory. */
public final class ScanSearch {
    private final Cluster cluster;
    private final PodDemand demand;
    private final PlacementPolicy policy;
    private final MarketWatch watch;
    private final Prices prices;
    private final int fromOrder;
    private final int toOrder;
    private LayoutSearch.@Nullable Found best;
    private long bestScore;
    private int bestOrder;

    /**
     * @param watch a watch over this very snapshot
     */
    public ScanSearch(
            Cluster cluster, PodDemand demand, PlacementPolicy policy, MarketWatch watch, int fromOrder, int toOrder) {
        this.cluster = cluster;
        this.demand = demand;
        this.policy = policy;
        this.watch = watch;
        this.prices = watch.prices(watch.tariff(demand.pod()));
        this.fromOrder = fromOrder;
        this.toOrder = toOrder;
    }

    /** Returns the best placement, or null if no node has room. */
    @Nullable
    public Placement best() {
        for (NodeClass nodeClass : cluster.classes()) {
            Admission.Verdict verdict = Admission.of(demand, nodeClass);
            if (verdict != Admission.Verdict.NEVER) {
                scan(nodeClass, verdict == Admission.Verdict.ASK_NODES);
            }
        }
        return best == null ? null : best.placement();
    }

    private void scan(NodeClass nodeClass, boolean askLabels) {
        boolean firstWins = policy instanceof FirstFit;
        int to = firstWins && best != null ? bestOrder : toOrder;
        cluster.first(nodeClass, Room.of(demand.resources()), fromOrder, to, node -> {
            boolean better = (!askLabels || Admission.admits(demand.pod(), node)) && consider(node);
            return better && firstWins;
        });
    }

    private boolean consider(NodeState node) {
        if (node.idleGpus() < demand.mostIdle()) {
            return false;
        }
        LayoutSearch.Found found = LayoutSearch.best(demand, node, policy);
        if (found == null) {
            return false;
        }
        long score = found.score() - prices.price(node.nodeClass(), watch.key(node, found));
        if (best == null || score > bestScore || score == bestScore && node.order() < bestOrder) {
            best = found;
            bestScore = score;
            bestOrder = node.order();
            return true;
        }
        return false;
    }
}
