package io.gpusched.internal.tree;

/** Sums of the counts of the leaves of a {@link KeyedTree}, and what stands where they reach a number. */
record TreeSums(SummaryFormat<?> format) {
    /** The sum below a part of the counts of leaves with keys from {@code from} up to but not including {@code to}. */
    long sum(Object[] part, long[] summary, int height, long from, long to) {
        boolean all = from == 0 && to == Long.MAX_VALUE;
        if (height == 0) {
            return all ? sumOfDigests(summary, 0, TreeLayout.FAN) : sumInChunk(part, summary, from, to);
        }
        if (all && part[TreeLayout.SUM] instanceof Long known) {
            return known;
        }
        long[] keys = TreeLayout.branchKeys(part);
        int first = from == 0 ? 0 : TreeLayout.find(keys, from);
        int last = to == Long.MAX_VALUE ? TreeLayout.count(part) - 1 : TreeLayout.find(keys, to - 1);
        long sum = 0;
        for (int i = first; i <= last; i++) {
            long partFrom = i == first ? from : 0;
            long partTo = i == last ? to : Long.MAX_VALUE;
            sum += sum(TreeLayout.part(part, i), TreeLayout.summary(part, i), height - 1, partFrom, partTo);
        }
        if (all) {
            part[TreeLayout.SUM] = sum;
        }
        return sum;
    }

    private long sumInChunk(Object[] chunk, long[] summary, long from, long to) {
        long[] keys = TreeLayout.chunkKeys(chunk);
        return sumOfDigests(summary, TreeLayout.countBelow(keys, from), TreeLayout.countBelow(keys, to));
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
        long all = sum(root, rootSummary, rootHeight, 0, Long.MAX_VALUE);
        if (index < 0 || index >= all) {
            throw new IndexOutOfBoundsException("index " + index + " must be in 0.." + (all - 1));
        }
        Object[] part = root;
        long[] summary = rootSummary;
        long left = index;
        for (int height = rootHeight; height > 0; height--) {
            int at = 0;
            for (long sum = sumOf(part, at, height); sum <= left; sum = sumOf(part, at, height)) {
                left -= sum;
                at++;
            }
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

    private long sumOf(Object[] branch, int at, int height) {
        Object[] part = TreeLayout.part(branch, at);
        return sum(part, TreeLayout.summary(branch, at), height - 1, 0, Long.MAX_VALUE);
    }
}
