package io.gpusched.internal;

/** One of the parts of a branch of a {@link SummaryTree} changed. */
@SuppressWarnings("ArrayRecordComponent") // never compared
record BranchChange(Object[] branch, long[] before, long[] after) implements LaneSummary.Change {
    private static final long[] NOTHING = LaneSummary.empty(0);

    /** The summary of all parts of a branch. */
    static long[] summaryOf(Object[] branch) {
        long[] summary = NOTHING;
        for (int i = 0; i < SummaryTree.FAN && branch[i] != null; i++) {
            long[] part = (long[]) branch[SummaryTree.FAN + i];
            summary = LaneSummary.replaced(summary, new BranchChange(branch, NOTHING, part), 0);
        }
        return summary;
    }

    @Override
    public long had(int word) {
        return LaneSummary.bits(before, word);
    }

    @Override
    public long has(int word) {
        return LaneSummary.bits(after, word);
    }

    @Override
    public long was(int lane) {
        return LaneSummary.entry(before, lane);
    }

    @Override
    public long is(int lane) {
        return LaneSummary.entry(after, lane);
    }

    @Override
    public long count() {
        return LaneSummary.sum(after) - LaneSummary.sum(before);
    }

    @Override
    public long max(int lane, long numbers, long bound) {
        long max = 0;
        for (int i = 0; i < SummaryTree.FAN && branch[i] != null && max != bound; i++) {
            max = Lanes.max(max, LaneSummary.entry((long[]) branch[SummaryTree.FAN + i], lane) & numbers);
        }
        return max;
    }
}
