package io.gpusched.internal.tree;

/**
 * A search of a {@link KeyedTree} in key order for a leaf that is in one of some buckets, has at least some numbers and passes
 * a visitor. Opens only parts whose summaries admit such a leaf.
 */
record FirstMatch<T>(SummaryFormat<?> format, int word, long mask, long least, LeafVisitor<? super T> visitor) {
    /** Searches a part for keys from {@code from} up to but not including {@code to}. */
    boolean in(Object[] part, long[] summary, int height, long from, long to) {
        int candidates = BucketSummary.candidates(summary, word, mask, least);
        if (candidates == 0) {
            return false;
        }
        return height == 0
                ? inChunk(part, summary, candidates, from, to)
                : inBranch(part, candidates, height, from, to);
    }

    private boolean inBranch(Object[] branch, int candidates, int height, long from, long to) {
        // without bounds the keys need not be read
        int first = from == 0 ? 0 : TreeLayout.find(TreeLayout.branchKeys(branch), from);
        int last = to == Long.MAX_VALUE ? TreeLayout.FAN - 1 : TreeLayout.find(TreeLayout.branchKeys(branch), to - 1);
        for (int rest = candidates & (2 << last) - (1 << first); rest != 0; rest &= rest - 1) {
            int i = Integer.numberOfTrailingZeros(rest);
            long partFrom = i == first ? from : 0;
            long partTo = i == last ? to : Long.MAX_VALUE;
            if (in((Object[]) branch[i], (long[]) branch[TreeLayout.FAN + i], height - 1, partFrom, partTo)) {
                return true;
            }
        }
        return false;
    }

    @SuppressWarnings("unchecked") // chunks hold nothing but leaves
    private boolean inChunk(Object[] chunk, long[] summary, int candidates, long from, long to) {
        for (int rest = candidates; rest != 0; rest &= rest - 1) {
            int i = Integer.numberOfTrailingZeros(rest);
            if (Lanes.covers(format.entry(TreeLayout.digest(summary, i)), least)) {
                long key = TreeLayout.chunkKeys(chunk)[i];
                if (key >= to) {
                    return false;
                }
                if (key >= from && visitor.passes(key, (T) chunk[i])) {
                    return true;
                }
            }
        }
        return false;
    }
}
