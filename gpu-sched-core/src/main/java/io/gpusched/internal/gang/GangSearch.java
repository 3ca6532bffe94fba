package io.gpusched.internal.gang;

import io.gpusched.internal.fit.Admission;
import io.gpusched.internal.fit.NodeFit;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.index.ClusterIndex;
import io.gpusched.internal.index.NodeRange;
import io.gpusched.internal.score.ShapeScores;
import io.gpusched.internal.search.PlacementSearch;
import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.workload.Container;
import it.unimi.dsi.fastutil.objects.Object2ObjectOpenCustomHashMap;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Decides exactly whether a group can start within a range of nodes, where placing one by one did not get there. */
public final class GangSearch {
    /*
     * Nodes do not influence each other, so each contributes one of its fullest ways (NodeOptions), and what can be
     * reached with the first nodes is a set of vectors: how many members of each kind have a place. Only vectors that no
     * other covers are kept, and a number above what the group has counts as that. Nodes in the same state have the
     * same ways, worked out once, and of them no more than the group has members can matter. The number of vectors is
     * at most the product of the numbers of members of each kind; the step limit is for groups that make that large.
     */
    public static final long STEP_LIMIT = 2_000_000;

    private final Cluster cluster;
    private final Gang gang;
    private final PlacementSearch search;
    private final StepLimit limit;
    private final NodeOptions options;
    private final boolean nodesDiffer;
    private final Map<BitSet, Object2ObjectOpenCustomHashMap<NodeState, Alike>> known = new HashMap<>();

    /** Nodes in the same state: their ways to be filled, and how many of them were met. */
    private static final class Alike {
        private final List<NodeOptions.Option> ways;
        private int met;

        Alike(List<NodeOptions.Option> ways) {
            this.ways = ways;
        }
    }

    /** How many members have a place so far, and what the last node added. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Reached(
            int[] byKind,
            @Nullable Reached before,
            @Nullable NodeState node,
            NodeOptions.@Nullable Option way) {}

    public GangSearch(PlacementSearch search, Cluster cluster, Gang gang, StepLimit limit) {
        this.search = search;
        this.cluster = cluster;
        this.gang = gang;
        this.limit = limit;
        this.options = new NodeOptions(gang, search.policy(), limit);
        this.nodesDiffer = gang.kinds().stream().anyMatch(kind -> kind.demand().looksAtUuids());
    }

    /** Returns a way to start the group within a range of the node order, or null. */
    @Nullable
    public GangFill find(NodeRange range) {
        List<Reached> front = List.of(new Reached(new int[gang.kinds().size()], null, null, null));
        for (NodeState node : ClusterIndex.of(cluster).nodes(range)) {
            if (!limit.take(1)) {
                break;
            }
            List<NodeOptions.Option> ways = ways(node);
            if (ways.isEmpty()) {
                continue;
            }
            List<Reached> next = new ArrayList<>();
            for (Reached reached : front) {
                for (NodeOptions.Option way : ways) {
                    Reached more = new Reached(Counts.sum(reached.byKind, way.byKind(), gang), reached, node, way);
                    if (gang.canStart(more.byKind)) {
                        return fill(more);
                    }
                    keep(more, next);
                }
            }
            front = next;
        }
        return null;
    }

    private void keep(Reached more, List<Reached> front) {
        if (!limit.take(1 + front.size())) {
            return;
        }
        for (Reached other : front) {
            if (Counts.covers(other.byKind, more.byKind)) {
                return;
            }
        }
        front.removeIf(other -> Counts.covers(more.byKind, other.byKind));
        front.add(more);
    }

    /** The fullest ways to fill a node, none if it can take nothing or enough of its like were met. */
    private List<NodeOptions.Option> ways(NodeState node) {
        boolean[] admitted = admitted(node);
        BitSet key = new BitSet();
        for (int k = 0; k < admitted.length; k++) {
            key.set(k, admitted[k]);
        }
        if (key.isEmpty()) {
            return List.of();
        }
        if (nodesDiffer) {
            return useful(options.fullest(node, admitted));
        }
        Alike alike = known.computeIfAbsent(key, k -> new Object2ObjectOpenCustomHashMap<>(ShapeScores.BY_OCCUPANCY))
                .computeIfAbsent(node, n -> new Alike(useful(options.fullest(node, admitted))));
        return alike.met++ < gang.members().size() ? alike.ways : List.of();
    }

    private static List<NodeOptions.Option> useful(List<NodeOptions.Option> ways) {
        return ways.stream().filter(way -> !way.placements().isEmpty()).toList();
    }

    private boolean[] admitted(NodeState node) {
        boolean[] admitted = new boolean[gang.kinds().size()];
        for (Gang.Kind kind : gang.kinds()) {
            PodDemand demand = kind.demand();
            admitted[kind.index()] = NodeFit.hasResources(demand, node) && Admission.of(demand, node);
        }
        return admitted;
    }

    private GangFill fill(Reached last) {
        GangFill fill = new GangFill(search, cluster, gang);
        List<Reached> chain = new ArrayList<>();
        for (Reached at = last; at != null && at.node != null; at = at.before) {
            chain.add(0, at);
        }
        int[] next = new int[gang.kinds().size()];
        for (Reached at : chain) {
            if (at.node != null && at.way != null) {
                take(at.way, at.node, next, fill);
            }
        }
        return fill;
    }

    /** Fills a node as its like was filled, with the members whose turn it is. */
    private void take(NodeOptions.Option way, NodeState node, int[] next, GangFill fill) {
        int at = 0;
        for (Gang.Kind kind : gang.kinds()) {
            for (int i = 0; i < way.byKind()[kind.index()]; i++) {
                Placement pattern = way.placements().get(at++);
                if (next[kind.index()] < kind.size()) {
                    Gang.Member member = kind.members().get(next[kind.index()]++);
                    fill.take(member, as(member, node, pattern));
                }
            }
        }
    }

    private static Placement as(Gang.Member member, NodeState node, Placement pattern) {
        List<Container> containers = member.demand().pod().containers();
        List<ContainerGrant> grants = new ArrayList<>(containers.size());
        for (int i = 0; i < containers.size(); i++) {
            Container container = containers.get(i);
            grants.add(new ContainerGrant(
                    container.name(),
                    container.kind(),
                    pattern.containers().get(i).gpus()));
        }
        return Placement.on(node, member.demand().pod().id(), member.demand().resources(), grants);
    }
}
