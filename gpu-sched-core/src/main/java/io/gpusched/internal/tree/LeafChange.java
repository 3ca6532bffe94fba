package io.gpusched.internal.tree;

import org.jspecify.annotations.Nullable;

/**
 * A leaf of a {@link SummaryTree} in place of another, with what the tree has to know of it.
 *
 * <p>Entry and lanes follow from the key; they stand here because every search asks for them.
 *
 * @param lanes lanes 0 to 63 as far as the key tells of them
 * @param more 64 of its lanes in each word; null if the key tells of all
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record LeafChange<T>(int position, T leaf, long key, long entry, long lanes, long @Nullable [] more) {
    public static <T> LeafChange<T> of(SummaryFormat<T> format, int position, T leaf) {
        long key = format.key(leaf);
        return new LeafChange<>(position, leaf, key, format.entry(key), format.lanes(key), format.moreLanes(leaf));
    }

    /** 64 of its lanes. */
    public long lanes(int word) {
        return (word == 0 ? lanes : 0) | (more == null ? 0 : more[word]);
    }

    /** Whether it is in any of the lanes from 64 on. */
    public boolean isWide() {
        return more != null && (more[1] | more[2] | more[3]) != 0;
    }
}
