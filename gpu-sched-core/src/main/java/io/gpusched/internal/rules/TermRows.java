package io.gpusched.internal.rules;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Tells which of many terms some labels meet, all of them at a time: a bit for each, so that it costs O(labels · terms / 64) whatever
 * the terms say. Immutable and thread-safe.
 */
final class TermRows {
    /*
     * Of each label that any term looks at, a row of bits tells for each value which terms refuse it (LabelTerms). Labels fail
     * those that refuse one of their values, and those that demand a label which is not there. To find the latter, the labels of
     * a term that are there are counted: bit b of all counts stands in one row, and to count a label is to add a row of
     * single bits to them, with carry. The terms are met of which the count is the number of labels demanded.
     *
     * Example, three terms: "zone in a", "rack not in r1, zone exists", "disk does not exist". They demand 1, 1 and 0 labels. A node
     * with zone=a, rack=r1 has one for the first two; the second refuses r1; so it meets the first and the third.
     */
    private final int words;
    private final Map<String, LabelTerms> byKey = new HashMap<>();

    /** By bit of the number of labels that a term demands: a row of bits, one for each term. */
    private final long[][] demanded;

    /** The bits that stand for terms, in the last word of a row. */
    private final long lastWord;

    /**
     * Files terms.
     *
     * @param terms what each demands of each label; at least one
     */
    TermRows(List<Map<String, LabelCondition>> terms) {
        words = (terms.size() + Long.SIZE - 1) / Long.SIZE;
        lastWord = -1L >>> -terms.size();
        Map<String, LabelTerms.Builder> builders = new HashMap<>();
        int[] labels = new int[terms.size()];
        for (int term = 0; term < labels.length; term++) {
            int number = term;
            terms.get(term)
                    .forEach((key, condition) -> builders.computeIfAbsent(key, any -> new LabelTerms.Builder())
                            .add(number, condition));
            labels[term] = (int) terms.get(term).values().stream()
                    .filter(LabelCondition::mustBe)
                    .count();
        }
        builders.forEach((key, builder) -> byKey.put(key, builder.build(words)));
        demanded = rows(labels);
    }

    /** Returns numbers as rows of their bits. */
    static long[][] rows(int[] numbers) {
        int most = 0;
        for (int number : numbers) {
            most = Math.max(most, number);
        }
        int words = (numbers.length + Long.SIZE - 1) / Long.SIZE;
        long[][] rows = new long[Integer.SIZE - Integer.numberOfLeadingZeros(most)][words];
        for (int at = 0; at < numbers.length; at++) {
            for (int bit = 0; bit < rows.length; bit++) {
                rows[bit][at / Long.SIZE] |= (long) (numbers[at] >>> bit & 1) << at;
            }
        }
        return rows;
    }

    /**
     * Returns the terms that are met, a bit for each.
     *
     * @param moreKey a label beside the others, if there is a value for it
     */
    long[] met(Map<String, String> labels, String moreKey, @Nullable String moreValue) {
        long[] refused = new long[words];
        long[][] counts = new long[demanded.length][words];
        look(byKey.get(moreKey), moreValue, refused, counts);
        if (byKey.size() < labels.size()) {
            byKey.forEach((key, terms) -> look(terms, labels.get(key), refused, counts));
        } else {
            labels.forEach((key, value) -> look(byKey.get(key), value, refused, counts));
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
