package io.gpusched.internal.tree;

import java.util.List;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Leaves of one number each; all but the last six bits are the key, from which most buckets and the entry follow; where bit 5
 * is set the last six bits put the leaf into two more buckets. And what a tree of them should keep, leaf by leaf.
 */
final class NaiveSummary implements SummaryFormat<Integer> {
    @Override
    public long digest(Integer leaf) {
        return leaf >> 6;
    }

    @Override
    public long entry(long key) {
        long entry = 0;
        for (int number = 0; number < Lanes.PER_WORD; number++) {
            entry |= Lanes.of(number, digit(key, number));
        }
        return entry;
    }

    @Override
    public long count(long key) {
        return 8 * key;
    }

    @Override
    public long buckets(long key) {
        return key == 0 ? 0 : 1L << key % 10 | 1L << 10 + key % 53;
    }

    private static boolean hasMoreBuckets(Integer leaf) {
        return (leaf & 32) != 0;
    }

    @Override
    public long @Nullable [] moreBuckets(Integer leaf) {
        if (!hasMoreBuckets(leaf)) {
            return null;
        }
        return LongStream.range(0, 4).map(word -> moreBuckets(leaf, (int) word)).toArray();
    }

    private static long moreBuckets(Integer leaf, int word) {
        int bucket = 64 + 6 * (leaf & 31);
        return (bucket >> 6 == word ? 1L << bucket : 0) | (word == 0 ? 1L << (leaf & 31) : 0);
    }

    /** Some digit of a key, from 1, different for each of the numbers. */
    static int digit(long key, int number) {
        return (int) (key * 3_197 + number * 7_919L) % Lanes.MAX + 1;
    }

    /** Whether a leaf is in a bucket. */
    boolean isIn(int leaf, int bucket) {
        long more = hasMoreBuckets(leaf) ? moreBuckets(leaf, bucket >> 6) : 0;
        long buckets = bucket < Long.SIZE ? buckets(digest(leaf)) | more : more;
        return (buckets >>> bucket & 1) != 0;
    }

    /** The entries by bucket. */
    static TreeMap<Integer, Long> of(List<Integer> leaves) {
        NaiveSummary format = new NaiveSummary();
        TreeMap<Integer, Long> summary = new TreeMap<>();
        for (Integer leaf : leaves) {
            for (int bucket = 0; bucket < BucketSummary.BUCKETS; bucket++) {
                if (format.isIn(leaf, bucket)) {
                    summary.merge(bucket, format.entry(format.digest(leaf)), Lanes::max);
                }
            }
        }
        return summary;
    }

    /** What a tree keeps, in the same shape. */
    static TreeMap<Integer, Long> read(long[] kept) {
        TreeMap<Integer, Long> summary = new TreeMap<>();
        for (int bucket = 0; bucket < BucketSummary.BUCKETS; bucket++) {
            if ((BucketSummary.bits(kept, bucket >> 6) >>> bucket & 1) != 0) {
                summary.put(bucket, BucketSummary.entry(kept, bucket));
            }
        }
        return summary;
    }
}
