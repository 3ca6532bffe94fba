package io.gpusched.internal;

import java.util.Arrays;

/**
 * What is known of a set of leaves, lane by lane, in one {@code long[]}: which lanes are taken (a bit for each), and
 * for each taken lane, in ascending order, an entry of four numbers that merge by maximum. Behind them may stand a tail
 * that is the owner's affair.
 *
 * <p>Few of the lanes are taken in most places, so this is small, and it is exact for each of them. Read-only once it is
 * part of a tree.
 */
public final class LaneSummary {
    /** Number of lanes, numbered from 0. */
    public static final int LANES = 256;

    /** Words of lane bits. */
    static final int WORDS = LANES / Long.SIZE;

    /*
     * Word 0 holds the bits of lanes 0..63. If word 1 is WIDE, words 2..4 hold the bits of lanes 64..255; else it is 0,
     * none of these is taken and the words are not there.
     */
    private static final long WIDE = 1;
    private static final int SHAPE = 1;
    private static final int NARROW_ENTRIES = 2;
    private static final int WIDE_ENTRIES = 1 + WORDS;

    private LaneSummary() {}

    /** Returns a summary of nothing, with a tail of zeros. */
    static long[] empty(int tail) {
        return new long[NARROW_ENTRIES + tail];
    }

    private static boolean isWide(long[] summary) {
        return summary[SHAPE] == WIDE;
    }

    /** Returns 64 of the lane bits. */
    static long bits(long[] summary, int word) {
        if (word == 0) {
            return summary[0];
        }
        return isWide(summary) ? summary[word + 1] : 0;
    }

    /** Where the entry of a lane stands, or would stand. */
    private static int position(long[] summary, int word, long bit) {
        int at = isWide(summary) ? WIDE_ENTRIES : NARROW_ENTRIES;
        for (int w = 0; w < word; w++) {
            at += Long.bitCount(bits(summary, w));
        }
        return at + Long.bitCount(bits(summary, word) & (bit - 1));
    }

    /** Returns the entry of a lane, 0 if none is in it. */
    static long entry(long[] summary, int lane) {
        int word = lane >> 6;
        return (bits(summary, word) >>> lane & 1) == 0 ? 0 : summary[position(summary, word, 1L << lane)];
    }

    /** Returns whether in any of the lanes of a mask over one word there may be a leaf with at least these numbers. */
    static boolean mayHave(long[] summary, int word, long mask, long least) {
        for (long rest = bits(summary, word) & mask; rest != 0; rest &= rest - 1) {
            if (Lanes.covers(summary[position(summary, word, Long.lowestOneBit(rest))], least)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the first lane at or after {@code from} and before {@code to} with at least these numbers, or -1. */
    public static int next(long[] summary, int from, int to, long least) {
        for (int word = from >> 6; word << 6 < to; word++) {
            long rest = word == from >> 6 ? bits(summary, word) & -1L << from : bits(summary, word);
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

    /** What happened to one of those that a summary was merged from. */
    interface Change {
        /** 64 lanes that it was in. */
        long had(int word);

        /** 64 lanes that it is in. */
        long has(int word);

        /** The greatest of these numbers that any has in a lane now; looking may end where {@code bound} is reached. */
        long max(int lane, long numbers, long bound);
    }

    /**
     * Returns the summary after the entry of one of those it was merged from changed in a lane.
     *
     * @param result the summary, or a copy of it that may be written to
     * @param was the entry before, 0 if there was none
     * @param is the entry now, 0 if there is none
     */
    static long[] replaced(long[] result, long[] summary, int lane, long was, long is, Change change) {
        int word = lane >> 6;
        if (was == is || (bits(result, word) >>> lane & 1) == 0) {
            return result;
        }
        int at = position(result, word, 1L << lane);
        long old = result[at];
        long open = Lanes.mayFall(old, was, is);
        long entry = Lanes.max(old, is);
        if (open != 0) {
            entry = entry & ~open | change.max(lane, open, old & open);
        }
        if (entry == old) {
            return result;
        }
        long[] changed = result == summary ? summary.clone() : result;
        changed[at] = entry;
        return changed;
    }

    /** Returns the summary after one of those it was merged from went from {@code before} to {@code after}. */
    static long[] replaced(long[] summary, long[] before, long[] after, Change change, int tail) {
        return haveSameLanes(before, after)
                ? entriesReplaced(summary, before, after, change)
                : lanesReplaced(reshaped(summary, change, tail), summary, before, after, change);
    }

    private static boolean haveSameLanes(long[] one, long[] other) {
        if (one[0] != other[0] || isWide(one) != isWide(other)) {
            return false;
        }
        return !isWide(one) || one[2] == other[2] && one[3] == other[3] && one[4] == other[4];
    }

    /** Where the same lanes are taken before and after, entries stand at the same places and compare fast. */
    private static long[] entriesReplaced(long[] summary, long[] before, long[] after, Change change) {
        long[] result = summary;
        int from = isWide(before) ? WIDE_ENTRIES : NARROW_ENTRIES;
        int words = isWide(before) ? WORDS : 1;
        for (int word = 0; word < words; word++) {
            long lanes = bits(before, word);
            int to = from + Long.bitCount(lanes);
            int at = from;
            int next = Arrays.mismatch(before, at, to, after, at, to);
            while (next >= 0) {
                at += next;
                int lane = (word << 6) + nth(lanes, at - from);
                result = replaced(result, summary, lane, before[at], after[at], change);
                at++;
                next = Arrays.mismatch(before, at, to, after, at, to);
            }
            from = to;
        }
        return result;
    }

    /** The number of the bit above {@code n} lower ones. */
    private static int nth(long bits, int n) {
        int low = 0;
        int left = n;
        for (int half = Long.SIZE / 2; half > 0; half /= 2) {
            int below = Long.bitCount(bits >>> low & (1L << half) - 1);
            if (below <= left) {
                left -= below;
                low += half;
            }
        }
        return low;
    }

    private static long[] lanesReplaced(long[] summary, long[] origin, long[] before, long[] after, Change change) {
        long[] result = summary;
        int b = isWide(before) ? WIDE_ENTRIES : NARROW_ENTRIES;
        int a = isWide(after) ? WIDE_ENTRIES : NARROW_ENTRIES;
        int words = isWide(before) || isWide(after) ? WORDS : 1;
        for (int word = 0; word < words; word++) {
            long had = bits(before, word);
            long has = bits(after, word);
            for (long rest = had | has; rest != 0; rest &= rest - 1) {
                long bit = Long.lowestOneBit(rest);
                long was = (had & bit) == 0 ? 0 : before[b++];
                long is = (has & bit) == 0 ? 0 : after[a++];
                if (was != is) {
                    int lane = (word << 6) + Long.numberOfTrailingZeros(bit);
                    result = replaced(result, origin, lane, was, is, change);
                }
            }
        }
        return result;
    }

    /** The summary with the lanes that are taken after the change; what comes to be taken has the entry 0. */
    static long[] reshaped(long[] summary, Change change, int tail) {
        long first = shape(summary, change, 0);
        if (!isWide(summary) && (change.has(1) | change.has(2) | change.has(3)) == 0) {
            return first == summary[0] ? summary : withLanes(summary, first, 0, 0, 0, tail);
        }
        long second = shape(summary, change, 1);
        long third = shape(summary, change, 2);
        long fourth = shape(summary, change, 3);
        boolean same = first == bits(summary, 0)
                && second == bits(summary, 1)
                && third == bits(summary, 2)
                && fourth == bits(summary, 3);
        return same ? summary : withLanes(summary, first, second, third, fourth, tail);
    }

    private static long shape(long[] summary, Change change, int word) {
        long has = change.has(word);
        long bits = bits(summary, word) | has;
        for (long rest = change.had(word) & ~has; rest != 0; rest &= rest - 1) {
            int lane = (word << 6) + Long.numberOfTrailingZeros(rest);
            if (change.max(lane, -1, -1) == 0) {
                bits &= ~Long.lowestOneBit(rest);
            }
        }
        return bits;
    }

    /** A copy with these lanes taken. */
    private static long[] withLanes(long[] summary, long first, long second, long third, long fourth, int tail) {
        boolean wide = (second | third | fourth) != 0;
        int from = wide ? WIDE_ENTRIES : NARROW_ENTRIES;
        int entries = Long.bitCount(first) + Long.bitCount(second) + Long.bitCount(third) + Long.bitCount(fourth);
        long[] result = new long[from + entries + tail];
        result[0] = first;
        if (wide) {
            result[SHAPE] = WIDE;
            result[2] = second;
            result[3] = third;
            result[4] = fourth;
        }
        int at = from;
        int old = isWide(summary) ? WIDE_ENTRIES : NARROW_ENTRIES;
        for (int word = 0; word < (wide || isWide(summary) ? WORDS : 1); word++) {
            long before = bits(summary, word);
            long after = bits(result, word);
            for (long rest = before | after; rest != 0; rest &= rest - 1) {
                long bit = Long.lowestOneBit(rest);
                long entry = (before & bit) == 0 ? 0 : summary[old++];
                if ((after & bit) != 0) {
                    result[at++] = entry;
                }
            }
        }
        System.arraycopy(summary, summary.length - tail, result, at, tail);
        return result;
    }
}
