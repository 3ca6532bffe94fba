package io.gpusched.internal.tree;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Walks over the leaves of a {@link KeyedTree} in key order. */
@SuppressWarnings("unchecked") // chunks hold nothing but leaves
record TreeWalk<T>() {
    void forEach(Object[] part, int height, Consumer<? super T> action) {
        if (height == 0) {
            // counted by its leaves, a chunk's keys need not be fetched from memory
            for (int i = 0; i < TreeLayout.FAN && part[i] != null; i++) {
                action.accept((T) part[i]);
            }
            return;
        }
        // to copy them is to fetch all of them from memory at once
        Object[][] below = Arrays.copyOf(part, TreeLayout.count(part), Object[][].class);
        for (Object[] next : below) {
            forEach(next, height - 1, action);
        }
    }

    /** Adds leaves to those found until there are so many. */
    void first(Object[] part, int height, int most, List<T> found) {
        int count = TreeLayout.count(part);
        for (int i = 0; i < count && found.size() < most; i++) {
            if (height == 0) {
                found.add((T) part[i]);
            } else {
                first(TreeLayout.part(part, i), height - 1, most, found);
            }
        }
    }

    void forEach(Object[] part, int height, long from, long to, LeafEntries<? super T> action) {
        long[] keys = TreeLayout.keys(part);
        if (height == 0) {
            for (int i = TreeLayout.countBelow(keys, from); i < TreeLayout.FAN && keys[i] < to; i++) {
                action.accept(keys[i], (T) part[i]);
            }
            return;
        }
        int last = TreeLayout.find(keys, to - 1);
        for (int i = TreeLayout.find(keys, from); i <= last; i++) {
            forEach(TreeLayout.part(part, i), height - 1, from, to, action);
        }
    }

    /** The key of the first leaf that passes; a part is entered if its first leaf fails and that of the next passes. */
    OptionalLong lowerBound(Object[] root, int rootHeight, Predicate<? super T> test) {
        Object[] part = root;
        long afterwards = Long.MAX_VALUE;
        for (int height = rootHeight; height > 0; height--) {
            int passing = firstPassing(part, height, test);
            if (passing < TreeLayout.count(part)) {
                afterwards = firstKey(TreeLayout.part(part, passing), height - 1);
            }
            part = TreeLayout.part(part, Math.max(0, passing - 1));
        }
        int at = firstPassing(part, 0, test);
        if (at < TreeLayout.count(part)) {
            return OptionalLong.of(TreeLayout.keys(part)[at]);
        }
        return afterwards == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(afterwards);
    }

    /** The greatest key below another, or -1: it is below the part that would hold that key, or the last below the part before. */
    long keyBefore(Object[] root, int rootHeight, long key) {
        Object[] part = root;
        Object[] before = null;
        int beforeHeight = 0;
        for (int height = rootHeight; height > 0; height--) {
            int at = TreeLayout.find(TreeLayout.branchKeys(part), key);
            if (at > 0) {
                before = TreeLayout.part(part, at - 1);
                beforeHeight = height - 1;
            }
            part = TreeLayout.part(part, at);
        }
        int below = TreeLayout.countBelow(TreeLayout.chunkKeys(part), key);
        if (below > 0) {
            return TreeLayout.chunkKeys(part)[below - 1];
        }
        return before == null ? -1 : lastKey(before, beforeHeight);
    }

    private static long lastKey(Object[] part, int height) {
        Object[] last = part;
        for (int level = height; level > 0; level--) {
            last = TreeLayout.part(last, TreeLayout.count(last) - 1);
        }
        return TreeLayout.keys(last)[TreeLayout.count(last) - 1];
    }

    /** Which is the first leaf of a chunk, or part of a branch by its first leaf, that passes; the number of all if none. */
    private int firstPassing(Object[] part, int height, Predicate<? super T> test) {
        int from = 0;
        int to = TreeLayout.count(part);
        while (from < to) {
            int middle = (from + to) >>> 1;
            T leaf = height == 0 ? (T) part[middle] : firstLeaf(TreeLayout.part(part, middle), height - 1);
            if (test.test(leaf)) {
                to = middle;
            } else {
                from = middle + 1;
            }
        }
        return from;
    }

    private static Object[] firstChunk(Object[] part, int height) {
        Object[] first = part;
        for (int level = height; level > 0; level--) {
            first = TreeLayout.part(first, 0);
        }
        return first;
    }

    private T firstLeaf(Object[] part, int height) {
        return (T) firstChunk(part, height)[0];
    }

    private static long firstKey(Object[] part, int height) {
        return TreeLayout.keys(firstChunk(part, height))[0];
    }
}
