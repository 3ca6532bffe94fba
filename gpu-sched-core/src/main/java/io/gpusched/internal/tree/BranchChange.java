package io.gpusched.internal.tree;

import java.util.Arrays;

/** The summary of one of the parts of a branch changed. */
final class BranchChange implements BucketSummary.Change {
    private static final long[] NOTHING = BucketSummary.empty(0);

    private final Object[] branch;
    private final int member;
    private final long[] before;
    private final long[] after;

    private BranchChange(Object[] branch, int member, long[] before, long[] after) {
        this.branch = branch;
        this.member = member;
        this.before = before;
        this.after = after;
    }

    /**
     * Returns the summary of a branch that knows already of the change of one of its parts.
     *
     * @param summary the summary before, written to unless it is shared
     * @param shared a summary that may not be written to
     */
    static long[] applied(Object[] branch, long[] summary, long[] shared, int member, long[] before, long[] after) {
        BranchChange change = new BranchChange(branch, member, before, after);
        return BucketSummary.haveSameBuckets(before, after)
                ? change.withEntries(summary, shared)
                : change.withBuckets(summary, shared);
    }

    /** The summary of all parts of a branch. */
    static long[] summaryOf(Object[] branch) {
        long[] summary = NOTHING;
        for (int i = 0; i < TreeLayout.FAN && branch[i] != null; i++) {
            summary = applied(branch, summary, summary, i, NOTHING, (long[]) branch[TreeLayout.FAN + i]);
        }
        return summary;
    }

    private int words() {
        return BucketSummary.isWide(before) || BucketSummary.isWide(after) ? BucketSummary.WORDS : 1;
    }

    /** Where the same buckets are taken before and after, entries stand at the same places and compare fast. */
    private long[] withEntries(long[] summary, long[] shared) {
        long[] result = summary;
        int from = BucketSummary.entries(before);
        for (int word = 0; word < words(); word++) {
            long buckets = BucketSummary.bits(before, word);
            int to = from + Long.bitCount(buckets);
            int at = from;
            int next = Arrays.mismatch(before, at, to, after, at, to);
            while (next >= 0) {
                at += next;
                int bucket = (word << 6) + nth(buckets, at - from);
                result = replaced(result, shared, bucket, before[at], after[at]);
                at++;
                next = Arrays.mismatch(before, at, to, after, at, to);
            }
            from = to;
        }
        return result;
    }

    /** The number of the bit above {@code n} lower ones. */
    private static int nth(long bits, int n) {
        int low = 0;
        int left = n;
        for (int half = Long.SIZE / 2; half > 0; half /= 2) {
            int below = Long.bitCount(bits >>> low & (1L << half) - 1);
            if (below <= left) {
                left -= below;
                low += half;
            }
        }
        return low;
    }

    private long[] withBuckets(long[] summary, long[] shared) {
        long[] result = BucketSummary.reshaped(summary, this, 0);
        int b = BucketSummary.entries(before);
        int a = BucketSummary.entries(after);
        for (int word = 0; word < words(); word++) {
            long had = had(word);
            long has = has(word);
            for (long rest = had | has; rest != 0; rest &= rest - 1) {
                long bit = Long.lowestOneBit(rest);
                long was = (had & bit) == 0 ? 0 : before[b++];
                long is = (has & bit) == 0 ? 0 : after[a++];
                if (was != is) {
                    int bucket = (word << 6) + Long.numberOfTrailingZeros(rest);
                    result = replaced(result, shared, bucket, was, is);
                }
            }
        }
        return result;
    }

    private long[] replaced(long[] result, long[] shared, int bucket, long was, long is) {
        return BucketSummary.replaced(result, shared, bucket, was & Lanes.ALL, is & Lanes.ALL, this);
    }

    @Override
    public int member() {
        return member;
    }

    @Override
    public long had(int word) {
        return BucketSummary.bits(before, word);
    }

    @Override
    public long has(int word) {
        return BucketSummary.bits(after, word);
    }

    @Override
    public long max(int members, int bucket, long numbers, long bound) {
        long max = 0;
        for (int rest = members; rest != 0 && max != bound; rest &= rest - 1) {
            Object part = branch[TreeLayout.FAN + Integer.numberOfTrailingZeros(rest)];
            max = Lanes.max(max, BucketSummary.entry((long[]) part, bucket) & numbers);
        }
        return max;
    }
}
