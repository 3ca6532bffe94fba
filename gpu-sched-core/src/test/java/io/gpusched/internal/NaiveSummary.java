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
    public void addLeaf(Integer leaf, long[] summary) {
        for (int lane = 0; lane < 8; lane++) {
            int word = lane / 4;
            int value = Math.max(Lanes.get(summary[word], lane % 4), part(leaf, lane));
            summary[word] = summary[word] & ~Lanes.of(lane % 4, 0xFFFF) | Lanes.of(lane % 4, value);
        }
        summary[2] |= 1L << (leaf & 63);
        summary[3] += leaf;
        summary[4]++;
    }

    /** Some digit of the number, different for each lane. */
    static int part(int leaf, int lane) {
        return (leaf * 31 + lane * 7_919) % (Lanes.MAX + 1) & Lanes.MAX;
    }

    static long[] of(List<Integer> leaves) {
        NaiveSummary format = new NaiveSummary();
        long[] summary = new long[format.words()];
        leaves.forEach(leaf -> format.addLeaf(leaf, summary));
        return summary;
    }
}
