package io.gpusched.internal.rules;

import io.gpusched.model.Node;
import io.gpusched.workload.NodePreference;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.NodeSelector.Term;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Tells which of many terms a node meets, all of them at a time: O(labels · terms / 64) whatever the terms say. Takes
 * O(requirements + values + bounds · terms / 64) to make. Immutable and thread-safe.
 */
public final class TermIndex {
    /** A selector of so many requirements and values is as quickly gone through. */
    private static final int SHORT = 16;

    private final TermRows rows;

    /** By bit of a weight: a row of bits, one for each term. */
    private final long[][] weights;

    private TermIndex(List<Term> terms, int[] weights) {
        this.rows = new TermRows(terms.stream().map(TermIndex::conditions).toList());
        this.weights = TermRows.rows(weights);
    }

    private static Map<String, LabelCondition> conditions(Term term) {
        Map<String, LabelCondition> conditions = new HashMap<>();
        for (NodeRequirement requirement : term.requirements()) {
            conditions
                    .computeIfAbsent(requirement.key(), key -> new LabelCondition())
                    .and(requirement);
        }
        return conditions;
    }

    static TermIndex of(List<NodePreference> preferences) {
        return new TermIndex(
                preferences.stream().map(NodePreference::term).toList(),
                preferences.stream().mapToInt(NodePreference::weight).toArray());
    }

    /** Returns a test of nodes for a selector, however long it is. */
    public static Predicate<Node> test(NodeSelector selector) {
        if (isShort(selector)) {
            return selector::matches;
        }
        TermIndex index = new TermIndex(selector.terms(), new int[0]);
        return index::meetsAny;
    }

    private static boolean isShort(NodeSelector selector) {
        int size = 0;
        for (Term term : selector.terms()) {
            for (NodeRequirement requirement : term.requirements()) {
                size += 1 + requirement.values().size();
                if (size > SHORT) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Returns the sum of the weights of the preferences that a node meets. */
    long weight(Node node) {
        long[] met = met(node);
        long sum = 0;
        for (int bit = 0; bit < weights.length; bit++) {
            long count = 0;
            for (int w = 0; w < met.length; w++) {
                count += Long.bitCount(met[w] & weights[bit][w]);
            }
            sum += count << bit;
        }
        return sum;
    }

    private boolean meetsAny(Node node) {
        for (long word : met(node)) {
            if (word != 0) {
                return true;
            }
        }
        return false;
    }

    private long[] met(Node node) {
        return rows.met(node.labels(), NodeRequirement.NAME, node.name());
    }
}
