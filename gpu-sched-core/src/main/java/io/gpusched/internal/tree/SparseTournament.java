package io.gpusched.internal.tree;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What {@link Tournament} is, for arrays most of whose elements are {@link Long#MIN_VALUE}: blocks of 32 such elements take
 * no room. Mutable, not thread-safe.
 */
public final class SparseTournament {
    private static final int BITS = 5;
    private static final int WIDTH = 1 << BITS;

    private final long[] @Nullable [] blocks;
    private final Tournament maxima;

    /** Creates a tournament of this many elements, all {@link Long#MIN_VALUE}. */
    public SparseTournament(int size) {
        int count = (size + WIDTH - 1) >> BITS;
        blocks = new long[count][];
        long[] none = new long[count];
        Arrays.fill(none, Long.MIN_VALUE);
        maxima = new Tournament(none);
    }

    /** Sets an element. */
    public void set(int index, long value) {
        int at = index >> BITS;
        long[] block = blocks[at];
        if (block == null) {
            if (value == Long.MIN_VALUE) {
                return;
            }
            block = new long[WIDTH];
            Arrays.fill(block, Long.MIN_VALUE);
            blocks[at] = block;
        }
        block[index & (WIDTH - 1)] = value;
        long max = block[0];
        for (int i = 1; i < WIDTH; i++) {
            max = Math.max(max, block[i]);
        }
        if (max == Long.MIN_VALUE) {
            blocks[at] = null;
        }
        maxima.set(at, max);
    }

    /** Returns the greatest element; {@link Long#MIN_VALUE} if there is none. */
    public long max() {
        return maxima.max();
    }

    /** Returns the first place where the greatest element stands, or -1 if all are {@link Long#MIN_VALUE}. */
    public int first() {
        int at = maxima.first();
        long[] block = at < 0 ? null : blocks[at];
        if (block == null) {
            return -1;
        }
        long max = max();
        int in = 0;
        while (block[in] != max) {
            in++;
        }
        return at << BITS | in;
    }
}
