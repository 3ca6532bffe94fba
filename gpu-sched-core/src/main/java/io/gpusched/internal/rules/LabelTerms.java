package io.gpusched.internal.rules;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What the terms of a {@link TermIndex} say of one label, as rows with a bit for each term. Immutable. */
final class LabelTerms {
    /*
     * Most values are named by no term: what refuses them depends on the number they are, as far as it lies between other bounds,
     * or is the same for all that are no number. A value that is named differs from these in the terms that name it, so only the
     * words of the row are kept in which it does.
     */
    /** The terms that a node without the label does not meet. */
    private final long[] demanding;

    /** Numbers at which other terms begin to refuse, ascending. */
    private final long[] bounds;

    /** The terms that refuse a value that none names: by the number of bounds up to it, last for what is no number. */
    private final long[][] refusing;

    private final Map<String, Named> named = new HashMap<>();

    /**
     * How the row of a value differs from that of others.
     *
     * @param row which row of those for others it differs from
     * @param at the words that differ, ascending
     * @param bits the bits that differ in each
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Named(int row, int[] at, long[] bits) {}

    /** Gathers the conditions of terms on one label. */
    static final class Builder {
        private final List<Filed> all = new ArrayList<>();

        /** Adds the condition of a term that has none on this label so far. */
        void add(int term, LabelCondition condition) {
            all.add(new Filed(term, condition));
        }

        LabelTerms build(int words) {
            return new LabelTerms(all, words);
        }
    }

    private record Filed(int term, LabelCondition condition) {}

    private LabelTerms(List<Filed> all, int words) {
        demanding = new long[words];
        Map<String, List<Filed>> naming = new HashMap<>();
        TreeMap<Long, List<Filed>> steps = new TreeMap<>();
        for (Filed filed : all) {
            if (filed.condition.mustBe()) {
                set(demanding, filed.term, true);
            }
            for (String value : filed.condition.named()) {
                naming.computeIfAbsent(value, any -> new ArrayList<>()).add(filed);
            }
            for (long bound : filed.condition.bounds()) {
                steps.computeIfAbsent(bound, any -> new ArrayList<>()).add(filed);
            }
        }
        bounds = steps.keySet().stream().mapToLong(bound -> bound).toArray();
        refusing = new long[bounds.length + 2][];
        refusing[bounds.length + 1] = refusing(new long[words], all, null);
        refusing[0] = refusing(new long[words], all, Long.MIN_VALUE);
        for (int row = 1; row <= bounds.length; row++) {
            long bound = bounds[row - 1];
            refusing[row] = refusing(refusing[row - 1].clone(), steps.getOrDefault(bound, List.of()), bound);
        }
        naming.forEach((value, terms) -> named.put(value, named(value, terms)));
    }

    private static void set(long[] row, int term, boolean value) {
        long others = row[term / Long.SIZE] & ~(1L << term);
        row[term / Long.SIZE] = others | (value ? 1L << term : 0);
    }

    /** Writes into a row which of some terms refuse a value that none names. */
    private static long[] refusing(long[] row, List<Filed> terms, @Nullable Long number) {
        for (Filed filed : terms) {
            set(row, filed.term, !filed.condition.acceptsUnnamed(number));
        }
        return row;
    }

    private Named named(String value, List<Filed> terms) {
        int row = row(value);
        TreeMap<Integer, Long> changes = new TreeMap<>();
        for (Filed filed : terms) {
            int word = filed.term / Long.SIZE;
            boolean refusedElse = (refusing[row][word] >>> filed.term & 1) != 0;
            if (filed.condition.accepts(value) == refusedElse) {
                changes.merge(word, 1L << filed.term, Long::sum);
            }
        }
        return new Named(
                row,
                changes.keySet().stream().mapToInt(word -> word).toArray(),
                changes.values().stream().mapToLong(bits -> bits).toArray());
    }

    /** The row for a value that no term names. */
    private int row(String value) {
        Long number = bounds.length == 0 ? null : LabelCondition.number(value);
        if (number == null) {
            return bounds.length + 1;
        }
        int at = Arrays.binarySearch(bounds, number);
        return at < 0 ? -at - 1 : at + 1;
    }

    /** Adds the terms that refuse a value to a row. */
    void addRefusing(String value, long[] row) {
        Named known = named.get(value);
        if (known != null) {
            addRefusing(known, row);
            return;
        }
        long[] others = refusing[row(value)];
        for (int w = 0; w < row.length; w++) {
            row[w] |= others[w];
        }
    }

    private void addRefusing(Named value, long[] row) {
        long[] others = refusing[value.row];
        int next = 0;
        for (int w = 0; w < row.length; w++) {
            boolean differs = next < value.at.length && value.at[next] == w;
            row[w] |= differs ? others[w] ^ value.bits[next++] : others[w];
        }
    }

    /** Adds one to the counts of the terms that demand the label; bit b of a count stands in row b. */
    void count(long[][] counts) {
        for (int w = 0; w < demanding.length; w++) {
            long carry = demanding[w];
            for (int bit = 0; carry != 0 && bit < counts.length; bit++) {
                long both = counts[bit][w] & carry;
                counts[bit][w] ^= carry;
                carry = both;
            }
        }
    }
}
