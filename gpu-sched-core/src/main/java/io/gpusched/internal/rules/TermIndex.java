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
import org.jspecify.annotations.Nullable;

/**
 * Tells which of many terms a node meets, all of them at a time: a bit for each, so that a node costs O(labels · terms / 64) whatever
 * the terms say. Takes O(requirements + values + bounds · terms / 64) to make. Immutable and thread-safe.
 */
public final class TermIndex {
    /*
     * Of each label that any term looks at, a row of bits tells for each value which terms refuse it (LabelTerms). A node fails
     * those that refuse one of its values, and those that demand a label which it does not have. To find the latter, the labels of
     * a term that the node has are counted: bit b of all counts stands in one row, and to count a label is to add a row of
     * single bits to them, with carry. The terms are met of which the count is the number of labels demanded.
     *
     * Example, three terms: "zone in a", "rack not in r1, zone exists", "disk does not exist". They demand 1, 1 and 0 labels. A node
     * with zone=a, rack=r1 has one for the first two; the second refuses r1; so it meets the first and the third.
     */
    /** A selector of so many requirements and values is as quickly gone through. */
    private static final int SHORT = 16;

    private final int words;
    private final Map<String, LabelTerms> byKey = new HashMap<>();

    /** By bit of the number of labels that a term demands: a row of bits, one for each term. */
    private final long[][] demanded;

    /** The bits that stand for terms, in the last word of a row. */
    private final long lastWord;

    /** By bit of a weight. */
    private final long[][] weights;

    private TermIndex(List<Term> terms, List<Integer> weightOf) {
        words = (terms.size() + Long.SIZE - 1) / Long.SIZE;
        lastWord = -1L >>> -terms.size();
        Map<String, LabelTerms.Builder> builders = new HashMap<>();
        int[] labels = new int[terms.size()];
        int most = 0;
        for (int term = 0; term < labels.length; term++) {
            labels[term] = add(term, terms.get(term), builders);
            most = Math.max(most, labels[term]);
        }
        builders.forEach((key, builder) -> byKey.put(key, builder.build(words)));
        demanded = new long[Integer.SIZE - Integer.numberOfLeadingZeros(most)][words];
        for (int term = 0; term < labels.length; term++) {
            write(demanded, term, labels[term]);
        }
        weights = new long
                [Integer.SIZE
                        - Integer.numberOfLeadingZeros(weightOf.stream()
                                .mapToInt(weight -> weight)
                                .max()
                                .orElse(0))]
                [words];
        for (int term = 0; term < weightOf.size(); term++) {
            write(weights, term, weightOf.get(term));
        }
    }

    /** Files the conditions of a term; returns how many labels it demands. */
    private static int add(int number, Term term, Map<String, LabelTerms.Builder> builders) {
        Map<String, LabelCondition> conditions = new HashMap<>();
        for (NodeRequirement requirement : term.requirements()) {
            conditions
                    .computeIfAbsent(requirement.key(), key -> new LabelCondition())
                    .and(requirement);
        }
        conditions.forEach((key, condition) ->
                builders.computeIfAbsent(key, any -> new LabelTerms.Builder()).add(number, condition));
        return (int) conditions.values().stream().filter(LabelCondition::mustBe).count();
    }

    private static void write(long[][] rows, int at, int number) {
        for (int bit = 0; bit < rows.length; bit++) {
            rows[bit][at / Long.SIZE] |= (long) (number >>> bit & 1) << at;
        }
    }

    static TermIndex of(List<NodePreference> preferences) {
        return new TermIndex(
                preferences.stream().map(NodePreference::term).toList(),
                preferences.stream().map(NodePreference::weight).toList());
    }

    /** Returns a test of nodes for a selector, however long it is. */
    public static Predicate<Node> test(NodeSelector selector) {
        if (isShort(selector)) {
            return selector::matches;
        }
        TermIndex index = new TermIndex(selector.terms(), List.of());
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
            for (int w = 0; w < words; w++) {
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

    /** The terms that a node meets, a bit for each. */
    private long[] met(Node node) {
        long[] refused = new long[words];
        long[][] counts = new long[demanded.length][words];
        look(byKey.get(NodeRequirement.NAME), node.name(), refused, counts);
        if (byKey.size() < node.labels().size()) {
            byKey.forEach((key, terms) -> look(terms, node.labels().get(key), refused, counts));
        } else {
            node.labels().forEach((key, value) -> look(byKey.get(key), value, refused, counts));
        }
        for (int w = 0; w < words; w++) {
            long met = ~refused[w];
            for (int bit = 0; bit < counts.length; bit++) {
                met &= ~(counts[bit][w] ^ demanded[bit][w]);
            }
            refused[w] = met;
        }
        refused[words - 1] &= lastWord;
        return refused;
    }

    private static void look(@Nullable LabelTerms terms, @Nullable String value, long[] refused, long[][] counts) {
        if (terms != null && value != null) {
            terms.addRefusing(value, refused);
            terms.count(counts);
        }
    }
}
