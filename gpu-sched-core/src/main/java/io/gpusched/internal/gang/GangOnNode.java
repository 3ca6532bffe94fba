package io.gpusched.internal.gang;

import io.gpusched.internal.fit.Admission;
import io.gpusched.internal.fit.Capacity;
import io.gpusched.internal.fit.LayoutSearch;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.index.CapacityQuery;
import io.gpusched.internal.index.ClassIndex;
import io.gpusched.internal.index.NodeRange;
import io.gpusched.internal.score.ShapeScores;
import io.gpusched.internal.search.PlacementSearch;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Resources;
import io.gpusched.policy.PlacementPolicy;
import it.unimi.dsi.fastutil.objects.ObjectOpenCustomHashSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the one node for a whole group: the one that takes the most members, then the one where their scores add up to
 * the most, then the first in node order.
 */
public final class GangOnNode {
    /*
     * On each node members are placed one by one first. Only where that does not get the group started, all ways to fill
     * the node are tried. Nodes in the same state as one that was tried before cannot do better and are passed by.
     */
    private final Cluster cluster;
    private final Gang gang;
    private final PlacementPolicy policy;
    private final NodeOptions options;
    private final @Nullable Set<NodeState> tried;
    private final PlacementSearch search;
    private final GangDomains domains;
    private NodeOptions.@Nullable Option best;

    public GangOnNode(PlacementSearch search, Cluster cluster, Gang gang, GangDomains domains, StepLimit limit) {
        this.domains = domains;
        this.search = search;
        this.cluster = cluster;
        this.gang = gang;
        this.policy = search.policy();
        this.options = new NodeOptions(gang, policy, limit);
        boolean differ = gang.kinds().stream()
                .map(Gang.Kind::demand)
                .anyMatch(demand -> demand.looksAtUuids()
                        || !demand.pod().nodeSelector().terms().isEmpty());
        this.tried = differ || policy.scope() != PlacementPolicy.Scope.OCCUPANCY
                ? null
                : new ObjectOpenCustomHashSet<>(ShapeScores.BY_OCCUPANCY);
    }

    /** Returns the group on its best node, or null if no node can start it. */
    @Nullable
    public GangFill find() {
        long least = gang.leastBulk().idleGpus();
        CapacityQuery query = CapacityQuery.of(leastResources());
        for (ClassIndex nodes : domains.classes()) {
            nodes.first(query, NodeRange.EVERYWHERE, node -> {
                if (node.idleGpus() >= least && hasCapacity(node) && (tried == null || tried.add(node))) {
                    offer(node);
                }
                return false;
            });
        }
        return best == null ? null : fill(best);
    }

    /** What the smallest member takes of each resource. */
    private Resources leastResources() {
        long cpuMillis = Resources.MAX;
        long memoryMib = Resources.MAX;
        for (Gang.Kind kind : gang.kinds()) {
            cpuMillis = Math.min(cpuMillis, kind.demand().resources().cpuMillis());
            memoryMib = Math.min(memoryMib, kind.demand().resources().memoryMib());
        }
        return new Resources(cpuMillis, memoryMib);
    }

    private boolean hasCapacity(NodeState node) {
        for (Gang.Kind kind : gang.kinds()) {
            int least = gang.least(kind);
            if (least > 0 && kind.isCountable() && Capacity.of(kind.demand(), node) < least) {
                return false;
            }
        }
        return true;
    }

    private void offer(NodeState node) {
        NodeOptions.Option way = oneByOne(node);
        if (!gang.canStart(way.byKind())) {
            if (gang.isCountable()) {
                return;
            }
            way = exact(node);
        }
        if (way != null && (best == null || compare(way, best) > 0)) {
            best = way;
        }
    }

    /** Positive if the first is better: more members, a higher score, an earlier node. */
    private static int compare(NodeOptions.Option first, NodeOptions.Option second) {
        int order =
                Integer.compare(first.placements().size(), second.placements().size());
        order = order != 0 ? order : Long.compare(first.score(), second.score());
        return order != 0
                ? order
                : Integer.compare(second.node().order(), first.node().order());
    }

    private NodeOptions.Option oneByOne(NodeState node) {
        NodeOptions.Option way = new NodeOptions.Option(new int[gang.kinds().size()], node, List.of(), 0);
        boolean[] done = new boolean[gang.members().size()];
        int[] byRole = new int[gang.roles()];
        for (int pass = 0; pass < 2; pass++) {
            for (Gang.Member member : gang.members()) {
                int role = member.kind().role();
                if (done[member.index()] || pass == 0 && byRole[role] >= gang.roleMinimum(role)) {
                    continue;
                }
                PodDemand demand = member.demand();
                LayoutSearch.Found found =
                        Admission.of(demand, node) ? LayoutSearch.best(demand, way.node(), policy) : null;
                if (found != null) {
                    way = way.with(member, found.placement(), policy);
                    done[member.index()] = true;
                    byRole[role]++;
                }
            }
        }
        return way;
    }

    private NodeOptions.@Nullable Option exact(NodeState node) {
        boolean[] admitted = new boolean[gang.kinds().size()];
        for (Gang.Kind kind : gang.kinds()) {
            admitted[kind.index()] = Admission.of(kind.demand(), node);
        }
        NodeOptions.Option found = null;
        for (NodeOptions.Option option : options.fullest(node, admitted)) {
            if (gang.canStart(option.byKind()) && (found == null || compare(option, found) > 0)) {
                found = option;
            }
        }
        return found;
    }

    private GangFill fill(NodeOptions.Option way) {
        GangFill fill = new GangFill(search, cluster, gang);
        List<Gang.Member> members = new ArrayList<>(gang.members());
        way.placements().forEach(placement -> {
            Gang.Member member = members.stream()
                    .filter(candidate -> placement.isOf(candidate.demand().pod().id()))
                    .findFirst()
                    .orElseThrow();
            members.remove(member);
            fill.take(member, placement);
        });
        return fill;
    }
}
