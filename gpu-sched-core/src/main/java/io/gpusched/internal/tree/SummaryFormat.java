package io.gpusched.internal.tree;

import org.jspecify.annotations.Nullable;

/**
 * Says what a {@link KeyedTree} keeps about the leaves below each inner node.
 *
 * <p>A leaf is in any of 256 buckets and has one entry: three numbers of 15 bits, as in {@link Lanes}. For each bucket the tree
 * knows the greatest of each number among the leaves in that bucket, and over all leaves the sum of a count. Entry, count
 * and the first 64 buckets follow from a digest that the tree keeps beside each leaf, so that merging touches no leaf; leaves
 * may be in more buckets than the digest says, but most should not, or the tree grows.
 *
 * @param <T> the leaves
 */
public interface SummaryFormat<T> {
    /** Returns the digest of a leaf; 0 if it is in no bucket and counts nothing. */
    long digest(T leaf);

    /** Returns the entry of a leaf with this digest; not 0 if the leaf is in any bucket. */
    long entry(long digest);

    /** Returns what a leaf with this digest adds to the sum. */
    long count(long digest);

    /** Returns the buckets of a leaf with this digest, as far as the digest says; buckets 0 to 63 as a bit mask. */
    long buckets(long digest);

    /**
     * Returns a leaf's buckets, at least those that its digest does not tell of, as four words of 64 bits; null if its digest
     * tells of all.
     */
    long @Nullable [] moreBuckets(T leaf);

    /** Returns a format in which every leaf counts 1 and is in no bucket: its sums are numbers of leaves. */
    static <T> SummaryFormat<T> counting() {
        return new CountingFormat<>();
    }
}
