package io.gpusched.internal.select;

import io.gpusched.internal.index.CapacityQuery;
import io.gpusched.internal.index.NodeSummaryEncoder;
import io.gpusched.internal.tree.BucketSummary;
import io.gpusched.model.NodeState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What nodes have free, by slot: for each capacity bucket of {@link NodeSummaryEncoder} the nodes that are in it. Not
 * thread-safe.
 */
final class CapacityMap {
    /*
     * Problem: of 100,000 nodes find the first with an idle GPU and 12 free cores that is in one of ten pools and none of three
     * zones, while nodes change.
     *
     * Idea: a bitmap index. Each bucket is a bitmap over the nodes, and so is each value of a label. What a bucket and labels
     * have in common is found 64 nodes at a look, or 4,096 where nothing is in common. Beside each word of a bucket stand the
     * greatest amounts that any node of that word has, so that nodes without the CPU are passed by 64 and 4,096 at once, as
     * in the summaries of a tree. A node that changes costs a few bits and numbers, however many labels are in use, for
     * labels do not know what runs.
     *
     * See P. O'Neil and D. Quass, "Improved Query Performance with Variant Indexes", 1997.
     */
    private final @Nullable CapacityColumn[] columns = new CapacityColumn[BucketSummary.BUCKETS];

    /** By slot: the amounts that a node has free, 0 where none can be placed. */
    private long[] entries = new long[64];

    /** Takes note of the node of a slot in another state; null where there was, or is, none. */
    void replace(int slot, @Nullable NodeState before, @Nullable NodeState after, NodeSummaryEncoder encoder) {
        if (slot >= entries.length) {
            entries = Arrays.copyOf(entries, Math.max(slot + 1, entries.length * 5 / 4));
        }
        long digest = after == null ? 0 : encoder.digest(after);
        long was = entries[slot];
        long is = digest == 0 ? 0 : encoder.entry(digest);
        entries[slot] = is;
        long[] had = before == null ? null : encoder.moreBuckets(before);
        long[] has = after == null ? null : encoder.moreBuckets(after);
        long hadFirst = before == null ? 0 : encoder.buckets(encoder.digest(before));
        replace(slot, 0, hadFirst | word(had, 0), encoder.buckets(digest) | word(has, 0), was, is);
        for (int word = 1; word < BucketSummary.WORDS && (had != null || has != null); word++) {
            replace(slot, word, word(had, word), word(has, word), was, is);
        }
    }

    private static long word(long @Nullable [] buckets, int word) {
        return buckets == null ? 0 : buckets[word];
    }

    private void replace(int slot, int word, long had, long has, long was, long is) {
        for (long rest = was == is ? had ^ has : had | has; rest != 0; rest &= rest - 1) {
            int bit = Long.numberOfTrailingZeros(rest);
            CapacityColumn column = column(word << SlotSet.SHIFT | bit);
            column.replace(slot, (had >>> bit & 1) == 0 ? 0 : was, (has >>> bit & 1) == 0 ? 0 : is, entries);
        }
    }

    private CapacityColumn column(int bucket) {
        CapacityColumn known = columns[bucket];
        if (known == null) {
            known = new CapacityColumn();
            columns[bucket] = known;
        }
        return known;
    }

    /** Returns the first bucket from {@code from} up to but not including {@code to} that any node is in, -1 if there is none. */
    int nextBucket(int from, int to) {
        for (int bucket = from; bucket < to; bucket++) {
            CapacityColumn column = columns[bucket];
            if (column != null && !column.members().isEmpty()) {
                return bucket;
            }
        }
        return -1;
    }

    /**
     * Returns a search for nodes.
     *
     * @param least the least amounts
     * @param sets bitmaps in all of which a node must be
     * @param from where it starts
     */
    CapacityWalk walk(CapacityQuery query, long least, SlotSet[] sets, int from) {
        List<CapacityColumn> asked = new ArrayList<>(2);
        for (long rest = query.mask(); rest != 0; rest &= rest - 1) {
            CapacityColumn column = columns[query.word() << SlotSet.SHIFT | Long.numberOfTrailingZeros(rest)];
            if (column != null) {
                asked.add(column);
            }
        }
        return new CapacityWalk(asked.toArray(CapacityColumn[]::new), sets, entries, least, from);
    }
}
