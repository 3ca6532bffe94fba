package io.gpusched.internal;

import java.util.List;

/**
 * Leaves of one number each, and what a tree of them should keep: of all but the last six bits the greatest digits, of all
 * but the last three the sum, of the last six which values occur, which bits occur at all, and the count. Leaves of the same key may so differ in
 * their or-word.
 */
final class NaiveSummary implements SummaryFormat<Integer> {
    @Override
    public int maxWords() {
        return 2;
    }

    @Override
    public int sumWords() {
        return 2;
    }

    @Override
    public int orWords() {
        return 2;
    }

    @Override
    public long key(Integer leaf) {
        return leaf >> 6;
    }

    @Override
    public long secondKey(Integer leaf) {
        return leaf >> 3 & 7;
    }

    @Override
    public void addKey(long key, long secondKey, long[] summary) {
        for (int lane = 0; lane < 8; lane++) {
            int word = lane / 4;
            int value = Math.max(Lanes.get(summary[word], lane % 4), digit(key, lane));
            summary[word] = summary[word] & ~Lanes.of(lane % 4, 0xFFFF) | Lanes.of(lane % 4, value);
        }
        summary[2] += 8 * key + secondKey;
        summary[3]++;
    }

    @Override
    public long sumOfKey(long key, long secondKey, int word) {
        return word == 0 ? 8 * key + secondKey : 1;
    }

    @Override
    public long orWord(Integer leaf, int word) {
        return word == 0 ? 1L << bit(leaf) : leaf;
    }

    /** The bit of a leaf's or-word. */
    static int bit(int leaf) {
        return leaf & 63;
    }

    /** Some digit of a key, different for each lane. */
    static int digit(long key, int lane) {
        return (int) (key * 3_197 + lane * 7_919L) & Lanes.MAX;
    }

    /** The summary of a list, leaf by leaf. */
    static long[] of(List<Integer> leaves) {
        NaiveSummary format = new NaiveSummary();
        long[] summary = new long[format.words()];
        leaves.forEach(leaf -> {
            format.addKey(format.key(leaf), format.secondKey(leaf), summary);
            summary[4] |= format.orWord(leaf, 0);
            summary[5] |= format.orWord(leaf, 1);
        });
        return summary;
    }
}
