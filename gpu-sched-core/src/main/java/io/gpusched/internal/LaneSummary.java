package io.gpusched.internal;

import java.util.Arrays;

/**
 * What is known of a set of leaves, lane by lane, in one {@code long[]}: which lanes are taken (a bit for each), the sum of
 * the leaves' counts, and for each taken lane, in ascending order, an entry of four numbers that merge by maximum.
 *
 * <p>Few of the lanes are taken in most places, so this is small, and it is exact for each of them. Read-only once it is
 * part of a tree.
 */
public final class LaneSummary {
    /** Number of lanes. */
    public static final int LANES = 256;

    /** Words of bits, and where the sum stands. */
    static final int WORDS = LANES / Long.SIZE;

    private static final int FIRST_ENTRY = WORDS + 1;

    private LaneSummary() {}

    /** Returns a summary of nothing. */
    static long[] empty() {
        return new long[FIRST_ENTRY];
    }

    /** Returns the sum of the counts. */
    static long sum(long[] summary) {
        return summary[WORDS];
    }

    /** Returns the entry of a lane, 0 if none is in it. */
    static long entry(long[] summary, int lane) {
        int word = lane >> 6;
        return (summary[word] >>> lane & 1) == 0 ? 0 : summary[position(summary, word, 1L << lane)];
    }

    /** Where the entry of a lane stands or would stand. */
    private static int position(long[] summary, int word, long bit) {
        int at = FIRST_ENTRY + Long.bitCount(summary[word] & (bit - 1));
        for (int w = 0; w < word; w++) {
            at += Long.bitCount(summary[w]);
        }
        return at;
    }

    /** Returns whether in any of the lanes of a mask over one word there may be a leaf with at least these numbers. */
    static boolean mayHave(long[] summary, int word, long mask, long least) {
        for (long rest = summary[word] & mask; rest != 0; rest &= rest - 1) {
            if (Lanes.covers(summary[position(summary, word, Long.lowestOneBit(rest))], least)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the first lane at or after {@code from} and before {@code to} with at least these numbers, or -1. */
    public static int next(long[] summary, int from, int to, long least) {
        for (int word = from >> 6; word << 6 < to; word++) {
            long rest = word == from >> 6 ? summary[word] & -1L << from : summary[word];
            for (; rest != 0; rest &= rest - 1) {
                int lane = (word << 6) + Long.numberOfTrailingZeros(rest);
                if (lane >= to) {
                    return -1;
                }
                if (Lanes.covers(entry(summary, lane), least)) {
                    return lane;
                }
            }
        }
        return -1;
    }

    /**
     * Returns the summary with another entry in a lane; 0 frees the lane.
     *
     * @param owned whether the summary is private to the caller and may be written to
     */
    static long[] with(long[] summary, int lane, long entry, boolean owned) {
        int word = lane >> 6;
        long bit = 1L << lane;
        int at = position(summary, word, bit);
        boolean taken = (summary[word] & bit) != 0;
        if (taken == (entry != 0)) {
            long[] result = owned ? summary : summary.clone();
            if (taken) {
                result[at] = entry;
            }
            return result;
        }
        int change = taken ? -1 : 1;
        long[] result = new long[summary.length + change];
        System.arraycopy(summary, 0, result, 0, at);
        if (taken) {
            System.arraycopy(summary, at + 1, result, at, result.length - at);
        } else {
            System.arraycopy(summary, at, result, at + 1, summary.length - at);
            result[at] = entry;
        }
        result[word] ^= bit;
        return result;
    }

    /** Returns the summary with something added to the sum. */
    static long[] plus(long[] summary, long count, boolean owned) {
        if (count == 0) {
            return summary;
        }
        long[] result = owned ? summary : summary.clone();
        result[WORDS] += count;
        return result;
    }

    /** Returns both merged. */
    static long[] merged(long[] one, long[] other) {
        long[] result = plus(one.clone(), other[WORDS], true);
        int at = FIRST_ENTRY;
        for (int word = 0; word < WORDS; word++) {
            for (long rest = other[word]; rest != 0; rest &= rest - 1) {
                result = max(result, (word << 6) + Long.numberOfTrailingZeros(rest), other[at++]);
            }
        }
        return result;
    }

    /** Puts a leaf's entry, by maximum, into a lane of a summary that the caller owns. */
    static long[] max(long[] summary, int lane, long entry) {
        return with(summary, lane, Lanes.max(entry(summary, lane), entry), true);
    }

    /** Looks up a lane somewhere else, for {@link #replaced}. */
    interface Rescan {
        /** The greatest numbers in these lanes of the entries; it may stop where {@code bound} is reached. */
        long max(int lane, long numbers, long bound);
    }

    /**
     * Returns the summary after one of those it was merged from went from {@code before} to {@code after}.
     *
     * @param rescan knows what is merged now
     */
    static long[] replaced(long[] summary, long[] before, long[] after, Rescan rescan) {
        long[] result = plus(summary, after[WORDS] - before[WORDS], false);
        int b = FIRST_ENTRY;
        int a = FIRST_ENTRY;
        for (int word = 0; word < WORDS; word++) {
            for (long rest = before[word] | after[word]; rest != 0; rest &= rest - 1) {
                long bit = Long.lowestOneBit(rest);
                long was = (before[word] & bit) == 0 ? 0 : before[b++];
                long is = (after[word] & bit) == 0 ? 0 : after[a++];
                if (was != is) {
                    int lane = (word << 6) + Long.numberOfTrailingZeros(bit);
                    result = replaced(result, result != summary, lane, was, is, rescan);
                }
            }
        }
        return result;
    }

    /** Returns the summary after one entry in a lane went from one value to another; 0 is none. */
    static long[] replaced(long[] summary, boolean owned, int lane, long was, long is, Rescan rescan) {
        long old = entry(summary, lane);
        long open = Lanes.mayFall(old, was, is);
        long now = Lanes.max(old, is);
        if (open != 0) {
            now = now & ~open | rescan.max(lane, open, old & open);
        }
        return now == old ? summary : with(summary, lane, now, owned);
    }

    /** Shows lanes and entries. */
    static String toString(long[] summary) {
        return Arrays.toString(summary);
    }
}
