package io.gpusched.internal;

import org.jspecify.annotations.Nullable;

/**
 * A leaf of a {@link SummaryTree} in place of another, with what the tree has to know of it.
 *
 * @param more 64 of its lanes in each word; null if the key tells of all
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record LeafChange<T>(int position, T leaf, long key, long entry, long lanes, long @Nullable [] more) {
    static <T> LeafChange<T> of(SummaryFormat<T> format, int position, T leaf) {
        long key = format.key(leaf);
        return new LeafChange<>(position, leaf, key, format.entry(key), format.lanes(key), format.moreLanes(leaf));
    }

    /** 64 of its lanes. */
    long lanes(int word) {
        return (word == 0 ? lanes : 0) | (more == null ? 0 : more[word]);
    }

    /** Whether it is in any of the lanes from 64 on. */
    boolean isWide() {
        return more != null && (more[1] | more[2] | more[3]) != 0;
    }

    /** The first lane at or after {@code from} and before {@code to} that it is in, or -1. */
    int nextLane(int from, int to) {
        for (int word = from >> 6; word << 6 < to; word++) {
            long rest = word == from >> 6 ? lanes(word) & -1L << from : lanes(word);
            if (rest != 0) {
                int lane = (word << 6) + Long.numberOfTrailingZeros(rest);
                return lane < to ? lane : -1;
            }
        }
        return -1;
    }
}
