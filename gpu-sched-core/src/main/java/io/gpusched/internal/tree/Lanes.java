package io.gpusched.internal.tree;

/**
 * Three unsigned 15-bit numbers in the low 48 bits of a {@code long}, each in a 16-bit lane whose top bit is free.
 *
 * <p>The free bit makes lane-wise comparison one subtraction: with the top bit of every lane of {@code a} set,
 * {@code a - b} borrows it exactly in the lanes where {@code a < b}, and no borrow crosses a lane. The 16 bits above are
 * 0 unless said otherwise.
 */
public final class Lanes {
    /** Lanes in a word. */
    public static final int PER_WORD = 3;

    /** The greatest number in a lane. */
    public static final int MAX = 0x7FFF;

    /** All bits of all numbers. */
    public static final long ALL = 0x7FFF_7FFF_7FFFL;

    private static final long TOP = 0x8000_8000_8000L;

    private Lanes() {}

    /** Returns a word with this value in this lane and 0 elsewhere. */
    public static long of(int lane, int value) {
        return (long) value << (lane << 4);
    }

    /** Returns the value of a lane. */
    public static int get(long word, int lane) {
        return (int) (word >>> (lane << 4)) & MAX;
    }

    /** Returns the greater value of each lane. */
    public static long max(long a, long b) {
        long mask = (atLeast(a, b) >>> 15) * 0xFFFFL;
        return (a & mask) | (b & ~mask);
    }

    /** Returns whether each value of {@code a} is at least that of {@code b}; what stands above those of {@code a} is ignored. */
    public static boolean covers(long a, long b) {
        return atLeast(a, b) == TOP;
    }

    /**
     * Returns a mask over the lanes whose maximum {@code merged} may fall when {@code before}, one of the words it was
     * merged from, becomes {@code after}: the lanes that shrink and held the maximum.
     */
    public static long mayFall(long merged, long before, long after) {
        long shrinks = ~atLeast(after, before) & TOP;
        long decides = atLeast(before, merged);
        return ((shrinks & decides) >>> 15) * 0xFFFFL;
    }

    private static long atLeast(long a, long b) {
        return ((a | TOP) - b) & TOP;
    }
}
