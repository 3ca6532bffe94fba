package io.gpusched.internal.index;

import io.gpusched.model.NodeState;
import io.gpusched.model.Topology;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The domains of each level, or of the label that stands for it, that was asked for since nodes joined, left or moved. Not thread-safe. */
final class Domains {
    private final Map<String, List<Domain>> byLevel = new HashMap<>();

    /** Forgets all, as nodes joined, left or moved. */
    void clear() {
        byLevel.clear();
    }

    /** Returns the domains of a level in node order. */
    List<Domain> of(String level, NodeSlots nodes) {
        return byLevel.computeIfAbsent(level, name -> found(name, nodes));
    }

    private static List<Domain> found(String level, NodeSlots nodes) {
        List<Domain> domains = new ArrayList<>();
        Map<String, IntArrayList> byLabel = new HashMap<>();
        int end;
        for (int slot = nodes.taken().next(0); slot >= 0; slot = nodes.taken().next(end)) {
            List<Topology.Domain> path = path(nodes.get(slot));
            int depth = depth(path, level);
            end = end(slot, depth == 0 ? path::equals : other -> isBelow(other, path, depth), nodes);
            if (depth > 0) {
                SlotRange range = new SlotRange(slot, end);
                domains.add(new Domain(
                        new Topology(path.subList(0, depth)),
                        range,
                        nodes.taken().count(range)));
            } else {
                addLabels(level, new SlotRange(slot, end), nodes, byLabel);
            }
        }
        byLabel.forEach((value, slots) ->
                domains.add(new Domain(Topology.of(level, value), range(slots, nodes), slots.size())));
        if (!byLabel.isEmpty()) {
            domains.sort(Comparator.comparingInt(domain -> domain.range().from()));
        }
        return List.copyOf(domains);
    }

    /** Takes note of the values of a label on the nodes of a range. */
    private static void addLabels(String label, SlotRange range, NodeSlots nodes, Map<String, IntArrayList> byLabel) {
        for (int slot = range.next(nodes.taken(), 0); slot >= 0; slot = range.next(nodes.taken(), slot + 1)) {
            NodeState state = nodes.get(slot);
            String value = state == null ? "" : state.node().labels().getOrDefault(label, "");
            if (!value.isBlank()) {
                byLabel.computeIfAbsent(value, any -> new IntArrayList()).add(slot);
            }
        }
    }

    /** The range of some slots with nodes; all between its ends where no other node stands there. */
    private static SlotRange range(IntArrayList slots, NodeSlots nodes) {
        SlotRange between = new SlotRange(slots.getInt(0), slots.getInt(slots.size() - 1) + 1);
        return nodes.taken().count(between) == slots.size() ? between : SlotRange.of(slots);
    }

    private static List<Topology.Domain> path(@Nullable NodeState state) {
        return state == null ? List.of() : state.node().topology().domains();
    }

    /** How many steps of a path lead down to a level; 0 if it has no such level. */
    private static int depth(List<Topology.Domain> path, String level) {
        for (int i = 0; i < path.size(); i++) {
            if (path.get(i).level().equals(level)) {
                return i + 1;
            }
        }
        return 0;
    }

    /** The slot after the last node whose path is like that of the first; those with such a path stand together. */
    private static int end(int first, Predicate<List<Topology.Domain>> isLike, NodeSlots nodes) {
        int from = first + 1;
        int to = nodes.capacity();
        while (from < to) {
            int middle = (from + to) >>> 1;
            int slot = nodes.taken().next(middle);
            if (slot < 0 || slot >= to || !isLike.test(path(nodes.get(slot)))) {
                to = middle;
            } else {
                from = slot + 1;
            }
        }
        return from;
    }

    private static boolean isBelow(List<Topology.Domain> path, List<Topology.Domain> above, int depth) {
        return path.size() >= depth && path.subList(0, depth).equals(above.subList(0, depth));
    }
}
