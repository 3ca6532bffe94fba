package io.gpusched.internal.tree;

import java.util.Arrays;
import java.util.function.Function;

/** A few entries of a {@link HashTrie} and, in an array of their own, the hashes of their keys. Immutable. */
final class HashBucket {
    /** No bucket has more, unless all its entries have the same hash. */
    private static final int MOST = 24;

    static final HashBucket EMPTY = new HashBucket(new long[0], new Object[0]);

    private final long[] hashes;
    private final Object[] entries;

    /** Takes over the arrays. */
    HashBucket(long[] hashes, Object[] entries) {
        this.hashes = hashes;
        this.entries = entries;
    }

    int size() {
        return entries.length;
    }

    /** The hashes; not to be written to. */
    long[] hashes() {
        return hashes;
    }

    /** The entries; not to be written to. */
    Object[] entries() {
        return entries;
    }

    /** Whether there are too many entries with different hashes. */
    boolean isToBeSplit() {
        if (hashes.length > MOST) {
            for (long hash : hashes) {
                if (hash != hashes[0]) {
                    return true;
                }
            }
        }
        return false;
    }

    Object entry(int at) {
        return entries[at];
    }

    /** Where the entry of a key stands, or -1. */
    @SuppressWarnings("unchecked") // a trie puts nothing but its values into its buckets
    <K, V> int find(long hash, K key, Function<? super V, ? extends K> keyOf) {
        for (int i = 0; i < hashes.length; i++) {
            if (hashes[i] == hash && isSame(keyOf.apply((V) entries[i]), key)) {
                return i;
            }
        }
        return -1;
    }

    @SuppressWarnings("ReferenceEquality") // the very same key need not be read from memory
    private static boolean isSame(Object one, Object other) {
        return one == other || one.equals(other);
    }

    HashBucket plus(long hash, Object entry) {
        int size = entries.length;
        long[] moreHashes = Arrays.copyOf(hashes, size + 1);
        Object[] more = Arrays.copyOf(entries, size + 1);
        moreHashes[size] = hash;
        more[size] = entry;
        return new HashBucket(moreHashes, more);
    }

    HashBucket replaced(int at, Object entry) {
        Object[] changed = entries.clone();
        changed[at] = entry;
        return new HashBucket(hashes, changed);
    }

    /** Without one of several entries; the last takes its place. */
    HashBucket minus(int at) {
        int last = entries.length - 1;
        long[] fewerHashes = Arrays.copyOf(hashes, last);
        Object[] fewer = Arrays.copyOf(entries, last);
        if (at < last) {
            fewerHashes[at] = hashes[last];
            fewer[at] = entries[last];
        }
        return new HashBucket(fewerHashes, fewer);
    }

    @SuppressWarnings("unchecked") // a trie puts nothing but its values into its buckets
    <K, V> void requireDistinct(Function<? super V, ? extends K> keyOf) {
        for (int i = 0; i < entries.length; i++) {
            K key = keyOf.apply((V) entries[i]);
            if (find(hashes[i], key, keyOf) != i) {
                throw new IllegalArgumentException("two values with the key " + key);
            }
        }
    }

    /** Throws unless all hashes agree with a prefix in the bits of a mask. */
    void requirePrefix(long mask, long prefix) {
        for (long hash : hashes) {
            if ((hash & mask) != prefix) {
                throw new IllegalStateException(
                        "hash " + Long.toHexString(hash) + " below the prefix " + Long.toHexString(prefix));
            }
        }
    }
}
