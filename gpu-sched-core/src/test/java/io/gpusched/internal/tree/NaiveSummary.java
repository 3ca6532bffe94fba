package io.gpusched.internal.tree;

import java.util.List;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Leaves of one number each; all but the last six bits are the key, from which most lanes and the entry follow; where bit 5
 * is set the last six bits put the leaf into two more lanes. And what a tree of them should keep, leaf by leaf.
 */
final class NaiveSummary implements SummaryFormat<Integer> {
    @Override
    public long digest(Integer leaf) {
        return leaf >> 6;
    }

    @Override
    public long entry(long key) {
        long entry = 0;
        for (int number = 0; number < Lanes.PER_WORD; number++) {
            entry |= Lanes.of(number, digit(key, number));
        }
        return entry;
    }

    @Override
    public long count(long key) {
        return 8 * key;
    }

    @Override
    public long lanes(long key) {
        return key == 0 ? 0 : 1L << key % 10 | 1L << 10 + key % 53;
    }

    private static boolean hasMoreLanes(Integer leaf) {
        return (leaf & 32) != 0;
    }

    @Override
    public long @Nullable [] moreLanes(Integer leaf) {
        if (!hasMoreLanes(leaf)) {
            return null;
        }
        return LongStream.range(0, 4).map(word -> moreLanes(leaf, (int) word)).toArray();
    }

    private static long moreLanes(Integer leaf, int word) {
        int lane = 64 + 6 * (leaf & 31);
        return (lane >> 6 == word ? 1L << lane : 0) | (word == 0 ? 1L << (leaf & 31) : 0);
    }

    /** Some digit of a key, from 1, different for each of the numbers. */
    static int digit(long key, int number) {
        return (int) (key * 3_197 + number * 7_919L) % Lanes.MAX + 1;
    }

    /** Whether a leaf is in a lane. */
    boolean isIn(int leaf, int lane) {
        long more = hasMoreLanes(leaf) ? moreLanes(leaf, lane >> 6) : 0;
        long lanes = lane < Long.SIZE ? lanes(digest(leaf)) | more : more;
        return (lanes >>> lane & 1) != 0;
    }

    /** The entries by lane. */
    static TreeMap<Integer, Long> of(List<Integer> leaves) {
        NaiveSummary format = new NaiveSummary();
        TreeMap<Integer, Long> summary = new TreeMap<>();
        for (Integer leaf : leaves) {
            for (int lane = 0; lane < LaneSummary.LANES; lane++) {
                if (format.isIn(leaf, lane)) {
                    summary.merge(lane, format.entry(format.digest(leaf)), Lanes::max);
                }
            }
        }
        return summary;
    }

    /** What a tree keeps, in the same shape. */
    static TreeMap<Integer, Long> read(long[] kept) {
        TreeMap<Integer, Long> summary = new TreeMap<>();
        for (int lane = 0; lane < LaneSummary.LANES; lane++) {
            if ((LaneSummary.bits(kept, lane >> 6) >>> lane & 1) != 0) {
                summary.put(lane, LaneSummary.entry(kept, lane));
            }
        }
        return summary;
    }
}
