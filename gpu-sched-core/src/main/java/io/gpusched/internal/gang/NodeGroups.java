package io.gpusched.internal.gang;

import io.gpusched.internal.fit.Admission;
import io.gpusched.internal.fit.LayoutSearch;
import io.gpusched.internal.fit.PodCapacity;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.fit.SearchSteps;
import io.gpusched.internal.index.ClusterIndex;
import io.gpusched.internal.index.NodeRange;
import io.gpusched.internal.rank.Occupancy;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import it.unimi.dsi.fastutil.objects.Object2ObjectOpenCustomHashMap;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The nodes that may take members of a group, those in the same state together: any of them is as good as another. */
final class NodeGroups {
    /** Nodes in the same state that admit the same kinds of members. */
    static final class Group {
        private final List<NodeState> nodes = new ArrayList<>();
        /** By kind: how many members one of the nodes takes, where counting tells; else no less than that. */
        private final long[] takes;

        private Group(long[] takes) {
            this.takes = takes;
        }

        /** In node order; no more than the group has members. */
        List<NodeState> nodes() {
            return nodes;
        }

        /** Whether the nodes may take a member while nobody else is there. */
        boolean admits(MemberKind kind) {
            return takes[kind.index()] > 0;
        }

        long takes(MemberKind kind) {
            return takes[kind.index()];
        }
    }

    /** For the look whether a member fits onto a node on its own. */
    private static final long STEPS_TO_FIT = 20_000;

    private final Gang gang;
    private final SearchSteps steps;
    private final List<Group> groups = new ArrayList<>();
    private final Map<BitSet, Object2ObjectOpenCustomHashMap<NodeState, Group>> known = new HashMap<>();

    private NodeGroups(Gang gang, SearchSteps steps) {
        this.gang = gang;
        this.steps = steps;
    }

    /** Returns the groups of a range of nodes, in the order of their first nodes; O(nodes). */
    static List<Group> of(Cluster cluster, Gang gang, NodeRange range, SearchSteps steps) {
        NodeGroups found = new NodeGroups(gang, steps);
        boolean alike = gang.kinds().stream().noneMatch(kind -> kind.demand().looksAtUuids());
        for (NodeState node : ClusterIndex.of(cluster).nodes(range)) {
            if (!steps.take(gang.kinds().size())) {
                break;
            }
            BitSet admitted = found.admitted(node);
            if (!admitted.isEmpty()) {
                found.add(node, admitted, alike);
            }
        }
        return found.groups;
    }

    private BitSet admitted(NodeState node) {
        BitSet admitted = new BitSet();
        for (MemberKind kind : gang.kinds()) {
            admitted.set(kind.index(), kind.isAdmitted(node));
        }
        return admitted;
    }

    private void add(NodeState node, BitSet admitted, boolean alike) {
        Group group = alike
                ? known.computeIfAbsent(admitted, key -> new Object2ObjectOpenCustomHashMap<>(Occupancy.STRATEGY))
                        .computeIfAbsent(node, key -> create(node, admitted))
                : create(node, admitted);
        if (group.nodes.size() < gang.members().size()) {
            group.nodes.add(node);
        }
    }

    private Group create(NodeState node, BitSet admitted) {
        long[] takes = new long[gang.kinds().size()];
        for (MemberKind kind : gang.kinds()) {
            takes[kind.index()] = admitted.get(kind.index()) && mayFit(kind, node) ? most(kind, node) : 0;
        }
        Group group = new Group(takes);
        groups.add(group);
        return group;
    }

    /** Returns false only if a node that admits a member has no room for it though nobody else comes. */
    private boolean mayFit(MemberKind kind, NodeState node) {
        if (kind.isCountable()) {
            return true; // counting tells
        }
        for (PodDemand shape = kind.demand(); shape != null; shape = shape.otherwise()) {
            if (Admission.of(shape, node)) {
                SearchSteps part = steps.atMost(STEPS_TO_FIT);
                long allowed = part.left();
                boolean fits = LayoutSearch.fitsGpus(shape, node, part);
                steps.spend(allowed, part);
                if (fits || part.isReached()) {
                    return true;
                }
            }
        }
        return false;
    }

    /** How many members of a kind a node that admits them takes at most. */
    static long most(MemberKind kind, NodeState node) {
        return Math.min(
                kind.size(),
                kind.isCountable() ? PodCapacity.of(kind.demand(), node) : PodCapacity.atMost(kind.demand(), node));
    }
}
