package io.gpusched.internal.persistent;

import java.util.Arrays;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The nodes of a {@link HashTrie}, branches and buckets as told there, and how they change. */
final class TrieNodes {
    static final int BITS = 4;
    static final int FAN = 1 << BITS;

    /** How many values a bucket holds before it is split; more of one hash. */
    static final int MOST_IN_BUCKET = 16;

    private TrieNodes() {}

    /** Takes note of a value and its hash. */
    interface Visitor {
        void accept(int hash, Object value);
    }

    static int digit(int hash, int shift) {
        return hash >>> shift & FAN - 1;
    }

    static int[] hashes(Object[] bucket) {
        return (int[]) bucket[0];
    }

    /** Returns the value of a key at or below a node, or null. */
    @SuppressWarnings("unchecked") // buckets hold values only
    static <K, V> @Nullable Object find(
            Object @Nullable [] node, int shift, int hash, K key, Function<? super V, ? extends K> keyOf) {
        int bits = hash >>> shift;
        Object[] at = node;
        while (at instanceof Object[][] branch) {
            at = branch[bits & FAN - 1];
            bits >>>= BITS;
        }
        if (at != null) {
            int[] hashes = hashes(at);
            for (int i = 0; i < hashes.length; i++) {
                if (hashes[i] == hash && keyOf.apply((V) at[i + 1]).equals(key)) {
                    return at[i + 1];
                }
            }
        }
        return null;
    }

    /** Returns a node with a value in place of another, or one more if that is null. */
    static Object[] with(Object @Nullable [] node, int shift, int hash, Object value, @Nullable Object before) {
        if (node instanceof Object[][] branch) {
            int at = digit(hash, shift);
            Object[][] copy = branch.clone();
            copy[at] = with(branch[at], shift + BITS, hash, value, before);
            return copy;
        }
        if (node == null) {
            return new Object[] {new int[] {hash}, value};
        }
        if (before != null) {
            Object[] copy = node.clone();
            copy[indexOf(node, before)] = value;
            return copy;
        }
        int size = node.length - 1;
        int[] hashes = Arrays.copyOf(hashes(node), size + 1);
        hashes[size] = hash;
        if (size >= MOST_IN_BUCKET && !areAllEqual(hashes)) {
            Object[] values = Arrays.copyOfRange(node, 1, size + 2);
            values[size] = value;
            return branch(hashes, values, shift);
        }
        Object[] copy = Arrays.copyOf(node, size + 2);
        copy[0] = hashes;
        copy[size + 1] = value;
        return copy;
    }

    /** Returns a node without a value that is there, null if it was the only one. */
    static Object @Nullable [] without(Object @Nullable [] node, int shift, int hash, Object value) {
        if (node instanceof Object[][] branch) {
            int at = digit(hash, shift);
            Object[] child = without(branch[at], shift + BITS, hash, value);
            Object[] only = child instanceof Object[][] ? null : onlyBucket(branch, at, child);
            if (only != null) {
                return only;
            }
            Object[][] copy = branch.clone();
            copy[at] = child;
            return copy;
        }
        if (node == null || node.length == 2) {
            return null;
        }
        int at = indexOf(node, value);
        int last = node.length - 1;
        int[] hashes = Arrays.copyOf(hashes(node), last - 1);
        Object[] copy = Arrays.copyOf(node, last);
        if (at < last) {
            hashes[at - 1] = hashes(node)[last - 1];
            copy[at] = node[last];
        }
        copy[0] = hashes;
        return copy;
    }

    /** The bucket that is all there is below a branch once a child of it has changed, or null. */
    private static Object @Nullable [] onlyBucket(Object[][] branch, int changed, Object @Nullable [] child) {
        if (child != null && !(branch[changed] instanceof Object[][])) {
            return null;
        }
        Object[] only = child;
        for (int i = 0; i < FAN; i++) {
            if (i != changed && branch[i] != null) {
                if (only != null || branch[i] instanceof Object[][]) {
                    return null;
                }
                only = branch[i];
            }
        }
        return only;
    }

    @SuppressWarnings("ReferenceEquality") // it is the very object that was found
    private static int indexOf(Object[] bucket, Object value) {
        int at = 1;
        while (bucket[at] != value) {
            at++;
        }
        return at;
    }

    private static boolean areAllEqual(int[] hashes) {
        for (int hash : hashes) {
            if (hash != hashes[0]) {
                return false;
            }
        }
        return true;
    }

    /** Returns a node of these values at a level, null for none; O(n). */
    static Object @Nullable [] built(int[] hashes, Object[] values, int shift) {
        if (hashes.length == 0) {
            return null;
        }
        if (hashes.length > MOST_IN_BUCKET && !areAllEqual(hashes)) {
            return branch(hashes, values, shift);
        }
        Object[] bucket = new Object[values.length + 1];
        bucket[0] = hashes;
        System.arraycopy(values, 0, bucket, 1, values.length);
        return bucket;
    }

    private static Object[][] branch(int[] hashes, Object[] values, int shift) {
        int[] counts = new int[FAN];
        for (int hash : hashes) {
            counts[digit(hash, shift)]++;
        }
        int[][] hashesOf = new int[FAN][];
        Object[][] valuesOf = new Object[FAN][];
        for (int i = 0; i < FAN; i++) {
            hashesOf[i] = new int[counts[i]];
            valuesOf[i] = new Object[counts[i]];
        }
        for (int i = 0; i < hashes.length; i++) {
            int digit = digit(hashes[i], shift);
            int at = --counts[digit];
            hashesOf[digit][at] = hashes[i];
            valuesOf[digit][at] = values[i];
        }
        Object[][] branch = new Object[FAN][];
        for (int i = 0; i < FAN; i++) {
            branch[i] = built(hashesOf[i], valuesOf[i], shift + BITS);
        }
        return branch;
    }

    /** Calls back with every value at or below a node. */
    static void forEach(Object @Nullable [] node, Visitor visitor) {
        if (node instanceof Object[][] branch) {
            for (Object[] child : branch) {
                forEach(child, visitor);
            }
        } else if (node != null) {
            int[] hashes = hashes(node);
            for (int i = 0; i < hashes.length; i++) {
                visitor.accept(hashes[i], node[i + 1]);
            }
        }
    }
}
