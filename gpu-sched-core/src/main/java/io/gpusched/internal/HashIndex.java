package io.gpusched.internal;

import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * A persistent multimap from 64-bit hashes to small numbers, for finding things whose home keeps the real key.
 *
 * <p>It keeps the top 40 bits of a hash beside a value of 24 bits, so a look-up may offer a value of another key; the
 * caller's predicate decides. Adding and removing one of n cost O(√(n / 1024)) on the average, with a small factor; older
 * versions stay valid. Immutable and thread-safe.
 */
public final class HashIndex {
    /** Bits of an entry that hold the value; those above hold the hash. */
    static final int VALUE_BITS = 24;

    /** The greatest value that can be kept. */
    public static final int MAX_VALUE = (1 << VALUE_BITS) - 1;

    /** The index of nothing. */
    public static final HashIndex EMPTY = new HashIndex(empty());

    private static final int BITS = 5;
    private static final int FAN = 1 << BITS;

    /** How many of the first bits of a hash say in which segment it is. */
    static final int SEGMENT_BITS = 2 * BITS;

    /** By the top five bits of a hash, then by the next five. */
    private final HashSegment[][] segments;

    private HashIndex(HashSegment[][] segments) {
        this.segments = segments;
    }

    private static HashSegment[][] empty() {
        HashSegment[] row = new HashSegment[FAN];
        Arrays.fill(row, HashSegment.EMPTY);
        HashSegment[][] rows = new HashSegment[FAN][];
        Arrays.fill(rows, row);
        return rows;
    }

    private static int row(long hash) {
        return (int) (hash >>> Long.SIZE - BITS);
    }

    private static int column(long hash) {
        return (int) (hash >>> Long.SIZE - SEGMENT_BITS) & (FAN - 1);
    }

    private static long entry(long hash, int value) {
        return (hash & ~(long) MAX_VALUE) | value;
    }

    /** Returns this index with one more value under a hash. */
    public HashIndex plus(long hash, int value) {
        return with(hash, segment(hash).plus(entry(hash, value)));
    }

    /**
     * Returns this index without one value under a hash, which must be there: if not, this method or a later change
     * throws {@link IllegalStateException}.
     */
    public HashIndex minus(long hash, int value) {
        return with(hash, segment(hash).minus(entry(hash, value)));
    }

    private HashSegment segment(long hash) {
        return segments[row(hash)][column(hash)];
    }

    private HashIndex with(long hash, HashSegment changed) {
        HashSegment[][] rows = segments.clone();
        HashSegment[] row = rows[row(hash)].clone();
        row[column(hash)] = changed;
        rows[row(hash)] = row;
        return new HashIndex(rows);
    }

    /** Returns a value under this hash that the predicate takes, or -1. */
    public int find(long hash, IntPredicate wanted) {
        return segment(hash).find(hash, wanted);
    }
}
