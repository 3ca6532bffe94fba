package io.gpusched.internal.index;

import io.gpusched.internal.access.NodeAccess;
import io.gpusched.model.NodeClass;
import io.gpusched.model.NodeState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The classes of a snapshot in an order that depends on its nodes alone: that of the first node of each. */
final class ClassCounts {
    private ClassCounts() {}

    static Map<NodeClass, Integer> of(ClassTable table, List<ClassIndex> trees) {
        List<NodeState> firsts = new ArrayList<>();
        for (ClassIndex tree : trees) {
            if (tree.nodeClass().isMixed()) {
                Map<NodeClass, NodeState> first = new LinkedHashMap<>();
                tree.forEach(node -> first.putIfAbsent(node.nodeClass(), node));
                firsts.addAll(first.values());
            } else {
                firsts.add(tree.firstNode());
            }
        }
        firsts.sort(Comparator.comparingLong(NodeAccess::order));
        Map<NodeClass, Integer> counts = new LinkedHashMap<>();
        firsts.forEach(node ->
                counts.put(node.nodeClass(), table.entry(node.nodeClass()).nodes()));
        return counts;
    }
}
