package io.gpusched.internal.search;

import io.gpusched.internal.access.NodeAccess;
import io.gpusched.internal.fit.Admission;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.index.NodeIndex;
import io.gpusched.internal.index.NodeRange;
import io.gpusched.model.NodeState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Predicate;

/** Finds nodes that pass a test for a pod, by trees that may hold a node several times. */
final class NodesWithRoom {
    private static final Comparator<NodeState> IN_ORDER = Comparator.comparingLong(NodeAccess::order);

    private final List<? extends NodeIndex> trees;
    private final PodDemand demand;
    private final Predicate<NodeState> test;

    /**
     * @param trees trees that hold all nodes that the pod may ever go to, and perhaps others
     * @param test tells which nodes have room, also of those that do not admit the pod
     */
    NodesWithRoom(List<? extends NodeIndex> trees, PodDemand demand, Predicate<NodeState> test) {
        this.trees = trees;
        this.demand = demand;
        this.test = test;
    }

    /** Returns all of a range, tree by tree. */
    List<NodeState> all(NodeRange range) {
        List<NodeState> found = new ArrayList<>();
        for (NodeIndex tree : trees) {
            forEach(tree, range, node -> {
                found.add(node);
                return false;
            });
        }
        return found;
    }

    /** Returns the first so many of a range, from a key of the node order on and round. */
    List<NodeState> first(int most, NodeRange range, long begin) {
        List<NodeState> found = first(most, range.and(new NodeRange(begin, Long.MAX_VALUE)));
        found.addAll(first(most - found.size(), range.and(new NodeRange(Long.MIN_VALUE, begin))));
        return found;
    }

    private List<NodeState> first(int most, NodeRange range) {
        TreeSet<NodeState> found = new TreeSet<>(IN_ORDER);
        if (most > 0 && !range.isEmpty()) {
            for (NodeIndex tree : trees) {
                NodeRange open = found.size() == most ? range.before(found.last()) : range;
                forEach(tree, open, node -> {
                    found.add(node);
                    if (found.size() > most) {
                        found.pollLast();
                    }
                    return found.size() == most && IN_ORDER.compare(node, found.last()) >= 0;
                });
            }
        }
        return new ArrayList<>(found);
    }

    private void forEach(NodeIndex tree, NodeRange range, Predicate<NodeState> sink) {
        Admission.Verdict verdict = Admission.of(demand, tree.nodeClass());
        if (verdict != Admission.Verdict.NEVER) {
            boolean ask = verdict == Admission.Verdict.ASK_NODES && !tree.isOfAdmitted();
            tree.first(
                    RoomQueries.of(demand),
                    range,
                    node -> (!ask || Admission.admits(demand, node)) && test.test(node) && sink.test(node));
        }
    }
}
