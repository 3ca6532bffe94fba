package io.gpusched.internal;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A persistent sequence of fixed length that knows of each inner node what its {@link SummaryFormat} keeps.
 *
 * <p>{@link #with(int, Object)} copies one path and costs O(log n); all older versions stay valid and share the rest.
 * {@link #first} skips every subtree whose summary has nothing of what is looked for. {@link #forEachChange} visits
 * only what two versions do not share. Immutable and thread-safe; an {@link Editor} is neither.
 *
 * @param <T> the leaves
 */
public final class SummaryTree<T> {
    /*
     * Chunks of 8 leaves below branches of 8: at 100,000 leaves five branch levels above the chunks. Both are plain arrays, for what
     * costs in a large tree is how many objects a walk touches and how many bytes an update copies:
     *
     *   branch: 8 parts, their 8 summaries, the owner
     *   chunk:  8 leaves, long[8] keys, long[8 * WORDS] further lanes (null if no leaf has any), the owner
     *
     * A branch holds the summaries of its children, so a search opens only children it enters. A summary that comes out
     * equal is shared with the older version, and everything above it then keeps its summary for free.
     */
    private static final int BITS = 3;
    private static final int FAN = 1 << BITS;
    private static final int BRANCH_OWNER = 2 * FAN;
    private static final int KEYS = FAN;
    private static final int MORE = FAN + 1;
    private static final int CHUNK_OWNER = FAN + 2;
    private static final int WORDS = LaneSummary.WORDS;

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
            parts[i] = chunk(format, leaves.subList(i << BITS, Math.min(n, (i + 1) << BITS)));
            summaries[i] = SummaryTree.summaryOf(format, parts[i]);
        }
        int shift = BITS;
        for (; parts.length > 1; shift += BITS) {
            Object[][] above = new Object[(parts.length + FAN - 1) >> BITS][];
            long[][] summariesAbove = new long[above.length][];
            for (int i = 0; i < above.length; i++) {
                int from = i << BITS;
                int count = Math.min(FAN, parts.length - from);
                above[i] = new Object[BRANCH_OWNER + 1];
                System.arraycopy(parts, from, above[i], 0, count);
                System.arraycopy(summaries, from, above[i], FAN, count);
                summariesAbove[i] = summaryOf(above[i]);
            }
            parts = above;
            summaries = summariesAbove;
        }
        return new SummaryTree<>(format, n, shift, new Object[] {parts[0], summaries[0]});
    }

    private static <T> Object[] chunk(SummaryFormat<T> format, List<? extends T> leaves) {
        Object[] chunk = new Object[CHUNK_OWNER + 1];
        long[] keys = new long[FAN];
        for (int i = 0; i < leaves.size(); i++) {
            T leaf = leaves.get(i);
            chunk[i] = leaf;
            keys[i] = format.key(leaf);
            setMore(format, chunk, i, leaf);
        }
        chunk[KEYS] = keys;
        return chunk;
    }

    /** Notes the further lanes of a leaf in a chunk that may be written to, and whose array of them is not shared. */
    private static <T> void setMore(SummaryFormat<T> format, Object[] chunk, int at, T leaf) {
        long[] more = (long[]) chunk[MORE];
        boolean has = format.hasMoreLanes(leaf);
        if (more == null && has) {
            more = new long[FAN * WORDS];
            chunk[MORE] = more;
        }
        for (int w = 0; w < (more == null ? 0 : WORDS); w++) {
            more[at * WORDS + w] = has ? format.moreLanes(leaf, w) : 0;
        }
    }

    /** Returns the number of leaves. */
    public int size() {
        return size;
    }

    /** Returns the summary of all leaves, see {@link LaneSummary}; it must not be written to. */
    public long[] summary() {
        return (long[]) top[1];
    }

    /** Returns the leaf at this position, O(log n). */
    public T get(int index) {
        return leaf(top, rootShift, index);
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

    /** Returns this tree with one leaf replaced, O(log n). */
    public SummaryTree<T> with(int index, T leaf) {
        Object[] changed = top.clone();
        update(format, changed, 0, 1, rootShift, index, leaf, null);
        return new SummaryTree<>(format, size, rootShift, changed);
    }

    /** Starts a private copy that takes many replacements and then becomes a tree. */
    public Editor<T> edit() {
        return new Editor<>(this);
    }

    /**
     * A tree under change: replacements reuse the parts that this editor has already copied. Not thread-safe.
     *
     * @param <T> the leaves
     */
    public static final class Editor<T> {
        private final SummaryTree<T> origin;
        private Object owner = new Object();
        private final Object[] top;

        private Editor(SummaryTree<T> origin) {
            this.origin = origin;
            this.top = origin.top.clone();
        }

        /** Replaces a leaf. */
        public void set(int index, T leaf) {
            update(origin.format, top, 0, 1, origin.rootShift, index, leaf, owner);
        }

        /** Returns the leaf at this position. */
        public T get(int index) {
            return leaf(top, origin.rootShift, index);
        }

        /** Returns the tree as it is now; the editor may go on and does not change it. */
        public SummaryTree<T> build() {
            owner = new Object();
            return new SummaryTree<>(origin.format, origin.size, origin.rootShift, top.clone());
        }
    }

    /**
     * Replaces a leaf somewhere below a part, and with it the part and its summary in the array that holds them, which may
     * be written to.
     */
    private static <T> void update(
            SummaryFormat<T> format,
            Object[] holder,
            int slot,
            int stride,
            int shift,
            int index,
            T leaf,
            @Nullable Object owner) {
        Object[] part = (Object[]) holder[slot];
        long[] summary = (long[]) holder[slot + stride];
        if (shift == BITS) {
            part = writableChunk(part, owner);
            summary = replaceLeaf(format, part, summary, index & (FAN - 1), leaf, owner != null);
        } else {
            part = owner != null && part[BRANCH_OWNER] == owner ? part : owned(part.clone(), BRANCH_OWNER, owner);
            int at = index >> (shift - BITS) & (FAN - 1);
            long[] before = (long[]) part[FAN + at];
            update(format, part, at, FAN, shift - BITS, index, leaf, owner);
            long[] after = (long[]) part[FAN + at];
            if (before != after) {
                Object[] branch = part;
                summary = LaneSummary.replaced(
                        summary, before, after, (lane, numbers, bound) -> maxOverParts(branch, lane, numbers, bound));
            }
        }
        holder[slot] = part;
        holder[slot + stride] = summary;
    }

    private static Object[] owned(Object[] part, int ownerAt, @Nullable Object owner) {
        part[ownerAt] = owner;
        return part;
    }

    /** An editor writes to the keys of its chunks too, so they get copies of their own. */
    private static Object[] writableChunk(Object[] chunk, @Nullable Object owner) {
        if (owner != null && chunk[CHUNK_OWNER] == owner) {
            return chunk;
        }
        Object[] copy = owned(chunk.clone(), CHUNK_OWNER, owner);
        if (owner != null) {
            copy[KEYS] = ((long[]) chunk[KEYS]).clone();
            copy[MORE] = chunk[MORE] == null ? null : ((long[]) chunk[MORE]).clone();
        }
        return copy;
    }

    private static <T> long[] replaceLeaf(
            SummaryFormat<T> format, Object[] chunk, long[] summary, int at, T leaf, boolean keysOwned) {
        chunk[at] = leaf;
        long[] keys = (long[]) chunk[KEYS];
        long[] more = (long[]) chunk[MORE];
        long oldKey = keys[at];
        long newKey = format.key(leaf);
        boolean moreLanes = more != null || format.hasMoreLanes(leaf);
        if (oldKey == newKey && !moreLanes) {
            return summary;
        }
        if (!keysOwned) {
            keys = keys.clone();
            chunk[KEYS] = keys;
        }
        keys[at] = newKey;
        long[] before = null;
        if (moreLanes) {
            before = more == null ? new long[WORDS] : Arrays.copyOfRange(more, at * WORDS, (at + 1) * WORDS);
            chunk[MORE] = more == null || keysOwned ? more : more.clone();
            setMore(format, chunk, at, leaf);
            more = (long[]) chunk[MORE];
        }
        long[] result = LaneSummary.plus(summary, format.count(newKey) - format.count(oldKey), false);
        long was = format.entry(oldKey);
        long is = format.entry(newKey);
        long[] sharedKeys = keys;
        long[] sharedMore = more;
        LaneSummary.Rescan rescan =
                (lane, numbers, bound) -> maxOverKeys(format, sharedKeys, sharedMore, lane, numbers, bound);
        for (int w = 0; w < (moreLanes ? WORDS : 1); w++) {
            long had = (w == 0 ? format.lanes(oldKey) : 0) | (before == null ? 0 : before[w]);
            long has = (w == 0 ? format.lanes(newKey) : 0) | (more == null ? 0 : more[at * WORDS + w]);
            for (long rest = was == is ? had ^ has : had | has; rest != 0; rest &= rest - 1) {
                long bit = Long.lowestOneBit(rest);
                result = LaneSummary.replaced(
                        result,
                        result != summary,
                        (w << 6) + Long.numberOfTrailingZeros(bit),
                        (had & bit) == 0 ? 0 : was,
                        (has & bit) == 0 ? 0 : is,
                        rescan);
            }
        }
        return result;
    }

    private static boolean inLane(
            SummaryFormat<?> format, long[] keys, long @Nullable [] more, int at, int word, long mask) {
        return word == 0 && (format.lanes(keys[at]) & mask) != 0
                || more != null && (more[at * WORDS + word] & mask) != 0;
    }

    private static long maxOverKeys(
            SummaryFormat<?> format, long[] keys, long @Nullable [] more, int lane, long numbers, long bound) {
        long max = 0;
        for (int i = 0; i < FAN && max != bound; i++) {
            if (inLane(format, keys, more, i, lane >> 6, 1L << lane)) {
                max = Lanes.max(max, format.entry(keys[i]) & numbers);
            }
        }
        return max;
    }

    private static long maxOverParts(Object[] branch, int lane, long numbers, long bound) {
        long max = 0;
        for (int i = 0; i < FAN && branch[i] != null && max != bound; i++) {
            max = Lanes.max(max, LaneSummary.entry((long[]) branch[FAN + i], lane) & numbers);
        }
        return max;
    }

    private static long[] summaryOf(Object[] branch) {
        long[] summary = LaneSummary.empty();
        for (int i = 0; i < FAN && branch[i] != null; i++) {
            summary = LaneSummary.merged(summary, (long[]) branch[FAN + i]);
        }
        return summary;
    }

    private static long[] summaryOf(SummaryFormat<?> format, Object[] chunk) {
        long[] summary = LaneSummary.empty();
        long[] keys = (long[]) chunk[KEYS];
        long[] more = (long[]) chunk[MORE];
        for (int i = 0; i < FAN && chunk[i] != null; i++) {
            summary = LaneSummary.plus(summary, format.count(keys[i]), true);
            for (int w = 0; w < WORDS; w++) {
                long lanes = (w == 0 ? format.lanes(keys[i]) : 0) | (more == null ? 0 : more[i * WORDS + w]);
                for (; lanes != 0; lanes &= lanes - 1) {
                    summary = LaneSummary.max(
                            summary, (w << 6) + Long.numberOfTrailingZeros(lanes), format.entry(keys[i]));
                }
            }
        }
        return summary;
    }

    /**
     * Returns the first leaf from position {@code from} up to but not including {@code to} that is in one of some lanes,
     * has at least these numbers and passes a test; or null. Leaves are tested in order; a test that none passes has seen
     * all there are.
     *
     * @param word which 64 lanes are meant
     * @param mask the lanes among them as a bit mask
     * @param least the least of each of the four numbers
     */
    public @Nullable T first(int word, long mask, long least, int from, int to, Predicate<? super T> wanted) {
        if (from >= to || !LaneSummary.mayHave(summary(), word, mask, least)) {
            return null;
        }
        return new Search<T>(format, word, mask, least, from, Math.min(to, size), wanted)
                .in((Object[]) top[0], rootShift, 0);
    }

    private record Search<T>(
            SummaryFormat<?> format, int word, long mask, long least, int from, int to, Predicate<? super T> wanted) {
        @Nullable
        T in(Object[] part, int shift, int base) {
            if (shift == BITS) {
                return inChunk(part, base);
            }
            int step = shift - BITS;
            int end = Math.min(FAN, ((to - base - 1) >> step) + 1);
            for (int i = Math.max(0, (from - base) >> step); i < end; i++) {
                if (LaneSummary.mayHave((long[]) part[FAN + i], word, mask, least)) {
                    T found = in((Object[]) part[i], step, base + (i << step));
                    if (found != null) {
                        return found;
                    }
                }
            }
            return null;
        }

        @SuppressWarnings("unchecked") // chunks hold nothing but leaves of type T
        private @Nullable T inChunk(Object[] chunk, int base) {
            long[] keys = (long[]) chunk[KEYS];
            long[] more = (long[]) chunk[MORE];
            int end = Math.min(FAN, to - base);
            for (int i = Math.max(0, from - base); i < end; i++) {
                if (inLane(format, keys, more, i, word, mask) && Lanes.covers(format.entry(keys[i]), least)) {
                    T leaf = (T) chunk[i];
                    if (wanted.test(leaf)) {
                        return leaf;
                    }
                }
            }
            return null;
        }
    }

    /** Returns the sum of the counts of the leaves from {@code from} up to but not including {@code to}; O(log n). */
    public long sum(int from, int to) {
        return from < to ? sum(top, 0, 1, rootShift, 0, from, Math.min(to, size)) : 0;
    }

    private long sum(Object[] holder, int slot, int stride, int shift, int base, int from, int to) {
        if (from <= base && base + (1L << shift) <= to) {
            return LaneSummary.sum((long[]) holder[slot + stride]);
        }
        Object[] part = (Object[]) holder[slot];
        long sum = 0;
        if (shift == BITS) {
            long[] keys = (long[]) part[KEYS];
            int end = Math.min(FAN, to - base);
            for (int i = Math.max(0, from - base); i < end; i++) {
                sum += format.count(keys[i]);
            }
            return sum;
        }
        int step = shift - BITS;
        int end = Math.min(FAN, ((to - base - 1) >> step) + 1);
        for (int i = Math.max(0, (from - base) >> step); i < end; i++) {
            sum += sum(part, i, FAN, step, base + (i << step), from, to);
        }
        return sum;
    }

    /** Calls back with the position of every leaf that is not the same object in both, O(changed leaves · log n). */
    public void forEachChange(SummaryTree<T> other, IntConsumer position) {
        if (size != other.size) {
            throw new IllegalArgumentException("trees of " + size + " and " + other.size + " leaves");
        }
        changes((Object[]) top[0], (Object[]) other.top[0], rootShift, 0, position);
    }

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

    private void validate(Object[] part, long[] summary, int shift) {
        if (shift == BITS) {
            Object[] expected = chunk(format, leaves(part));
            requireEqual("keys", (long[]) part[KEYS], (long[]) expected[KEYS]);
            long[] more = (long[]) expected[MORE];
            if (part[MORE] != null || more != null) {
                requireEqual("lanes", (long[]) part[MORE], more == null ? new long[FAN * WORDS] : more);
            }
            requireEqual("summary", summary, summaryOf(format, part));
            return;
        }
        requireEqual("summary", summary, summaryOf(part));
        for (int i = 0; i < FAN && part[i] != null; i++) {
            validate((Object[]) part[i], (long[]) part[FAN + i], shift - BITS);
        }
    }

    @SuppressWarnings("unchecked") // chunks hold nothing but leaves of type T
    private List<T> leaves(Object[] chunk) {
        int count = 0;
        while (count < FAN && chunk[count] != null) {
            count++;
        }
        return (List<T>) Arrays.asList(chunk).subList(0, count);
    }

    private static void requireEqual(String what, long @Nullable [] actual, long[] expected) {
        if (!Arrays.equals(actual, expected)) {
            throw new IllegalStateException(
                    what + " " + Arrays.toString(actual) + ", expected " + Arrays.toString(expected));
        }
    }
}
