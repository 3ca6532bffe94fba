package io.gpusched.internal.tree;

import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/**
 * A persistent sequence of fixed length that knows of each inner node what its {@link SummaryFormat} keeps.
 *
 * <p>Replacing a leaf copies one path and costs O(log n); all older versions stay valid and share the rest. A search skips
 * every subtree whose summary has nothing of what is looked for. {@link #forEachChange} visits only what two versions do
 * not share. Immutable and thread-safe. Leaves are replaced through a {@link DeferredTree}.
 *
 * @param <T> the leaves
 */
public final class SummaryTree<T> {
    /*
     * Chunks of 16 leaves below branches of 16: at 100,000 leaves four branch levels above the chunks. Both are plain arrays,
     * for what costs in a large tree is how many objects a walk touches and how many bytes an update copies:
     *
     *   branch: 16 parts, their 16 summaries, the sum of the counts below (null until it is asked for)
     *   chunk:  16 leaves
     *
     * A branch holds the summaries of its children, so a search opens only children it enters; behind the entries of a
     * chunk's summary stand the keys of its leaves. A summary that comes out equal is shared with the older version, and
     * everything above it then keeps its summary for free.
     */
    private static final int BITS = 4;
    public static final int FAN = 1 << BITS;
    private static final int BRANCH_SUM = 2 * FAN;

    private final SummaryFormat<T> format;
    private final int size;
    private final int rootShift;

    /** The root and its summary. */
    private final Object[] top;

    private SummaryTree(SummaryFormat<T> format, int size, int rootShift, Object[] top) {
        this.format = format;
        this.size = size;
        this.rootShift = rootShift;
        this.top = top;
    }

    /** Builds a tree of these leaves in this order, O(n). */
    public static <T> SummaryTree<T> of(SummaryFormat<T> format, List<? extends T> leaves) {
        int n = leaves.size();
        Object[][] parts = new Object[Math.max(1, (n + FAN - 1) >> BITS)][];
        long[][] summaries = new long[parts.length][];
        for (int i = 0; i < parts.length; i++) {
            parts[i] = new Object[FAN];
            summaries[i] = LaneSummary.empty(FAN);
            for (int leaf = i << BITS; leaf < Math.min(n, (i + 1) << BITS); leaf++) {
                parts[i][leaf & (FAN - 1)] = leaves.get(leaf);
                summaries[i] = ChunkChange.applied(
                        format, summaries[i], leaf & (FAN - 1), LeafUpdate.put(format, leaf, leaves.get(leaf)));
            }
        }
        int shift = BITS;
        for (; parts.length > 1; shift += BITS) {
            Object[][] above = new Object[(parts.length + FAN - 1) >> BITS][];
            long[][] summariesAbove = new long[above.length][];
            for (int i = 0; i < above.length; i++) {
                int from = i << BITS;
                int count = Math.min(FAN, parts.length - from);
                above[i] = new Object[BRANCH_SUM + 1];
                System.arraycopy(parts, from, above[i], 0, count);
                System.arraycopy(summaries, from, above[i], FAN, count);
                summariesAbove[i] = BranchChange.summaryOf(above[i]);
            }
            parts = above;
            summaries = summariesAbove;
        }
        return new SummaryTree<>(format, n, shift, new Object[] {parts[0], summaries[0]});
    }

    /** Returns the number of leaves. */
    public int size() {
        return size;
    }

    public SummaryFormat<T> format() {
        return format;
    }

    /** The summary of all leaves; not to be written to. */
    public long[] summary() {
        return (long[]) top[1];
    }

    /** Returns the leaf at this position, O(log n). */
    public T get(int index) {
        return leaf(top, rootShift, index);
    }

    /** Returns the key of the leaf at this position, O(log n). */
    public long key(int index) {
        Object[] part = (Object[]) top[0];
        long[] summary = summary();
        for (int shift = rootShift - BITS; shift > 0; shift -= BITS) {
            int at = index >> shift & (FAN - 1);
            summary = (long[]) part[FAN + at];
            part = (Object[]) part[at];
        }
        return summary[summary.length - FAN + (index & (FAN - 1))];
    }

    // chunks hold nothing but leaves of type T, which every caller names
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T> T leaf(Object[] top, int rootShift, int index) {
        Object[] part = (Object[]) top[0];
        for (int shift = rootShift - BITS; shift > 0; shift -= BITS) {
            part = (Object[]) part[index >> shift & (FAN - 1)];
        }
        return (T) part[index & (FAN - 1)];
    }

    /** Returns this tree with some leaves replaced, O(log n) for each. */
    public SummaryTree<T> with(Pending<T> changes) {
        if (changes.isEmpty()) {
            return this;
        }
        // reads that depend on nothing wait for memory together; those of the updates would wait one after the other
        long more = 0;
        for (int i = 0; i < changes.size(); i++) {
            LeafUpdate<T> change = changes.change(i);
            more += format.count(change.digest()) - format.count(key((int) change.key()));
        }
        Object[] changed = top.clone();
        new Update<>(format, changes).in(changed, 0, 1, rootShift, 0, changes.size());
        if (rootShift > BITS && ((Object[]) top[0])[BRANCH_SUM] instanceof Long sum) {
            ((Object[]) changed[0])[BRANCH_SUM] = sum + more;
        }
        return new SummaryTree<>(format, size, rootShift, changed);
    }

    /** Replaces leaves; every part above some of them is copied once. */
    private record Update<T>(SummaryFormat<T> format, Pending<T> changes) {
        /**
         * Makes some of the changes, all of which are below one part, and puts a copy of the part and its summary into the
         * array that holds them.
         */
        void in(Object[] holder, int slot, int stride, int shift, int from, int to) {
            Object[] part = ((Object[]) holder[slot]).clone();
            long[] summary = (long[]) holder[slot + stride];
            holder[slot] = part;
            holder[slot + stride] =
                    shift == BITS ? inChunk(part, summary, from, to) : inBranch(part, summary, shift - BITS, from, to);
        }

        private long[] inChunk(Object[] chunk, long[] summary, int from, int to) {
            long[] result = summary;
            for (int i = from; i < to; i++) {
                LeafUpdate<T> change = changes.change(i);
                chunk[(int) change.key() & (FAN - 1)] = change.leaf();
                result = ChunkChange.applied(format, result, (int) change.key() & (FAN - 1), change);
            }
            return result;
        }

        @SuppressWarnings("ReferenceEquality") // a summary that came out equal is the same object
        private long[] inBranch(Object[] branch, long[] summary, int step, int from, int to) {
            branch[BRANCH_SUM] = null;
            long[] result = summary;
            int next = from;
            while (next < to) {
                int first = next;
                int path = changes.position(first) >> step;
                while (next < to && changes.position(next) >> step == path) {
                    next++;
                }
                int at = path & (FAN - 1);
                long[] before = (long[]) branch[FAN + at];
                in(branch, at, FAN, step, first, next);
                long[] after = (long[]) branch[FAN + at];
                result = before == after ? result : BranchChange.applied(branch, result, summary, at, before, after);
            }
            return result;
        }
    }

    /** Looks at leaves until it found one. */
    public interface Visitor<T> {
        /** Returns whether this leaf is what was looked for. */
        boolean passes(int position, T leaf);
    }

    /**
     * Shows a visitor, in order, the leaves from position {@code from} up to but not including {@code to} that are in one
     * of some lanes and have at least these numbers, until one passes; returns whether one did.
     *
     * @param word which 64 lanes are meant
     * @param mask the lanes among them as a bit mask
     * @param least the least of each number
     */
    public boolean visit(int word, long mask, long least, int from, int to, Visitor<? super T> visitor) {
        if (from >= to) {
            return false;
        }
        return new Search<T>(format, word, mask, least, from, Math.min(to, size), visitor)
                .in((Object[]) top[0], summary(), rootShift, 0);
    }

    private record Search<T>(
            SummaryFormat<?> format, int word, long mask, long least, int from, int to, Visitor<? super T> visitor) {
        boolean in(Object[] part, long[] summary, int shift, int base) {
            if (shift == BITS) {
                return inChunk(part, summary, base);
            }
            int step = shift - BITS;
            int first = Math.max(0, (from - base) >> step);
            int end = Math.min(FAN, ((to - base - 1) >> step) + 1);
            int parts = LaneSummary.candidates(summary, word, mask, least) & (1 << end) - (1 << first);
            for (; parts != 0; parts &= parts - 1) {
                int i = Integer.numberOfTrailingZeros(parts);
                if (in((Object[]) part[i], (long[]) part[FAN + i], step, base + (i << step))) {
                    return true;
                }
            }
            return false;
        }

        @SuppressWarnings("unchecked") // chunks hold nothing but leaves of type T
        private boolean inChunk(Object[] chunk, long[] summary, int base) {
            int leaves = LaneSummary.candidates(summary, word, mask, least)
                    & (1 << Math.min(FAN, to - base)) - (1 << Math.max(0, from - base));
            for (; leaves != 0; leaves &= leaves - 1) {
                int i = Integer.numberOfTrailingZeros(leaves);
                if (Lanes.covers(format.entry(summary[summary.length - FAN + i]), least)
                        && visitor.passes(base + i, (T) chunk[i])) {
                    return true;
                }
            }
            return false;
        }
    }

    /**
     * Returns the sum of the counts of the leaves from {@code from} up to but not including {@code to}; O(n) at first, then
     * O(log n), and once O(log n) more for each leaf replaced since a version was asked.
     */
    public long sum(int from, int to) {
        // up to the end means all there could be: then every branch is within, and keeps its sum
        return from < to ? sum(top, 0, 1, rootShift, 0, from, to < size ? to : 1 << rootShift) : 0;
    }

    private long sum(Object[] holder, int slot, int stride, int shift, int base, int from, int to) {
        if (shift == BITS) {
            long[] summary = (long[]) holder[slot + stride];
            return sumOfKeys(summary, Math.max(0, from - base), Math.min(FAN, to - base));
        }
        Object[] branch = (Object[]) holder[slot];
        boolean all = from <= base && base + (1L << shift) <= to;
        if (all && branch[BRANCH_SUM] instanceof Long known) {
            return known;
        }
        long sum = 0;
        int step = shift - BITS;
        int end = Math.min(FAN, ((to - base - 1) >> step) + 1);
        for (int i = Math.max(0, (from - base) >> step); i < end; i++) {
            sum += branch[i] == null ? 0 : sum(branch, i, FAN, step, base + (i << step), from, to);
        }
        if (all) {
            branch[BRANCH_SUM] = sum;
        }
        return sum;
    }

    private long sumOfKeys(long[] summary, int from, int to) {
        long sum = 0;
        for (int i = from; i < to; i++) {
            sum += format.count(summary[summary.length - FAN + i]);
        }
        return sum;
    }

    /** Calls back with every leaf in order, O(n). */
    public void forEach(Consumer<? super T> action) {
        forEach((Object[]) top[0], rootShift, action);
    }

    @SuppressWarnings("unchecked") // chunks hold nothing but leaves of type T
    private static <T> void forEach(Object[] part, int shift, Consumer<? super T> action) {
        if (shift == BITS) {
            for (int i = 0; i < FAN && part[i] != null; i++) {
                action.accept((T) part[i]);
            }
            return;
        }
        // to copy them is to fetch all of them from memory at once
        Object[][] below = Arrays.copyOf(part, FAN, Object[][].class);
        for (int i = 0; i < FAN && below[i] != null; i++) {
            forEach(below[i], shift - BITS, action);
        }
    }

    /** Calls back with the position of every leaf that is not the same object in both, O(changed leaves · log n). */
    public void forEachChange(SummaryTree<T> other, IntConsumer position) {
        if (size != other.size) {
            throw new IllegalArgumentException("trees of " + size + " and " + other.size + " leaves");
        }
        changes((Object[]) top[0], (Object[]) other.top[0], rootShift, 0, position);
    }

    @SuppressWarnings("ReferenceEquality") // what two versions share is the same object
    private static void changes(Object[] mine, Object[] theirs, int shift, int base, IntConsumer position) {
        if (mine == theirs) {
            return;
        }
        int step = shift - BITS;
        for (int i = 0; i < FAN; i++) {
            if (mine[i] == theirs[i]) {
                continue;
            }
            if (step == 0) {
                position.accept(base + i);
            } else {
                changes((Object[]) mine[i], (Object[]) theirs[i], step, base + (i << step), position);
            }
        }
    }

    /** Throws {@link IllegalStateException} unless every key and summary equals that of what is below it; O(n). */
    public void validate() {
        validate((Object[]) top[0], summary(), rootShift);
    }

    @SuppressWarnings("unchecked") // chunks hold nothing but leaves of type T
    private void validate(Object[] part, long[] summary, int shift) {
        if (shift == BITS) {
            long[] expected = LaneSummary.empty(FAN);
            for (int i = 0; i < FAN && part[i] != null; i++) {
                expected = ChunkChange.applied(format, expected, i, LeafUpdate.put(format, i, (T) part[i]));
            }
            requireEqual(summary, expected);
            return;
        }
        requireEqual(summary, BranchChange.summaryOf(part));
        requireSum(part, shift);
        for (int i = 0; i < FAN && part[i] != null; i++) {
            validate((Object[]) part[i], (long[]) part[FAN + i], shift - BITS);
        }
    }

    private void requireSum(Object[] branch, int shift) {
        if (branch[BRANCH_SUM] instanceof Long known) {
            Object[] unknown = branch.clone();
            unknown[BRANCH_SUM] = null;
            long sum = sum(new Object[] {unknown, null}, 0, 1, shift, 0, 0, 1 << shift);
            if (sum != known) {
                throw new IllegalStateException("sum " + known + ", expected " + sum);
            }
        }
    }

    private static void requireEqual(long[] actual, long[] expected) {
        if (!Arrays.equals(actual, expected)) {
            throw new IllegalStateException(
                    "summary " + Arrays.toString(actual) + ", expected " + Arrays.toString(expected));
        }
    }
}
