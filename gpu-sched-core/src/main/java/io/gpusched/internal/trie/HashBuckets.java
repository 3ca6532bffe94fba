package io.gpusched.internal.trie;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a {@link HashTrie}: branches, and buckets of a few entries and, in an array of their own, the hashes of their keys. Both stand in an
 * array that holds them, at a place and at another one a stride behind.
 */
final class HashBuckets {
    /** No bucket has more, unless all its entries have the same hash. */
    static final int MOST = 24;

    static final int BITS = 4;
    static final int FAN = 1 << BITS;

    /** The number of bits behind the first digit of a hash. */
    static final int TOP = Long.SIZE - BITS;

    private HashBuckets() {}

    /** Which node of a branch a hash belongs to, given the number of bits behind that digit. */
    static int digit(long hash, int shift) {
        return (int) (hash >>> shift) & FAN - 1;
    }

    /** The entries of a bucket, given where they stand. */
    static Object[] entries(@Nullable Object[] holder, int at) {
        return (Object[]) java.util.Objects.requireNonNull(holder[at]);
    }

    /** Whether an entry is that of a key. */
    @SuppressWarnings({"unchecked", "ReferenceEquality"}) // the very same key need not be read from memory
    static <K, V> boolean isKey(K key, Object entry, Function<? super V, ? extends K> keyOf) {
        K other = keyOf.apply((V) entry);
        return other == key || other.equals(key);
    }

    /** Whether there are too many entries with different hashes. */
    static boolean isToBeSplit(long[] hashes) {
        if (hashes.length > MOST) {
            for (long hash : hashes) {
                if (hash != hashes[0]) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Puts a node of these entries, at least one, into the array that is to hold it; takes over the arrays. */
    static void put(@Nullable Object[] holder, int at, int stride, int shift, long[] hashes, Object[] entries) {
        if (!isToBeSplit(hashes)) {
            holder[at] = hashes;
            holder[at + stride] = entries;
            return;
        }
        int[] sizes = new int[FAN];
        for (long hash : hashes) {
            sizes[digit(hash, shift)]++;
        }
        long[][] hashesOf = new long[FAN][];
        Object[][] entriesOf = new Object[FAN][];
        for (int i = 0; i < FAN; i++) {
            hashesOf[i] = new long[sizes[i]];
            entriesOf[i] = new Object[sizes[i]];
        }
        int[] next = new int[FAN];
        for (int i = 0; i < hashes.length; i++) {
            int digit = digit(hashes[i], shift);
            hashesOf[digit][next[digit]] = hashes[i];
            entriesOf[digit][next[digit]++] = entries[i];
        }
        @Nullable Object[] branch = new Object[2 * FAN];
        for (int i = 0; i < FAN; i++) {
            if (sizes[i] > 0) {
                put(branch, i, FAN, shift - BITS, hashesOf[i], entriesOf[i]);
            }
        }
        holder[at] = branch;
        holder[at + stride] = null;
    }

    /** Where the only node of a branch stands; -1 if there are several, {@link #FAN} if there is none. */
    static int single(@Nullable Object[] branch) {
        int single = FAN;
        for (int i = 0; i < FAN; i++) {
            if (branch[i] != null) {
                if (single < FAN) {
                    return -1;
                }
                single = i;
            }
        }
        return single;
    }

    /** What is told of each bucket. */
    interface Visitor {
        void bucket(long[] hashes, Object[] entries);
    }

    /** Calls back with every bucket at and below a place. */
    static void forEach(@Nullable Object[] holder, int at, int stride, Visitor visitor) {
        if (holder[at] instanceof long[] hashes) {
            visitor.bucket(hashes, entries(holder, at + stride));
        } else if (holder[at] instanceof @Nullable Object[] branch) {
            for (int i = 0; i < FAN; i++) {
                forEach(branch, i, FAN, visitor);
            }
        }
    }
}
