package io.gpusched.internal;

/**
 * One of the parts of a branch of a {@link SummaryTree} changed.
 *
 * <p>Behind the entries of a branch's summary stand two words: for each of the lanes 0..15 a byte that says which of the
 * parts have a leaf in it. So neither a search nor an update looks at parts that have nothing in such a lane.
 */
final class BranchChange implements LaneSummary.Change {
    static final int TAIL = 2;
    private static final int LANES = TAIL * Long.BYTES;
    private static final int ALL = (1 << SummaryTree.FAN) - 1;
    private static final long[] NOTHING = LaneSummary.empty(TAIL);

    private final Object[] branch;
    private final int at;
    private final long[] before;
    private final long[] after;
    private final long lowMasks;
    private final long highMasks;

    private BranchChange(Object[] branch, long[] summary, int at, long[] before, long[] after) {
        this.branch = branch;
        this.at = at;
        this.before = before;
        this.after = after;
        this.lowMasks = masks(summary[summary.length - 2], 0);
        this.highMasks = masks(summary[summary.length - 1], Long.BYTES);
    }

    /** The masks of eight lanes after the change. */
    private long masks(long old, int firstLane) {
        long flips = (LaneSummary.bits(before, 0) ^ LaneSummary.bits(after, 0)) >>> firstLane & 0xFF;
        long masks = old;
        for (; flips != 0; flips &= flips - 1) {
            masks ^= 1L << (Long.numberOfTrailingZeros(flips) * SummaryTree.FAN + at);
        }
        return masks;
    }

    /** Returns the summary of a branch that knows already of the change of one of its parts. */
    static long[] replaced(Object[] branch, long[] summary, int at, long[] before, long[] after) {
        BranchChange change = new BranchChange(branch, summary, at, before, after);
        long[] result = LaneSummary.replaced(summary, before, after, change, TAIL);
        int end = result.length;
        if (result[end - 2] != change.lowMasks || result[end - 1] != change.highMasks) {
            result = result == summary ? summary.clone() : result;
            result[end - 2] = change.lowMasks;
            result[end - 1] = change.highMasks;
        }
        return result;
    }

    /** The summary of all parts of a branch. */
    static long[] summaryOf(Object[] branch) {
        long[] summary = NOTHING;
        for (int i = 0; i < SummaryTree.FAN && branch[i] != null; i++) {
            summary = replaced(branch, summary, i, NOTHING, (long[]) branch[SummaryTree.FAN + i]);
        }
        return summary;
    }

    /** Which parts of the branch with this summary may have leaves in one of the lanes of a mask over one word. */
    static int parts(long[] summary, int word, long lanes) {
        if (word != 0 || lanes >>> LANES != 0) {
            return ALL;
        }
        int parts = 0;
        for (long rest = lanes; rest != 0; rest &= rest - 1) {
            int lane = Long.numberOfTrailingZeros(rest);
            parts |= parts(summary[summary.length - 2 + lane / Long.BYTES], lane);
        }
        return parts;
    }

    private static int parts(long masks, int lane) {
        return (int) (masks >>> lane % Long.BYTES * SummaryTree.FAN) & ALL;
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
    public long max(int lane, long numbers, long bound) {
        int parts = lane >= LANES ? ALL : parts(lane < Long.BYTES ? lowMasks : highMasks, lane);
        long max = 0;
        for (; parts != 0 && max != bound; parts &= parts - 1) {
            Object part = branch[SummaryTree.FAN + Integer.numberOfTrailingZeros(parts)];
            if (part == null) {
                return max;
            }
            max = Lanes.max(max, LaneSummary.entry((long[]) part, lane) & numbers);
        }
        return max;
    }
}
