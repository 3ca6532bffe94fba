package io.gpusched.internal.gang;

import io.gpusched.internal.fit.FitRule;
import io.gpusched.internal.fit.GpuTake;
import io.gpusched.internal.fit.Layout;
import io.gpusched.internal.fit.PodCapacity;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.fit.SearchSteps;
import io.gpusched.internal.index.CandidateSet;
import io.gpusched.internal.index.Rooms;
import io.gpusched.internal.index.SlotRange;
import io.gpusched.internal.search.PlacementSearch;
import io.gpusched.internal.search.SearchStrategy;
import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.workload.GpuAffinity.Bond;
import io.gpusched.workload.GpuRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Places equal pods of whole GPUs or nodes by counting how many of them each node takes, instead of looking for one after the
 * other. Where bin-pack decides, the places are the same: the node with the fewest idle GPUs that suffice, and then the same node
 * again, which has fewer still, until it takes no more.
 */
final class GangCount {
    private final PlacementSearch search;
    private final Cluster cluster;
    private final PodDemand demand;
    private final GpuRequest request;
    private final SearchSteps steps;

    /**
     * @param demand what each pod asks, one that this {@link #serves}
     */
    GangCount(PlacementSearch search, Cluster cluster, PodDemand demand, SearchSteps steps) {
        this.search = search;
        this.cluster = cluster;
        this.demand = demand;
        this.request = Objects.requireNonNull(demand.single(), "single");
        this.steps = steps;
    }

    /** Whether pods like this are placed here just where they would be one by one. */
    static boolean serves(PlacementSearch search, Cluster cluster, PodDemand demand) {
        GpuRequest request = demand.single();
        return search.strategy() == SearchStrategy.TIGHTEST_ROOM
                && request != null
                && GpuTake.isWhole(request)
                && request.selector().affinity().required() == Bond.NONE
                && PodCapacity.isExact(demand)
                && !demand.isAffectedBy(search.rules(cluster))
                && !demand.hasPreferences(search.rules(cluster));
    }

    /**
     * A node and how many pods it takes.
     *
     * @param pods how many, at least 1
     */
    record Takes(NodeState node, long pods) {}

    /** Returns the nodes of a range that take any, in the order in which bin-pack fills them; as many as take this many pods. */
    List<Takes> nodes(SlotRange range, long most) {
        CandidateSet candidates = search.index(cluster).candidates(demand);
        List<Takes> found = new ArrayList<>();
        long[] left = {most};
        boolean isWhole = request instanceof GpuRequest.WholeNode;
        int end = (isWhole ? Rooms.empty(Node.MAX_GPUS) : Rooms.idle(Node.MAX_GPUS)) + 1;
        int room = candidates.nextRoom(isWhole ? Rooms.empty(1) : Rooms.idle(request.count()), end);
        for (; room >= 0 && left[0] > 0; room = candidates.nextRoom(room + 1, end)) {
            candidates.first(room, room + 1, range, slot -> {
                NodeState node = candidates.state(slot);
                long pods = PodCapacity.of(demand, node);
                if (pods > 0) {
                    found.add(new Takes(node, pods));
                    left[0] -= pods;
                }
                return left[0] <= 0;
            });
        }
        return found;
    }

    /** Fills these nodes one after the other; returns places for as many members as there are, in their order. */
    List<Placement> places(List<Member> members, List<Takes> nodes) {
        List<Placement> placements = new ArrayList<>(members.size());
        int next = 0;
        for (int n = 0; n < nodes.size() && next < members.size(); n++) {
            NodeState node = nodes.get(n).node();
            long idle = request instanceof GpuRequest.WholeNode ? 0 : FitRule.idleAccepted(request, node);
            for (long left = nodes.get(n).pods(); left > 0 && next < members.size(); left--) {
                long gpus = request instanceof GpuRequest.WholeNode ? 0 : FitRule.choose(request, node, idle, steps);
                idle &= ~gpus;
                placements.add(Layout.single(members.get(next++).demand(), node, gpus));
            }
        }
        return placements;
    }
}
