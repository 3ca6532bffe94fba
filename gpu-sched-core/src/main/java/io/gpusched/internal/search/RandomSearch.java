package io.gpusched.internal.search;

import io.gpusched.internal.access.NodeAccess;
import io.gpusched.internal.fit.Admission;
import io.gpusched.internal.fit.LayoutSearch;
import io.gpusched.internal.rank.PolicyLayouts;
import io.gpusched.internal.fit.NodeFit;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.index.NodeIndex;
import io.gpusched.internal.index.NodeRange;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.policy.RandomFit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the placement of {@link RandomFit}: draws nodes until one has room, so that each node with room has the same chance
 * and no other is laid out. Where room is so rare that no draw hits it, the first few nodes with room from the last drawn one
 * on are the candidates. A decision typically costs O(log n).
 */
final class RandomSearch {
    private static final int DRAWS = 32;
    private static final int CANDIDATES = 8;

    private final Cluster cluster;
    private final PodDemand demand;
    private final RandomFit policy;

    /** Trees that hold all nodes that the pod may ever go to, and perhaps others. */
    private final List<? extends NodeIndex> trees;

    RandomSearch(Cluster cluster, PodDemand demand, RandomFit policy, List<? extends NodeIndex> trees) {
        this.cluster = cluster;
        this.demand = demand;
        this.policy = policy;
        this.trees = trees;
    }

    /** Returns the placement, or null if no node has room. */
    @Nullable
    Placement draw() {
        if (cluster.size() == 0) {
            return null;
        }
        NodeState node = drawn(0);
        for (int draw = 1; draw <= DRAWS; draw++) {
            LayoutSearch.Found found = layOut(node);
            if (found != null) {
                return found.placement();
            }
            node = drawn(draw);
        }
        return bestNear(node);
    }

    private NodeState drawn(int draw) {
        long hash = policy.hash(demand.pod().id(), draw);
        return cluster.node((int) Math.floorMod(hash, (long) cluster.size()));
    }

    private LayoutSearch.@Nullable Found layOut(NodeState node) {
        return mayFit(node) && Admission.of(demand, node) ? PolicyLayouts.best(demand, node, policy) : null;
    }

    private boolean mayFit(NodeState node) {
        return node.idleGpus() >= demand.mostIdle() && NodeFit.hasResources(demand, node);
    }

    private @Nullable Placement bestNear(NodeState start) {
        NodesWithRoom room = new NodesWithRoom(trees, demand, node -> layOut(node) != null);
        LayoutSearch.Found best = null;
        for (NodeState node : room.first(CANDIDATES, NodeRange.EVERYWHERE, NodeAccess.order(start))) {
            LayoutSearch.Found found = layOut(node);
            best = found != null && (best == null || found.score() > best.score()) ? found : best;
        }
        return best == null ? null : best.placement();
    }
}
