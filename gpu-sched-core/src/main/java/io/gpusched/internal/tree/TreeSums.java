package io.gpusched.internal.tree;

import org.jspecify.annotations.Nullable;

/** Sums of the counts of the leaves of a {@link KeyedTree}, and what stands where they reach a number. */
record TreeSums(SummaryFormat<?> format) {
    /**
     * What a branch knows of the sums below it, once they were asked for. A record, for its final fields may be handed from
     * thread to thread without locks.
     *
     * @param all the sum of all counts
     * @param before for each part the sum of those before it, and one number more, which is that of all; null if only the sum of
     *     all was asked for
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Known(long all, long @Nullable [] before) {}

    /** The sum of all counts below a part. */
    long all(Object[] part, long[] summary, int height) {
        if (height == 0) {
            return sumOfDigests(summary, 0, TreeLayout.FAN);
        }
        return part[TreeLayout.SUM] instanceof Known known ? known.all() : before(part, height)[TreeLayout.FAN];
    }

    /** The sum below a part of the counts of leaves with smaller keys. */
    long below(Object[] root, long[] rootSummary, int rootHeight, long key) {
        if (key == Long.MAX_VALUE) {
            return all(root, rootSummary, rootHeight);
        }
        Object[] part = root;
        long[] summary = rootSummary;
        long sum = 0;
        for (int height = rootHeight; height > 0; height--) {
            int at = TreeLayout.find(TreeLayout.branchKeys(part), key);
            sum += before(part, height)[at];
            summary = TreeLayout.summary(part, at);
            part = TreeLayout.part(part, at);
        }
        return sum + sumOfDigests(summary, 0, TreeLayout.countBelow(TreeLayout.chunkKeys(part), key));
    }

    /** For each part of a branch the sum of those before it; behind the last one, the sum of all. */
    private long[] before(Object[] branch, int height) {
        if (branch[TreeLayout.SUM] instanceof Known known && known.before() != null) {
            return known.before();
        }
        long[] before = new long[TreeLayout.FAN + 1];
        int count = TreeLayout.count(branch);
        for (int at = 0; at < TreeLayout.FAN; at++) {
            before[at + 1] = before[at] + (at < count ? sumOf(branch, at, height) : 0);
        }
        branch[TreeLayout.SUM] = new Known(before[TreeLayout.FAN], before);
        return before;
    }

    private long sumOf(Object[] branch, int at, int height) {
        return all(TreeLayout.part(branch, at), TreeLayout.summary(branch, at), height - 1);
    }

    private long sumOfDigests(long[] summary, int from, int to) {
        long sum = 0;
        for (int i = from; i < to; i++) {
            sum += format.count(TreeLayout.digest(summary, i));
        }
        return sum;
    }

    /** Where a leaf stands. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Place(Object[] chunk, int at) {}

    /** The first leaf below a part at which the sum of counts exceeds {@code index}. */
    Place select(Object[] root, long[] rootSummary, int rootHeight, long index) {
        long all = all(root, rootSummary, rootHeight);
        if (index < 0 || index >= all) {
            throw new IndexOutOfBoundsException("index " + index + " must be in 0.." + (all - 1));
        }
        Object[] part = root;
        long[] summary = rootSummary;
        long left = index;
        for (int height = rootHeight; height > 0; height--) {
            long[] before = before(part, height);
            int at = 0;
            while (before[at + 1] <= left) {
                at++;
            }
            left -= before[at];
            summary = TreeLayout.summary(part, at);
            part = TreeLayout.part(part, at);
        }
        int at = 0;
        for (long count = sumOfDigests(summary, 0, 1); count <= left; count = sumOfDigests(summary, at, at + 1)) {
            left -= count;
            at++;
        }
        return new Place(part, at);
    }
}
