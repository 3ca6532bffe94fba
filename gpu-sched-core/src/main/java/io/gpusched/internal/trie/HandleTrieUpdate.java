package io.gpusched.internal.trie;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Changes of a {@link HandleTrie} on their way into it; every branch above some of them is copied once. */
final class HandleTrieUpdate {
    private final long[] added;
    private final long[] removed;

    /** Both must ascend. */
    HandleTrieUpdate(long[] added, long[] removed) {
        this.added = added;
        this.removed = removed;
    }

    /** Returns the root after all changes. */
    @Nullable
    Object in(@Nullable Object root) {
        return in(root, HandleBuckets.TOP, 0, added.length, 0, removed.length);
    }

    /** Returns a node after the changes from one index up to another one, of which there is at least one. */
    private @Nullable Object in(@Nullable Object node, int shift, int from, int to, int removedFrom, int removedTo) {
        return node instanceof @Nullable Object[] branch
                ? inBranch(branch, shift, from, to, removedFrom, removedTo)
                : inBucket(node, shift, from, to, removedFrom, removedTo);
    }

    private @Nullable Object inBranch(
            @Nullable Object[] branch, int shift, int from, int to, int removedFrom, int removedTo) {
        @Nullable Object[] copy = branch.clone();
        boolean shrinks = false;
        int add = from;
        int remove = removedFrom;
        while (add < to || remove < removedTo) {
            int digit = Math.min(digit(added, add, to, shift), digit(removed, remove, removedTo, shift));
            int addEnd = end(added, add, to, digit, shift);
            int removeEnd = end(removed, remove, removedTo, digit, shift);
            Object before = copy[digit];
            Object after = in(before, shift - HandleBuckets.BITS, add, addEnd, remove, removeEnd);
            copy[digit] = after;
            shrinks |= !(after instanceof Object[]) && (after == null || before instanceof Object[]);
            add = addEnd;
            remove = removeEnd;
        }
        return shrinks ? needed(copy) : copy;
    }

    /** The digit of the first word, or one behind all if there is none. */
    private static int digit(long[] words, int from, int to, int shift) {
        return from < to ? HandleBuckets.digit(words[from], shift) : HandleBuckets.FAN;
    }

    /** Where the words with this digit end. */
    private static int end(long[] words, int from, int to, int digit, int shift) {
        int end = from;
        while (end < to && HandleBuckets.digit(words[end], shift) == digit) {
            end++;
        }
        return end;
    }

    /** Returns a branch, or what takes its place if it has not got two nodes. */
    private static @Nullable Object needed(@Nullable Object[] branch) {
        Object only = null;
        for (Object node : branch) {
            if (node != null && only != null) {
                return branch;
            }
            only = node == null ? only : node;
        }
        return only instanceof Object[] ? branch : only;
    }

    private @Nullable Object inBucket(
            @Nullable Object node, int shift, int from, int to, int removedFrom, int removedTo) {
        long[] bucket = node == null ? HandleBuckets.NO_WORDS : (long[]) node;
        if (from < to) {
            int size = bucket.length;
            bucket = Arrays.copyOf(bucket, size + to - from);
            System.arraycopy(added, from, bucket, size, to - from);
        }
        for (int i = removedFrom; i < removedTo; i++) {
            bucket = without(bucket, removed[i]);
        }
        if (bucket.length == 0) {
            return null;
        }
        return HandleBuckets.isToBeSplit(bucket, 0, bucket.length)
                ? HandleBuckets.node(bucket, 0, bucket.length, shift)
                : bucket;
    }

    private static long[] without(long[] bucket, long word) {
        int last = bucket.length - 1;
        for (int i = 0; i <= last; i++) {
            if (bucket[i] == word) {
                long[] rest = Arrays.copyOf(bucket, last);
                if (i < last) {
                    rest[i] = bucket[last];
                }
                return rest;
            }
        }
        throw new IllegalStateException("there is no word " + Long.toHexString(word));
    }
}
