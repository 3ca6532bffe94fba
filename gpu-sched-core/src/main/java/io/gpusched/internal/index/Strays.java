package io.gpusched.internal.index;

import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * A persistent multiset of few entries of a {@link HashIndex}: a hash and, in its last bits, a value. Immutable.
 *
 * <p>1,024 short sorted arrays by the first bits of the hash; adding and removing cost O(n / 1024).
 */
public final class Strays {
    private static final int BITS = 5;
    private static final int FAN = 1 << BITS;

    public static final Strays NONE = new Strays(none(), 0);

    /** By the first five bits of a hash, then by the next five. */
    private final long[][][] rows;

    private final int size;

    private Strays(long[][][] rows, int size) {
        this.rows = rows;
        this.size = size;
    }

    private static long[][][] none() {
        long[][] row = new long[FAN][0];
        long[][][] rows = new long[FAN][][];
        Arrays.fill(rows, row);
        return rows;
    }

    public int size() {
        return size;
    }

    private static int row(long entry) {
        return (int) (entry >>> Long.SIZE - BITS);
    }

    private static int column(long entry) {
        return (int) (entry >>> Long.SIZE - 2 * BITS) & (FAN - 1);
    }

    private long[] sorted(long entry) {
        return rows[row(entry)][column(entry)];
    }

    /** Returns these and one more entry. */
    public Strays plus(long entry) {
        long[] sorted = sorted(entry);
        int at = firstAtLeast(sorted, entry);
        long[] longer = Arrays.copyOf(sorted, sorted.length + 1);
        longer[at] = entry;
        System.arraycopy(sorted, at, longer, at + 1, sorted.length - at);
        return with(entry, longer, size + 1);
    }

    /** Returns these without one such entry if there is any. */
    public Strays minus(long entry) {
        long[] sorted = sorted(entry);
        int at = firstAtLeast(sorted, entry);
        if (at == sorted.length || sorted[at] != entry) {
            return this;
        }
        long[] shorter = Arrays.copyOf(sorted, sorted.length - 1);
        System.arraycopy(sorted, at + 1, shorter, at, shorter.length - at);
        return with(entry, shorter, size - 1);
    }

    private Strays with(long entry, long[] sorted, int newSize) {
        long[][][] changed = rows.clone();
        long[][] row = changed[row(entry)].clone();
        row[column(entry)] = sorted;
        changed[row(entry)] = row;
        return new Strays(changed, newSize);
    }

    /** Where the first entry stands that is not less; entries of one array have the same sign. */
    private static int firstAtLeast(long[] sorted, long entry) {
        int low = 0;
        int high = sorted.length;
        while (low < high) {
            int middle = low + high >>> 1;
            if (sorted[middle] < entry) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Returns a value of an entry with this hash that the predicate takes, or -1. */
    public int find(long hash, IntPredicate wanted) {
        if (size == 0) {
            return -1;
        }
        long first = HashIndex.entry(hash, 0);
        long[] sorted = sorted(first);
        for (int i = firstAtLeast(sorted, first); i < sorted.length && HashIndex.entry(sorted[i], 0) == first; i++) {
            int value = HashIndex.value(sorted[i]);
            if (wanted.test(value)) {
                return value;
            }
        }
        return -1;
    }
}
