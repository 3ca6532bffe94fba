package io.gpusched.internal.tree;

/** One of the leaves of a chunk changed. Behind the entries of the summary of a chunk stand the digests of its leaves. */
final class ChunkChange implements BucketSummary.Change {
    private static final int FAN = TreeLayout.FAN;

    private final SummaryFormat<?> format;

    /** The summary before. */
    private final long[] summary;

    private final LeafUpdate<?> change;
    private final int member;

    /** The buckets that the leaf was in: asked for several times, and worked out from all entries. */
    private final long had0;

    private final long had1;
    private final long had2;
    private final long had3;

    private ChunkChange(SummaryFormat<?> format, long[] summary, int member, LeafUpdate<?> change) {
        this.format = format;
        this.summary = summary;
        this.change = change;
        this.member = member;
        this.had0 = BucketSummary.buckets(summary, member, 0);
        this.had1 = BucketSummary.buckets(summary, member, 1);
        this.had2 = BucketSummary.buckets(summary, member, 2);
        this.had3 = BucketSummary.buckets(summary, member, 3);
    }

    /** Returns the summary after the change of this member, with the digests behind it. */
    @SuppressWarnings("ReferenceEquality") // what others hold is not written to
    static <T> long[] applied(SummaryFormat<T> format, long[] summary, int member, LeafUpdate<T> change) {
        ChunkChange applied = new ChunkChange(format, summary, member, change);
        long[] result = applied.withEntries();
        if (applied.digest(member) == change.digest()) {
            return result;
        }
        result = result == summary ? summary.clone() : result;
        result[result.length - FAN + member] = change.digest();
        return result;
    }

    /** The digest of a leaf before. */
    private long digest(int leaf) {
        return summary[summary.length - FAN + leaf];
    }

    private long[] withEntries() {
        long[] result = BucketSummary.reshaped(summary, this, FAN);
        long was = format.entry(digest(member));
        long is = change.entry();
        for (int word = 0;
                word < (BucketSummary.isWide(summary) || change.isWide() ? BucketSummary.WORDS : 1);
                word++) {
            long had = had(word);
            long has = has(word);
            for (long rest = was == is ? had ^ has : had | has; rest != 0; rest &= rest - 1) {
                long bit = Long.lowestOneBit(rest);
                int bucket = (word << 6) + Long.numberOfTrailingZeros(rest);
                long before = (had & bit) == 0 ? 0 : was;
                long after = (has & bit) == 0 ? 0 : is;
                result = BucketSummary.replaced(result, summary, bucket, before, after, this);
            }
        }
        return result;
    }

    @Override
    public int member() {
        return member;
    }

    @Override
    public long had(int word) {
        return word == 0 ? had0 : word == 1 ? had1 : word == 2 ? had2 : had3;
    }

    @Override
    public long has(int word) {
        return change.buckets(word);
    }

    @Override
    public long max(int members, int bucket, long numbers, long bound) {
        long max = 0;
        for (int rest = members; rest != 0 && max != bound; rest &= rest - 1) {
            int i = Integer.numberOfTrailingZeros(rest);
            max = Lanes.max(max, (i == member ? change.entry() : format.entry(digest(i))) & numbers);
        }
        return max;
    }
}
