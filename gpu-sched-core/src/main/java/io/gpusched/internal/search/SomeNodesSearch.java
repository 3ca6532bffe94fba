package io.gpusched.internal.search;

import io.gpusched.internal.access.NodeAccess;
import io.gpusched.internal.fit.LayoutEffort;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.fit.SearchSteps;
import io.gpusched.internal.index.NodeIndex;
import io.gpusched.internal.index.NodeRange;
import io.gpusched.internal.rules.Preferences;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Finds places for members of a group that may not be compared with all nodes: the best of so many nodes with room, from where the last
 * such member was placed on and round. Not thread-safe.
 */
final class SomeNodesSearch {
    private final NodeSearches nodes;

    /** The key in the node order of the node where the last member was placed. */
    private long begin;

    SomeNodesSearch(NodeSearches nodes) {
        this.nodes = nodes;
    }

    /** Begins with the first node. */
    void begin() {
        begin = Long.MIN_VALUE;
    }

    /**
     * Returns a place for a pod that can be laid out in few ways, or null if no node has room.
     *
     * @param most how many nodes are compared
     */
    @Nullable
    Placement quick(
            Cluster cluster,
            PodDemand demand,
            NodeRange range,
            List<? extends NodeIndex> trees,
            int most,
            SearchSteps steps) {
        NodesWithRoom room = new NodesWithRoom(trees, demand, new RoomTest(demand, steps));
        return remember(cluster, best(room, range, most, some -> nodes.bestOf(cluster, demand, range, some)));
    }

    /** As {@link #quick}, for a pod that can be laid out in very many ways; null as well once the steps are used up. */
    @Nullable
    Placement hard(
            Cluster cluster,
            PodDemand demand,
            NodeRange range,
            List<? extends NodeIndex> trees,
            int most,
            SearchSteps steps) {
        NodesWithRoom room = new NodesWithRoom(trees, demand, node -> RoomTest.mayHaveRoom(demand, node));
        return remember(
                cluster, bestLaidOut(room, range, most, steps, some -> laidOut(cluster, demand, range, steps, some)));
    }

    /** As {@link #quick} or {@link #hard}, for a pod that prefers some nodes. */
    @Nullable
    Placement preferred(
            Cluster cluster,
            PodDemand demand,
            NodeRange range,
            NodesWithRoom room,
            int most,
            SearchSteps steps,
            Preferences preferences) {
        Placement found = LayoutEffort.isQuick(demand, cluster)
                ? best(
                        room,
                        range,
                        most,
                        some -> PreferredSearch.best(
                                some, preferences, tier -> nodes.bestOf(cluster, demand, range, tier)))
                : bestLaidOut(
                        room,
                        range,
                        most,
                        steps,
                        some -> PreferredSearch.best(
                                some, preferences, tier -> laidOut(cluster, demand, range, steps, tier)));
        return remember(cluster, found);
    }

    /** Only where none of the nodes takes the pod after all, twice as many are looked at, and so on. */
    private @Nullable Placement best(
            NodesWithRoom room, NodeRange range, int most, Function<List<NodeState>, @Nullable Placement> best) {
        for (long many = most; ; many *= 2) {
            List<NodeState> some = room.first((int) Math.min(many, Integer.MAX_VALUE), range, begin);
            Placement found = best.apply(some);
            if (found != null || some.size() < many) {
                return found;
            }
        }
    }

    /** As {@link #best}; what was left out for want of steps on fewer nodes counts no more once there are more. */
    private @Nullable Placement bestLaidOut(
            NodesWithRoom room,
            NodeRange range,
            int most,
            SearchSteps steps,
            Function<List<NodeState>, @Nullable Placement> best) {
        boolean wasReached = steps.isReached();
        for (long many = most; steps.left() > 0; many *= 2) {
            steps.retract(wasReached);
            List<NodeState> some = room.first((int) Math.min(many, Integer.MAX_VALUE), range, begin);
            Placement found = best.apply(some);
            if (found != null || some.size() < many) {
                return found;
            }
        }
        steps.giveUp();
        return null;
    }

    /** Lays a pod out on some nodes, with its part of the steps. */
    private @Nullable Placement laidOut(
            Cluster cluster, PodDemand demand, NodeRange range, SearchSteps steps, List<NodeState> some) {
        long allowed = Math.min(steps.left(), some.size() * Comparisons.STEPS_OF_LAYOUT);
        SearchSteps part = steps.atMost(allowed);
        Placement found = nodes.thorough(cluster, demand, range, part).bestOf(some);
        steps.spend(allowed, part);
        if (found == null && part.isReached()) {
            steps.giveUp();
        }
        return found;
    }

    private @Nullable Placement remember(Cluster cluster, @Nullable Placement found) {
        if (found != null) {
            begin = NodeAccess.order(cluster.node(found.node()).orElseThrow());
        }
        return found;
    }
}
