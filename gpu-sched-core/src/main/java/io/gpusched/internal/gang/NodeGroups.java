package io.gpusched.internal.gang;

import io.gpusched.internal.fit.PodCapacity;
import io.gpusched.internal.fit.SearchSteps;
import io.gpusched.internal.index.ClusterIndex;
import io.gpusched.internal.index.NodeRange;
import io.gpusched.internal.score.Occupancy;
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
        private final BitSet admitted;

        /** By kind: how many members one of the nodes takes, where counting tells; else the most that are left. */
        private final long[] takes;

        private Group(BitSet admitted, long[] takes) {
            this.admitted = admitted;
            this.takes = takes;
        }

        /** In node order; no more than the group has members. */
        List<NodeState> nodes() {
            return nodes;
        }

        boolean admits(MemberKind kind) {
            return admitted.get(kind.index());
        }

        long takes(MemberKind kind) {
            return takes[kind.index()];
        }
    }

    private final Gang gang;
    private final List<Group> groups = new ArrayList<>();
    private final Map<BitSet, Object2ObjectOpenCustomHashMap<NodeState, Group>> known = new HashMap<>();

    private NodeGroups(Gang gang) {
        this.gang = gang;
    }

    /** Returns the groups of a range of nodes, in the order of their first nodes; O(nodes). */
    static List<Group> of(Cluster cluster, Gang gang, NodeRange range, SearchSteps steps) {
        NodeGroups found = new NodeGroups(gang);
        boolean alike = gang.kinds().stream().noneMatch(kind -> kind.demand().looksAtUuids());
        for (NodeState node : ClusterIndex.of(cluster).nodes(range)) {
            BitSet admitted = found.admitted(node);
            if (!admitted.isEmpty() && steps.take(gang.kinds().size())) {
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
            takes[kind.index()] = !admitted.get(kind.index()) ? 0 : most(kind, node);
        }
        Group group = new Group(admitted, takes);
        groups.add(group);
        return group;
    }

    /** How many members of a kind a node that admits them takes at most. */
    static long most(MemberKind kind, NodeState node) {
        return kind.isCountable() ? Math.min(kind.size(), PodCapacity.of(kind.demand(), node)) : kind.size();
    }
}
