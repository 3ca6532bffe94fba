package io.gpusched.internal.gang;

import io.gpusched.internal.fit.FitRule;
import io.gpusched.internal.fit.LayoutSearch;
import io.gpusched.internal.fit.Occupancy;
import io.gpusched.internal.fit.PodCapacity;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.fit.SearchSteps;
import io.gpusched.model.NodeState;
import it.unimi.dsi.fastutil.objects.Object2ObjectOpenCustomHashMap;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Nodes in the same state that admit the same kinds of members: any of them is as good as another. */
final class EqualNodes {
    private final List<NodeState> nodes = new ArrayList<>();
    private final long[] takes;

    private EqualNodes(long[] takes) {
        this.takes = takes;
    }

    /** Returns those of some nodes that admit any member, by state, in the order of the first of each; O(nodes). */
    static List<EqualNodes> of(Gang gang, List<NodeState> nodes, SearchSteps steps) {
        List<EqualNodes> found = new ArrayList<>();
        Map<BitSet, Map<NodeState, EqualNodes>> known = new HashMap<>();
        boolean differ = gang.looksAtUuids();
        for (NodeState node : nodes) {
            if (!steps.take(gang.kinds().size())) {
                break;
            }
            BitSet admitted = admitted(gang, node);
            Map<NodeState, EqualNodes> alike =
                    known.computeIfAbsent(admitted, key -> new Object2ObjectOpenCustomHashMap<>(Occupancy.STRATEGY));
            EqualNodes group = admitted.isEmpty() || differ ? null : alike.get(node);
            if (group == null && !admitted.isEmpty()) {
                group = new EqualNodes(takes(gang, node, admitted, steps));
                found.add(group);
                alike.put(node, group);
            }
            if (group != null && group.nodes.size() < gang.members().size()) {
                group.nodes.add(node);
            }
        }
        return found;
    }

    private static BitSet admitted(Gang gang, NodeState node) {
        BitSet admitted = new BitSet();
        gang.kinds().forEach(kind -> admitted.set(kind.index(), kind.isAdmitted(node)));
        return admitted;
    }

    private static long[] takes(Gang gang, NodeState node, BitSet admitted, SearchSteps steps) {
        long[] takes = new long[gang.kinds().size()];
        for (MemberKind kind : gang.kinds()) {
            boolean may = admitted.get(kind.index()) && (kind.isCountable() || mayFit(kind, node, steps));
            takes[kind.index()] = may ? most(kind, node) : 0;
        }
        return takes;
    }

    /** Returns false only if a node has no room for a member even if no other member comes. */
    private static boolean mayFit(MemberKind kind, NodeState node, SearchSteps steps) {
        for (PodDemand alternative = kind.demand(); alternative != null; alternative = alternative.otherwise()) {
            if (FitRule.atAll(alternative, node) == null) {
                SearchSteps part = steps.atMost(GangBounds.STEPS_PER_FIT);
                long allowed = part.left();
                boolean fits = LayoutSearch.fitsGpus(alternative, node, part);
                steps.spend(allowed, part);
                if (fits || part.isReached()) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Returns how many members of a kind a node that admits them takes at most. */
    static long most(MemberKind kind, NodeState node) {
        return Math.min(
                kind.size(),
                kind.isCountable() ? PodCapacity.of(kind.demand(), node) : PodCapacity.atMost(kind.demand(), node));
    }

    /** Returns the nodes in node order, no more than the group has members. */
    List<NodeState> nodes() {
        return nodes;
    }

    /** Returns how many members of a kind one of the nodes takes, where counting tells; else no less than that. */
    long takes(MemberKind kind) {
        return takes[kind.index()];
    }
}
