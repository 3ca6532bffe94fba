package io.gpusched.internal.trie;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Checks that a {@link HashTrie} is as it must be. */
final class HashTrieCheck {
    private HashTrieCheck() {}

    /** Returns the number of entries at and below a place; throws unless each belongs there and no node is superfluous. */
    static int entries(@Nullable Object[] holder, int at, int stride, int shift, long prefix) {
        if (holder[at] == null) {
            return 0;
        }
        if (holder[at] instanceof long[] hashes) {
            return inBucket(hashes, HashBuckets.entries(holder, at + stride), shift, prefix);
        }
        @Nullable Object[] branch = (@Nullable Object[]) holder[at];
        int single = HashBuckets.single(branch);
        if (holder[at + stride] != null
                || single >= 0 && (single == HashBuckets.FAN || branch[single] instanceof long[])) {
            throw new IllegalStateException("branch of less than two nodes at shift " + shift);
        }
        int entries = 0;
        for (int i = 0; i < HashBuckets.FAN; i++) {
            entries += entries(branch, i, HashBuckets.FAN, shift - HashBuckets.BITS, prefix | (long) i << shift);
        }
        return entries;
    }

    private static int inBucket(long[] hashes, Object[] entries, int shift, long prefix) {
        if (hashes.length != entries.length || hashes.length == 0 || HashBuckets.isToBeSplit(hashes)) {
            throw new IllegalStateException(
                    "bucket of " + hashes.length + " hashes and " + entries.length + " entries at shift " + shift);
        }
        // a shift by 64 would be one by 0
        long mask = shift == HashBuckets.TOP ? 0 : -1L << shift + HashBuckets.BITS;
        for (long hash : hashes) {
            if ((hash & mask) != prefix) {
                throw new IllegalStateException(
                        "hash " + Long.toHexString(hash) + " below the prefix " + Long.toHexString(prefix));
            }
        }
        return entries.length;
    }

    /** Throws {@link IllegalArgumentException} if two entries have the same key. */
    @SuppressWarnings("unchecked") // buckets hold nothing but values
    static <K, V> void requireDistinct(@Nullable Object[] top, Function<? super V, ? extends K> keyOf) {
        HashBuckets.forEach(top, 0, 1, (hashes, entries) -> {
            for (int i = 0; i < hashes.length; i++) {
                for (int j = 0; j < i; j++) {
                    if (hashes[i] == hashes[j] && HashBuckets.isKey(keyOf.apply((V) entries[i]), entries[j], keyOf)) {
                        throw new IllegalArgumentException("two values with the key " + keyOf.apply((V) entries[i]));
                    }
                }
            }
        });
    }
}
