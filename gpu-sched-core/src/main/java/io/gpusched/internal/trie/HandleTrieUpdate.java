package io.gpusched.internal.trie;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Changes of a {@link HandleTrie} on their way into it, one after the other in the order of their words. What one has copied
 * the next one need not copy again: so every branch above some of them is copied once.
 */
final class HandleTrieUpdate {
    private @Nullable Object root;

    /** The branches above the last word that are copies already, from the root on. */
    private final @Nullable Object[][] path = new Object[Long.SIZE / HandleBuckets.BITS][];

    /** How many of the path there are. */
    private int depth;

    private long last;

    HandleTrieUpdate(@Nullable Object root) {
        this.root = root;
    }

    /** Returns the root after these changes; both must ascend. */
    @Nullable
    Object with(long[] added, long[] removed) {
        int add = 0;
        int remove = 0;
        while (add < added.length || remove < removed.length) {
            boolean adds = remove == removed.length || add < added.length && added[add] <= removed[remove];
            if (adds) {
                add(added[add++]);
            } else {
                remove(removed[remove++]);
            }
        }
        return root;
    }

    private void add(long word) {
        long[] before = open(word);
        long[] after = Arrays.copyOf(before, before.length + 1);
        after[before.length] = word;
        boolean split = HandleBuckets.isToBeSplit(after, 0, after.length);
        put(depth, word, split ? HandleBuckets.node(after, 0, after.length, shift(depth)) : after);
    }

    private void remove(long word) {
        long[] after = without(open(word), word);
        put(depth, word, after.length == 0 ? null : after);
        boolean shrinks = after.length == 0;
        while (shrinks && depth > 0) {
            @Nullable Object[] branch = path[depth - 1];
            Object needed = needed(branch);
            shrinks = needed != branch;
            if (shrinks) {
                depth--;
                put(depth, word, needed);
            }
        }
    }

    /** Copies the branches above a word, makes them the path, and returns the bucket below. */
    private long[] open(long word) {
        int shared = 1 + Long.numberOfLeadingZeros(word ^ last) / HandleBuckets.BITS;
        depth = Math.min(depth, shared);
        last = word;
        Object node = depth == 0 ? root : path[depth - 1][digit(word, depth - 1)];
        while (node instanceof @Nullable Object[] branch) {
            @Nullable Object[] copy = branch.clone();
            put(depth, word, copy);
            path[depth] = copy;
            node = copy[digit(word, depth)];
            depth++;
        }
        return node == null ? HandleBuckets.NO_WORDS : (long[]) node;
    }

    /** Puts a node above a word at this level, where the root is at level 0. */
    private void put(int level, long word, @Nullable Object node) {
        if (level == 0) {
            root = node;
        } else {
            path[level - 1][digit(word, level - 1)] = node;
        }
    }

    private static int digit(long word, int level) {
        return HandleBuckets.digit(word, shift(level));
    }

    private static int shift(int level) {
        return HandleBuckets.TOP - level * HandleBuckets.BITS;
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
