package io.gpusched.internal;

/**
 * Says what a {@link SummaryTree} keeps about the leaves below each inner node.
 *
 * <p>A leaf is in any of {@link LaneSummary#LANES} lanes and has one entry: four numbers of 15 bits, as in {@link
 * Lanes}. For each lane the tree knows the greatest of each number among the leaves in that lane, and over all leaves
 * the sum of a count. Entry, count and the first 64 lanes follow from a key that the tree keeps beside each leaf, so
 * that merging touches no leaf; leaves may be in more lanes than the key says, but most should not, or the tree grows.
 *
 * @param <T> the leaves
 */
public interface SummaryFormat<T> {
    /** Returns the key of a leaf; 0 if it is in no lane and counts nothing. */
    long key(T leaf);

    /** Returns the entry of a leaf with this key; not 0 if the leaf is in any lane. */
    long entry(long key);

    /** Returns what a leaf with this key adds to the sum. */
    long count(long key);

    /** Returns the lanes of a leaf with this key, as far as the key says; lanes 0 to 63 as a bit mask. */
    long lanes(long key);

    /** Returns whether a leaf is in any lane that its key does not tell of. */
    boolean hasMoreLanes(T leaf);

    /** Sets the bits of a leaf's lanes, at least of those that its key does not tell of, in words from this place on. */
    void addMoreLanes(T leaf, long[] lanes, int at);
}
