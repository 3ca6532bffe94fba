package io.gpusched.internal.gang;

import io.gpusched.internal.access.NodeAccess;
import io.gpusched.internal.fit.Admission;
import io.gpusched.internal.fit.Layout;
import io.gpusched.internal.fit.NodeFit;
import io.gpusched.internal.fit.PodCapacity;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.fit.SearchSteps;
import io.gpusched.internal.index.CapacityQuery;
import io.gpusched.internal.index.ClassIndex;
import io.gpusched.internal.index.ClusterIndex;
import io.gpusched.internal.index.NodeRange;
import io.gpusched.internal.search.PlacementSearch;
import io.gpusched.internal.search.RuledDemand;
import io.gpusched.internal.search.SearchStrategy;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.workload.GpuAffinity.Bond;
import io.gpusched.workload.GpuRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Places equal pods of whole GPUs by counting how many of them each node takes, instead of looking for one after the other.
 * Where bin-pack decides, the places are the same: the node with the fewest idle GPUs that suffice, and then the same node
 * again, which has fewer still, until it takes no more.
 */
final class GangCount {
    private final Cluster cluster;
    private final PodDemand demand;
    private final GpuRequest request;
    private final SearchSteps steps;

    GangCount(Cluster cluster, PodDemand demand, SearchSteps steps) {
        this.cluster = cluster;
        this.demand = demand;
        this.request = demand.gpuContainers().get(0).gpu();
        this.steps = steps;
    }

    /** Whether pods like this are placed here just where they would be one by one. */
    static boolean serves(PlacementSearch search, Cluster cluster, PodDemand demand) {
        GpuRequest request = demand.single();
        return search.strategy() == SearchStrategy.TIGHTEST_ROOM
                && request != null
                && request.takesWhole()
                && !request.takesNode()
                && request.selector().affinity().required() == Bond.NONE
                && PodCapacity.isExact(demand)
                && !RuledDemand.isAffected(search.rules(cluster), demand)
                && !RuledDemand.hasPreferences(search.rules(cluster), demand);
    }

    /**
     * Returns places for the members of a group within a range, for as many as there are, or null if the group is not of this
     * kind.
     *
     * @param isMinimal whether the minimum is enough
     */
    static @Nullable List<Placement> place(
            PlacementSearch search, Cluster cluster, Gang gang, NodeRange range, boolean isMinimal, SearchSteps steps) {
        if (!gang.isCountable() || !serves(search, cluster, gang.kinds().get(0).demand())) {
            return null;
        }
        GangCount count = new GangCount(cluster, gang.kinds().get(0).demand(), steps);
        int most = isMinimal ? gang.required() : gang.members().size();
        return count.places(gang.members().stream().limit(most).toList(), count.nodes(range));
    }

    /**
     * A node and how many pods it takes.
     *
     * @param node the node
     * @param pods how many, at least 1
     */
    record Takes(NodeState node, long pods) {}

    /** The nodes of a range that take any, in the order in which bin-pack fills them. */
    List<Takes> nodes(NodeRange range) {
        List<Takes> found = new ArrayList<>();
        for (ClassIndex nodes : ClusterIndex.of(cluster).classes()) {
            Admission.Verdict verdict = Admission.of(demand, nodes.nodeClass());
            if (verdict == Admission.Verdict.NEVER) {
                continue;
            }
            boolean ask = verdict == Admission.Verdict.ASK_NODES;
            for (int idle = request.count(); idle <= nodes.nodeClass().gpus().size(); idle++) {
                int exactly = idle;
                nodes.first(CapacityQuery.withIdleGpus(idle, demand.resources()), range, node -> {
                    if (node.idleGpus() == exactly && (!ask || Admission.admits(demand, node))) {
                        long pods = PodCapacity.of(demand, node);
                        if (pods > 0) {
                            found.add(new Takes(node, pods));
                        }
                    }
                    return false;
                });
            }
        }
        found.sort(Comparator.comparingInt((Takes takes) -> takes.node().idleGpus())
                .thenComparingLong(takes -> NodeAccess.order(takes.node())));
        return found;
    }

    /** Fills these nodes one after the other; returns places for as many members as there are, in their order. */
    List<Placement> places(List<Member> members, List<Takes> nodes) {
        List<Placement> placements = new ArrayList<>(members.size());
        int next = 0;
        for (int n = 0; n < nodes.size() && next < members.size(); n++) {
            NodeState node = nodes.get(n).node();
            long idle = NodeFit.idleAccepted(request, node);
            for (long left = nodes.get(n).pods(); left > 0 && next < members.size(); left--) {
                long gpus = NodeFit.choose(request, node, idle, steps);
                idle &= ~gpus;
                placements.add(Layout.single(members.get(next++).demand(), node, gpus));
            }
        }
        return placements;
    }
}
