package io.gpusched.internal;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** One of the leaves of a chunk of a {@link SummaryTree} changed. */
final class ChunkChange implements LaneSummary.Change {
    private static final int FAN = SummaryTree.FAN;
    private static final int WORDS = LaneSummary.WORDS;

    private final SummaryFormat<?> format;
    private final Object[] chunk;

    /** The summary before, behind whose entries the keys of all leaves stand. */
    private final long[] summary;

    private final int changed;
    private final long oldKey;
    private final long newKey;

    /** The lanes before that the key does not tell of; null if there were none. */
    private final long @Nullable [] oldMore;

    private ChunkChange(
            SummaryFormat<?> format,
            Object[] chunk,
            long[] summary,
            int changed,
            long newKey,
            long @Nullable [] oldMore) {
        this.format = format;
        this.chunk = chunk;
        this.summary = summary;
        this.changed = changed;
        this.oldKey = summary[summary.length - FAN + changed];
        this.newKey = newKey;
        this.oldMore = oldMore;
    }

    /** Puts a leaf into a chunk that may be written to, and returns its new summary with the keys behind it. */
    static <T> long[] put(SummaryFormat<T> format, Object[] chunk, long[] summary, int at, T leaf) {
        long[] oldMore = (long[]) chunk[SummaryTree.MORE];
        chunk[at] = leaf;
        boolean more = format.hasMoreLanes(leaf);
        if (more || oldMore != null) {
            chunk[SummaryTree.MORE] = withMore(format, oldMore, at, leaf, more);
        }
        long key = format.key(leaf);
        boolean sameKey = key == summary[summary.length - FAN + at];
        if (sameKey && !more && oldMore == null) {
            return summary;
        }
        ChunkChange change = new ChunkChange(format, chunk, summary, at, key, oldMore);
        long[] result = change.applied();
        if (!sameKey) {
            result = result == summary ? summary.clone() : result;
            result[result.length - FAN + at] = key;
        }
        return result;
    }

    private static <T> long[] withMore(SummaryFormat<T> format, long @Nullable [] old, int at, T leaf, boolean more) {
        long[] lanes = old == null ? new long[FAN * WORDS] : old.clone();
        Arrays.fill(lanes, at * WORDS, (at + 1) * WORDS, 0);
        if (more) {
            format.addMoreLanes(leaf, lanes, at * WORDS);
        }
        return lanes;
    }

    private long[] applied() {
        long[] result = LaneSummary.reshaped(summary, this, FAN);
        long was = format.entry(oldKey);
        long is = format.entry(newKey);
        for (int word = 0; word < (chunk[SummaryTree.MORE] == null ? 1 : WORDS); word++) {
            long had = had(word);
            long has = has(word);
            for (long rest = was == is ? had ^ has : had | has; rest != 0; rest &= rest - 1) {
                long bit = Long.lowestOneBit(rest);
                int lane = (word << 6) + Long.numberOfTrailingZeros(bit);
                long before = (had & bit) == 0 ? 0 : was;
                long after = (has & bit) == 0 ? 0 : is;
                result = LaneSummary.replaced(result, summary, lane, before, after, this);
            }
        }
        return result;
    }

    /** The lanes of the leaf with this key at this place. */
    static long lanes(SummaryFormat<?> format, Object[] chunk, long key, int at, int word) {
        return lanes(format, (long[]) chunk[SummaryTree.MORE], key, at, word);
    }

    private static long lanes(SummaryFormat<?> format, long @Nullable [] more, long key, int at, int word) {
        return (word == 0 ? format.lanes(key) : 0) | (more == null ? 0 : more[at * WORDS + word]);
    }

    @Override
    public long had(int word) {
        return lanes(format, oldMore, oldKey, changed, word);
    }

    @Override
    public long has(int word) {
        return lanes(format, chunk, newKey, changed, word);
    }

    @Override
    public long max(int lane, long numbers, long bound) {
        long max = 0;
        int keys = summary.length - FAN;
        for (int i = 0; i < FAN && max != bound; i++) {
            long key = i == changed ? newKey : summary[keys + i];
            if ((lanes(format, chunk, key, i, lane >> 6) >>> lane & 1) != 0) {
                max = Lanes.max(max, format.entry(key) & numbers);
            }
        }
        return max;
    }
}
