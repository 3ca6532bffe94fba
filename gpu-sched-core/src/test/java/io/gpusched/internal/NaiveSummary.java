package io.gpusched.internal;

import java.util.List;

/** Leaves of one number each, and what a tree of them should keep: greatest digits, bits seen, sum and count. */
final class NaiveSummary implements SummaryFormat<Integer> {
    @Override
    public int maxWords() {
        return 2;
    }

    @Override
    public int orWords() {
        return 1;
    }

    @Override
    public int sumWords() {
        return 2;
    }

    @Override
    public long key(Integer leaf) {
        return leaf;
    }

    @Override
    public long secondKey(Integer leaf) {
        return ~(long) leaf;
    }

    @Override
    public void addKey(long key, long secondKey, long[] summary) {
        int leaf = (int) (key & ~secondKey);
        for (int lane = 0; lane < 8; lane++) {
            int word = lane / 4;
            int value = Math.max(Lanes.get(summary[word], lane % 4), part(leaf, lane));
            summary[word] = summary[word] & ~Lanes.of(lane % 4, 0xFFFF) | Lanes.of(lane % 4, value);
        }
        summary[2] += leaf;
        summary[3]++;
    }

    @Override
    public long sumOfKey(long key, long secondKey, int word) {
        return word == 0 ? key & ~secondKey : 1;
    }

    @Override
    public long orWord(Integer leaf, int word) {
        return 1L << (leaf & 63);
    }

    /** Some digit of the number, different for each lane. */
    static int part(int leaf, int lane) {
        return (leaf * 31 + lane * 7_919) % (Lanes.MAX + 1) & Lanes.MAX;
    }

    static long[] of(List<Integer> leaves) {
        NaiveSummary format = new NaiveSummary();
        long[] summary = new long[format.words()];
        for (int leaf : leaves) {
            format.addKey(format.key(leaf), format.secondKey(leaf), summary);
            summary[4] |= format.orWord(leaf, 0);
        }
        return summary;
    }
}
