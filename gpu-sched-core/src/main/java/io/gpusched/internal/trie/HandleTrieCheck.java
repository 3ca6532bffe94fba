package io.gpusched.internal.trie;

import org.jspecify.annotations.Nullable;

/** Checks that a {@link HandleTrie} is as it must be. */
final class HandleTrieCheck {
    private HandleTrieCheck() {}

    /**
     * Returns the number of words at and below a node; throws {@link IllegalStateException} if anything is wrong.
     *
     * @param shift the number of bits behind the digit that a branch here goes by
     * @param prefix the digits that lead here, with zeros behind them
     */
    static int words(@Nullable Object node, int shift, long prefix) {
        if (node instanceof @Nullable Object[] branch) {
            return wordsOfBranch(branch, shift, prefix);
        }
        return node instanceof long[] bucket ? wordsOfBucket(bucket, shift, prefix) : 0;
    }

    private static int wordsOfBranch(@Nullable Object[] branch, int shift, long prefix) {
        int words = 0;
        int nodes = 0;
        boolean deep = false;
        for (int i = 0; i < branch.length; i++) {
            words += words(branch[i], shift - HandleBuckets.BITS, prefix | (long) i << shift);
            nodes += branch[i] == null ? 0 : 1;
            deep |= branch[i] instanceof Object[];
        }
        require(branch.length == HandleBuckets.FAN, "a branch of " + branch.length);
        require(nodes > 1 || deep, "a branch of " + nodes + " buckets");
        return words;
    }

    private static int wordsOfBucket(long[] bucket, int shift, long prefix) {
        require(bucket.length > 0, "an empty bucket");
        require(!HandleBuckets.isToBeSplit(bucket, 0, bucket.length), "a bucket of " + bucket.length);
        for (long word : bucket) {
            long digits = shift == HandleBuckets.TOP
                    ? 0
                    : (word ^ Long.MIN_VALUE) >>> shift + HandleBuckets.BITS << shift + HandleBuckets.BITS;
            require(digits == prefix, "word " + Long.toHexString(word) + " below " + Long.toHexString(prefix));
        }
        return bucket.length;
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw new IllegalStateException(message);
        }
    }
}
