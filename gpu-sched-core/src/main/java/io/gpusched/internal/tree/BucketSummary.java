package io.gpusched.internal.tree;

/**
 * What is known of up to 16 members, bucket by bucket, in one {@code long[]}: which buckets are taken (a bit for each), and for
 * each taken bucket, in ascending order, which members are in it and the greatest of each of three numbers among those.
 * Behind them may stand a tail that is the owner's affair.
 *
 * <p>Few of the buckets are taken in most places, so this is small, and it is exact for each of them. Read-only once it is
 * part of a tree.
 */
public final class BucketSummary {
    /** Number of buckets, numbered from 0. */
    public static final int BUCKETS = 256;

    /** Words of bucket bits. */
    public static final int WORDS = BUCKETS / Long.SIZE;

    /*
     * Word 0 holds the bits of buckets 0..63, and word 1 in 16 bits each where the entries of each 64 buckets start. If that is
     * word 5 for the first of them, words 2..4 hold the bits of buckets 64..255; else it is word 2, none of these is taken and
     * the words are not there. An entry is a word for a taken bucket: its members in the top 16 bits, the numbers of Buckets
     * below.
     */
    private static final int STARTS = 1;
    private static final int START_BITS = 16;
    private static final int START = (1 << START_BITS) - 1;
    private static final int NARROW_ENTRIES = 2;
    private static final int WIDE_ENTRIES = 1 + WORDS;
    private static final int MEMBERS = 48;

    private BucketSummary() {}

    /** Returns a summary of nothing, with a tail of zeros. */
    public static long[] empty(int tail) {
        long[] summary = new long[NARROW_ENTRIES + tail];
        summary[STARTS] = starts(NARROW_ENTRIES, 0, 0, 0);
        return summary;
    }

    public static boolean isWide(long[] summary) {
        return entries(summary) == WIDE_ENTRIES;
    }

    /** Returns 64 of the bucket bits. */
    public static long bits(long[] summary, int word) {
        if (word == 0) {
            return summary[0];
        }
        return isWide(summary) ? summary[word + 1] : 0;
    }

    /** Whether the same buckets are taken in both. */
    public static boolean haveSameBuckets(long[] one, long[] other) {
        if (one[0] != other[0] || isWide(one) != isWide(other)) {
            return false;
        }
        return !isWide(one) || one[2] == other[2] && one[3] == other[3] && one[4] == other[4];
    }

    /** Where the first entry stands. */
    public static int entries(long[] summary) {
        return (int) summary[STARTS] & START;
    }

    /** Where the entry of a bucket stands, or would stand. */
    private static int position(long[] summary, int word, long bit) {
        return ((int) (summary[STARTS] >>> word * START_BITS) & START) + Long.bitCount(bits(summary, word) & (bit - 1));
    }

    /** Where the entries of each 64 buckets start, given where the first do and the bits of the buckets. */
    private static long starts(int entries, long first, long second, long third) {
        long next = (long) entries + Long.bitCount(first);
        long afterNext = next + Long.bitCount(second);
        long last = afterNext + Long.bitCount(third);
        return entries | next << START_BITS | afterNext << 2 * START_BITS | last << 3 * START_BITS;
    }

    /** Returns the greatest numbers in a bucket that is taken. */
    public static long entry(long[] summary, int bucket) {
        return summary[position(summary, bucket >> 6, 1L << bucket)] & Lanes.ALL;
    }

    private static int members(long entry) {
        return (int) (entry >>> MEMBERS);
    }

    /**
     * Returns the members, as a mask, that are in any of the buckets of a mask over one word of which some member has at
     * least these numbers: 0 if none can be in such a bucket and have them.
     */
    public static int candidates(long[] summary, int word, long mask, long least) {
        int candidates = 0;
        for (long rest = bits(summary, word) & mask; rest != 0; rest &= rest - 1) {
            long entry = summary[position(summary, word, Long.lowestOneBit(rest))];
            if (Lanes.covers(entry, least)) {
                candidates |= members(entry);
            }
        }
        return candidates;
    }

    /** Returns 64 of the buckets that a member is in. */
    public static long buckets(long[] summary, int member, int word) {
        long buckets = 0;
        long taken = bits(summary, word);
        int at = position(summary, word, 1);
        for (long rest = taken; rest != 0; rest &= rest - 1) {
            if ((summary[at++] >>> MEMBERS + member & 1) != 0) {
                buckets |= Long.lowestOneBit(rest);
            }
        }
        return buckets;
    }

    /** Returns a copy with room for a member: those from it on have the next number each, in the tail too. */
    static long[] withGap(long[] summary, int member, int tail) {
        long[] result = summary.clone();
        long before = (1L << member) - 1 << MEMBERS;
        int end = summary.length - tail;
        for (int i = entries(summary); i < end; i++) {
            long entry = summary[i];
            long members = entry & -1L << MEMBERS;
            result[i] = entry & Lanes.ALL | members & before | (members & ~before) << 1;
        }
        System.arraycopy(summary, end + member, result, end + member + 1, tail - member - 1);
        result[end + member] = 0;
        return result;
    }

    /** What happened to one of the members. */
    public interface Change {
        /** The number of the member. */
        int member();

        /** 64 buckets that it was in. */
        long had(int word);

        /** 64 buckets that it is in. */
        long has(int word);

        /**
         * The greatest of these numbers that any of these members has in a bucket now; looking may end where {@code bound} is
         * reached.
         */
        long max(int members, int bucket, long numbers, long bound);
    }

    /**
     * Returns the summary after a member's numbers changed in a bucket that it was or is in.
     *
     * @param result the summary, in which a bucket that nobody is in any more is not taken; written to unless it is shared
     * @param shared a summary that may not be written to
     * @param was its numbers before, 0 if it was not there
     * @param is its numbers now, 0 if it is not there
     */
    @SuppressWarnings("ReferenceEquality") // what others hold is not written to
    public static long[] replaced(long[] result, long[] shared, int bucket, long was, long is, Change change) {
        int word = bucket >> 6;
        long bit = 1L << bucket;
        if (was == is || (bits(result, word) & bit) == 0) {
            return result;
        }
        int at = position(result, word, bit);
        long entry = replaced(result[at], bucket, was, is, change);
        if (entry == result[at]) {
            return result;
        }
        long[] changed = result == shared ? shared.clone() : result;
        changed[at] = entry;
        return changed;
    }

    private static long replaced(long entry, int bucket, long was, long is, Change change) {
        int member = 1 << change.member();
        int members = is == 0 ? members(entry) & ~member : members(entry) | member;
        long old = entry & Lanes.ALL;
        long open = Lanes.mayFall(old, was, is);
        long max = Lanes.max(old, is);
        if (open != 0) {
            max = max & ~open | change.max(members, bucket, open & Lanes.ALL, old & open);
        }
        return (long) members << MEMBERS | max;
    }

    /** The summary with the buckets that are taken after the change; what comes to be taken has the entry 0. */
    public static long[] reshaped(long[] summary, Change change, int tail) {
        long first = shape(summary, change, 0);
        if (!isWide(summary) && (change.has(1) | change.has(2) | change.has(3)) == 0) {
            return first == summary[0] ? summary : withBuckets(summary, first, 0, 0, 0, tail);
        }
        long second = shape(summary, change, 1);
        long third = shape(summary, change, 2);
        long fourth = shape(summary, change, 3);
        boolean same = first == bits(summary, 0)
                && second == bits(summary, 1)
                && third == bits(summary, 2)
                && fourth == bits(summary, 3);
        return same ? summary : withBuckets(summary, first, second, third, fourth, tail);
    }

    private static long shape(long[] summary, Change change, int word) {
        long has = change.has(word);
        long bits = bits(summary, word) | has;
        for (long rest = change.had(word) & ~has; rest != 0; rest &= rest - 1) {
            long bit = Long.lowestOneBit(rest);
            if (members(summary[position(summary, word, bit)]) == 1 << change.member()) {
                bits &= ~bit;
            }
        }
        return bits;
    }

    /** A copy with these buckets taken. */
    private static long[] withBuckets(long[] summary, long first, long second, long third, long fourth, int tail) {
        boolean wide = (second | third | fourth) != 0;
        int from = wide ? WIDE_ENTRIES : NARROW_ENTRIES;
        int entries = Long.bitCount(first) + Long.bitCount(second) + Long.bitCount(third) + Long.bitCount(fourth);
        long[] result = new long[from + entries + tail];
        result[0] = first;
        result[STARTS] = starts(from, first, second, third);
        if (wide) {
            result[2] = second;
            result[3] = third;
            result[4] = fourth;
        }
        int at = from;
        int old = entries(summary);
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
