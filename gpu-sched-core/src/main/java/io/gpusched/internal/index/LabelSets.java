package io.gpusched.internal.index;

import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeRequirement.Operator;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.NodeSelector.Term;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Nodes by labels and names. A selector of few nodes, such as one by host name, is looked up value by value each time; of others the
 * nodes are a bitmap, kept for the latest selectors and changed with the nodes. Not thread-safe.
 */
final class LabelSets {
    /** The nodes of this many values are looked up each time, not kept as one set. */
    private static final int MOST_VALUES = 16;

    /** This many selectors are kept, and the values of this many labels; each costs a look for every node that is relabeled. */
    private static final int MOST_SELECTORS = 64;

    private static final int MOST_LABELS = 32;

    private static final Bitmap[] NO_BITMAPS = {};

    private final NodeSlots nodes;
    private final Map<NodeSelector, Selected> selectors = new LatestMap<>(MOST_SELECTORS);
    private final Map<String, LabelColumn> columns = new LatestMap<>(MOST_LABELS);

    /** The nodes that a selector accepts. */
    private record Selected(Predicate<Node> test, Bitmap nodes) {}

    LabelSets(NodeSlots nodes) {
        this.nodes = nodes;
    }

    /** Takes note of a node that changed; null where there was, or is, none. */
    void changed(int slot, @Nullable NodeState before, @Nullable NodeState after) {
        Node was = before == null ? null : before.node();
        Node is = after == null ? null : after.node();
        if (was != null && is != null && was.labels().equals(is.labels())) {
            return;
        }
        columns.values().forEach(column -> column.changed(slot, was, is));
        selectors
                .values()
                .forEach(selected ->
                        selected.nodes().set(slot, is != null && selected.test().test(is)));
    }

    /** Returns the nodes that a selector accepts; null for all. */
    @Nullable
    NodeCondition of(NodeSelector selector) {
        if (selector.terms().isEmpty()) {
            return null;
        }
        Selected known = selectors.get(selector);
        if (known == null) {
            List<ValueSlots> values = values(selector);
            Predicate<Node> test = selector::matches;
            if (values != null && values.size() <= MOST_VALUES && isOfSingles(selector)) {
                return NodeCondition.of(Set.of(), new HashSet<>(values), true);
            }
            if (values != null && sum(values) <= ValueSlots.MOST_LISTED) {
                return new NodeCondition(NO_BITMAPS, few(values, test), true);
            }
            known = new Selected(test, filled(values, test));
            selectors.put(selector, known);
        }
        return NodeCondition.in(known.nodes());
    }

    /** Whether each term has one requirement, so that a value of a label settles it. */
    private static boolean isOfSingles(NodeSelector selector) {
        return selector.terms().stream().allMatch(term -> term.requirements().size() == 1);
    }

    private static int sum(List<ValueSlots> values) {
        int sum = 0;
        for (ValueSlots value : values) {
            sum += value.size();
        }
        return sum;
    }

    private Bitmap filled(@Nullable List<ValueSlots> values, Predicate<Node> test) {
        if (values == null) {
            return nodes.where(node -> test.test(node.node()));
        }
        Bitmap result = new Bitmap(nodes.capacity());
        for (int slot : few(values, test)) {
            result.set(slot, true);
        }
        return result;
    }

    private int[] few(List<ValueSlots> values, Predicate<Node> test) {
        IntArrayList found = new IntArrayList();
        values.forEach(value -> value.forEach(slot -> {
            if (accepts(slot, test)) {
                found.add(slot);
            }
        }));
        return found.toIntArray();
    }

    private boolean accepts(int slot, Predicate<Node> test) {
        NodeState node = nodes.get(slot);
        return node != null && test.test(node.node());
    }

    /** Returns sets; each node that a selector accepts is in at least one; null if values of labels do not tell. */
    private @Nullable List<ValueSlots> values(NodeSelector selector) {
        List<ValueSlots> all = new ArrayList<>();
        for (Term term : selector.terms()) {
            List<ValueSlots> fewest = null;
            for (NodeRequirement requirement : term.requirements()) {
                if (requirement.operator() == Operator.IN) {
                    List<ValueSlots> some = values(requirement);
                    fewest = fewest == null || sum(some) < sum(fewest) ? some : fewest;
                }
            }
            if (fewest == null) {
                return null;
            }
            all.addAll(fewest);
        }
        return all;
    }

    private List<ValueSlots> values(NodeRequirement requirement) {
        if (requirement.key().equals(NodeRequirement.NAME)) {
            return List.of(named(requirement.values()));
        }
        LabelColumn column = columns.computeIfAbsent(requirement.key(), key -> new LabelColumn(key, nodes));
        List<ValueSlots> some = new ArrayList<>(requirement.values().size());
        for (String value : requirement.values()) {
            some.add(column.slots(value));
        }
        return some;
    }

    private ValueSlots named(List<String> names) {
        ValueSlots found = new ValueSlots();
        for (String name : names) {
            int slot = nodes.slot(name);
            if (slot >= 0) {
                found.add(slot, nodes.capacity());
            }
        }
        return found;
    }

    /** Returns the nodes that meet a requirement that their label has, or does not have, one of some values. */
    NodeCondition of(NodeRequirement requirement) {
        return NodeCondition.of(List.of(), values(requirement), requirement.operator() == Operator.IN);
    }
}
