package io.gpusched.internal.tree;

import java.util.Arrays;

/**
 * An array of {@code long} that knows its greatest element and the first place where it stands.
 *
 * <p>Setting an element costs O(1) while no maximum falls, and one scan of 32 elements per level where it does; there are
 * log<sub>32</sub> n levels. Mutable, not thread-safe.
 */
public final class Tournament {
    private static final int BITS = 5;
    private static final int WIDTH = 1 << BITS;

    /** The elements, then the maxima of each 32 of them, and so on up to one. */
    private final long[][] levels;

    /** Creates a tournament of these elements, which it takes over. */
    public Tournament(long[] elements) {
        int depth = 1;
        for (int n = elements.length; n > 1; n = (n + WIDTH - 1) >> BITS) {
            depth++;
        }
        levels = new long[depth][];
        levels[0] = elements;
        for (int level = 1; level < depth; level++) {
            long[] below = levels[level - 1];
            levels[level] = new long[(below.length + WIDTH - 1) >> BITS];
            for (int i = 0; i < levels[level].length; i++) {
                levels[level][i] = maxOfBlock(below, i);
            }
        }
    }

    /** Sets an element. */
    public void set(int index, long value) {
        int at = index;
        long before = levels[0][at];
        long after = value;
        levels[0][at] = value;
        for (int level = 1; level < levels.length && before != after; level++) {
            at >>= BITS;
            long max = levels[level][at];
            long changed = after >= max ? after : before == max ? maxOfBlock(levels[level - 1], at) : max;
            levels[level][at] = changed;
            before = max;
            after = changed;
        }
    }

    /** Returns the greatest element; {@link Long#MIN_VALUE} if there is none. */
    public long max() {
        long[] top = levels[levels.length - 1];
        return top.length == 0 ? Long.MIN_VALUE : top[0];
    }

    /** Returns the first place where the greatest element stands, or -1 if there is none. */
    public int first() {
        long max = max();
        int at = levels[0].length == 0 ? -1 : 0;
        for (int level = levels.length - 2; level >= 0; level--) {
            at <<= BITS;
            while (levels[level][at] != max) {
                at++;
            }
        }
        return at;
    }

    private static long maxOfBlock(long[] elements, int block) {
        int from = block << BITS;
        int to = Math.min(elements.length, from + WIDTH);
        long max = elements[from];
        for (int i = from + 1; i < to; i++) {
            max = Math.max(max, elements[i]);
        }
        return max;
    }

    @Override
    public String toString() {
        return Arrays.toString(levels[0]);
    }
}
