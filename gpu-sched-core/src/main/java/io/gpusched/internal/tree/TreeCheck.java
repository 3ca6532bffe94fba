package io.gpusched.internal.tree;

import java.util.Arrays;

/** Checks that a {@link KeyedTree} is as it must be. */
record TreeCheck<T>(SummaryFormat<T> format) {
    /** Throws {@link IllegalStateException} if anything is wrong. */
    void check(Object[] root, long[] summary, int height, int size) {
        int leaves = leaves(root, summary, height, true, 0, Long.MAX_VALUE);
        require(leaves == size, "size " + size + ", but " + leaves + " leaves");
        require(height == 0 || TreeLayout.count(root) > 1, "a root of one part");
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw new IllegalStateException(message);
        }
    }

    /** Checks a part and returns how many leaves are below it. */
    private int leaves(Object[] part, long[] summary, int height, boolean isRoot, long from, long to) {
        long[] keys = TreeLayout.keys(part);
        int count = TreeLayout.count(part);
        require(
                count <= TreeLayout.FAN && (isRoot || count >= TreeLayout.LEAST),
                "part of " + count + " at height " + height);
        for (int i = count; i < TreeLayout.FAN; i++) {
            require(part[i] == null && keys[i] == Long.MAX_VALUE, "part of " + count + " has another");
        }
        for (int i = height == 0 ? 0 : 1; i < count; i++) {
            boolean ascends = i == (height == 0 ? 0 : 1) || keys[i] > keys[i - 1];
            require(ascends && keys[i] >= from && keys[i] < to, "key " + keys[i] + " of " + Arrays.toString(keys));
        }
        return height == 0 ? leavesOfChunk(part, summary) : leavesOfBranch(part, summary, height, from, to);
    }

    @SuppressWarnings("unchecked") // chunks hold nothing but leaves
    private int leavesOfChunk(Object[] chunk, long[] summary) {
        long[] keys = TreeLayout.keys(chunk);
        long[] expected = BucketSummary.empty(TreeLayout.FAN);
        for (int i = 0; i < TreeLayout.count(chunk); i++) {
            expected = ChunkChange.applied(format, expected, i, LeafUpdate.put(format, keys[i], (T) chunk[i]));
        }
        requireEqual(summary, expected);
        return TreeLayout.count(chunk);
    }

    private int leavesOfBranch(Object[] branch, long[] summary, int height, long from, long to) {
        requireEqual(summary, BranchChange.summaryOf(branch));
        requireSum(branch, height);
        long[] keys = TreeLayout.keys(branch);
        int leaves = 0;
        int count = TreeLayout.count(branch);
        for (int i = 0; i < count; i++) {
            long partFrom = i == 0 ? from : keys[i];
            long partTo = i + 1 < count ? keys[i + 1] : to;
            leaves += leaves(
                    TreeLayout.part(branch, i), TreeLayout.summary(branch, i), height - 1, false, partFrom, partTo);
        }
        return leaves;
    }

    private void requireSum(Object[] branch, int height) {
        if (branch[TreeLayout.SUM] instanceof TreeSums.Known known) {
            Object[] unknown = branch.clone();
            unknown[TreeLayout.SUM] = null;
            long sum = new TreeSums(format).all(unknown, new long[0], height);
            require(sum == known.all(), "sum " + known.all() + ", expected " + sum);
            require(
                    known.before() == null
                            || unknown[TreeLayout.SUM] instanceof TreeSums.Known counted
                                    && Arrays.equals(known.before(), counted.before()),
                    "sums " + Arrays.toString(known.before()));
        }
    }

    private static void requireEqual(long[] actual, long[] expected) {
        require(
                Arrays.equals(actual, expected),
                "summary " + Arrays.toString(actual) + ", expected " + Arrays.toString(expected));
    }
}
