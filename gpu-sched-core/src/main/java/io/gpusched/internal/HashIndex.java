package io.gpusched.internal;

import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * A persistent multimap from 64-bit hashes to small numbers, for finding things whose home keeps the real key.
 *
 * <p>It keeps the top 40 bits of a hash beside a value of 24 bits, so a look-up may offer a value of another key; the
 * caller's predicate decides. Adding and removing copy one path of an 8-way trie and cost O(log n); older versions stay
 * valid. Immutable and thread-safe.
 */
public final class HashIndex {
    /** The greatest value that can be kept. */
    public static final int MAX_VALUE = (1 << 24) - 1;

    /** The index of nothing. */
    public static final HashIndex EMPTY = new HashIndex(new long[0]);

    private static final int BITS = 3;
    private static final int LEAF_ENTRIES = 32;
    private static final int LAST_SHIFT = 64 - 13 * BITS;

    /** A {@code long[]} of entries or an {@code Object[8]} of such. */
    private final Object root;

    private HashIndex(Object root) {
        this.root = root;
    }

    /** Returns this index with one more value under a hash. */
    public HashIndex plus(long hash, int value) {
        return new HashIndex(add(root, 64 - BITS, entry(hash, value)));
    }

    /**
     * Returns this index without one value under a hash.
     *
     * @throws IllegalStateException if it is not there
     */
    public HashIndex minus(long hash, int value) {
        return new HashIndex(remove(root, 64 - BITS, entry(hash, value)));
    }

    /** Returns the first value under this hash that the predicate takes, or -1. */
    public int find(long hash, IntPredicate wanted) {
        Object part = root;
        int shift = 64 - BITS;
        while (part instanceof Object[] branch) {
            part = branch[slot(hash, shift)];
            shift -= BITS;
        }
        for (long entry : (long[]) part) {
            if (((entry ^ hash) & ~MAX_VALUE) == 0 && wanted.test((int) entry & MAX_VALUE)) {
                return (int) entry & MAX_VALUE;
            }
        }
        return -1;
    }

    private static long entry(long hash, int value) {
        return (hash & ~(long) MAX_VALUE) | value;
    }

    private static int slot(long hash, int shift) {
        return (int) (hash >>> shift) & ((1 << BITS) - 1);
    }

    private static Object add(Object part, int shift, long entry) {
        if (part instanceof Object[] branch) {
            Object[] copy = branch.clone();
            int slot = slot(entry, shift);
            copy[slot] = add(branch[slot], shift - BITS, entry);
            return copy;
        }
        long[] leaf = (long[]) part;
        if (leaf.length < LEAF_ENTRIES || shift < LAST_SHIFT) {
            long[] longer = Arrays.copyOf(leaf, leaf.length + 1);
            longer[leaf.length] = entry;
            return longer;
        }
        Object branch = split(leaf, shift);
        return add(branch, shift, entry);
    }

    private static Object[] split(long[] leaf, int shift) {
        long[][] parts = new long[1 << BITS][];
        int[] sizes = new int[1 << BITS];
        for (long entry : leaf) {
            sizes[slot(entry, shift)]++;
        }
        for (int i = 0; i < parts.length; i++) {
            parts[i] = new long[sizes[i]];
        }
        for (long entry : leaf) {
            int slot = slot(entry, shift);
            parts[slot][--sizes[slot]] = entry;
        }
        return Arrays.copyOf(parts, parts.length, Object[].class);
    }

    private static Object remove(Object part, int shift, long entry) {
        if (part instanceof Object[] branch) {
            Object[] copy = branch.clone();
            int slot = slot(entry, shift);
            copy[slot] = remove(branch[slot], shift - BITS, entry);
            return copy;
        }
        long[] leaf = (long[]) part;
        int at = indexOf(leaf, entry);
        if (at < 0) {
            throw new IllegalStateException("no entry " + Long.toHexString(entry));
        }
        long[] shorter = new long[leaf.length - 1];
        System.arraycopy(leaf, 0, shorter, 0, at);
        System.arraycopy(leaf, at + 1, shorter, at, shorter.length - at);
        return shorter;
    }

    private static int indexOf(long[] leaf, long entry) {
        for (int i = 0; i < leaf.length; i++) {
            if (leaf[i] == entry) {
                return i;
            }
        }
        return -1;
    }
}
