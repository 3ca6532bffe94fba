package io.gpusched.internal.tree;

import it.unimi.dsi.fastutil.longs.Long2ObjectMap;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A leaf that is to stand under a key, in place of another if there is one, with what a tree has to know of it; or that the
 * leaf under the key is to be removed.
 *
 * <p>Entry and buckets follow from the digest; they are kept here because every search asks for them.
 *
 * @param key the key of the leaf, from 0 up to but not including {@link Long#MAX_VALUE}
 * @param leaf the leaf; null to remove
 * @param digest what the {@link SummaryFormat} makes of the leaf; 0 to remove
 * @param entry the entry of the digest
 * @param buckets buckets 0 to 63 as far as the digest tells of them
 * @param before the leaf that stands under the key in the tree, and under no other, as far as known; else null
 * @param path where that most likely stands, as {@link KeyedTree#path} tells
 * @param more 64 of its buckets in each word; null if the digest tells of all
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record LeafUpdate<T>(
        long key,
        @Nullable T leaf,
        @Nullable T before,
        int path,
        long digest,
        long entry,
        long buckets,
        long @Nullable [] more) {
    LeafUpdate {
        TreeLayout.requireKey(key);
    }

    static <T> LeafUpdate<T> put(SummaryFormat<T> format, long key, T leaf) {
        return put(format, key, leaf, null, 0);
    }

    static <T> LeafUpdate<T> put(SummaryFormat<T> format, long key, T leaf, @Nullable T before, int path) {
        long digest = format.digest(leaf);
        return new LeafUpdate<>(
                key,
                leaf,
                before,
                path,
                digest,
                format.entry(digest),
                format.buckets(digest),
                format.moreBuckets(leaf));
    }

    static <T> LeafUpdate<T> remove(long key) {
        return new LeafUpdate<>(key, null, null, 0, 0, 0, 0, null);
    }

    /** Returns updates of some keys, ascending: each is to have a new leaf, or none where it is null. */
    @SuppressWarnings("unchecked") // made here
    static <T> LeafUpdate<T>[] all(SummaryFormat<T> format, Long2ObjectMap<@Nullable T> leaves) {
        long[] keys = leaves.keySet().toLongArray();
        Arrays.sort(keys);
        LeafUpdate<T>[] updates = (LeafUpdate<T>[]) new LeafUpdate<?>[keys.length];
        for (int i = 0; i < keys.length; i++) {
            T leaf = leaves.get(keys[i]);
            updates[i] = leaf == null ? remove(keys[i]) : put(format, keys[i], leaf);
        }
        return updates;
    }

    /** 64 of its buckets. */
    long buckets(int word) {
        return (word == 0 ? buckets : 0) | (more == null ? 0 : more[word]);
    }

    /** Whether it is in any of the buckets from 64 on. */
    boolean isWide() {
        return more != null && (more[1] | more[2] | more[3]) != 0;
    }
}
