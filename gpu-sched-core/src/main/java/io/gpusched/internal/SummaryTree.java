package io.gpusched.internal;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A persistent sequence of fixed length with a summary at each inner node.
 *
 * <p>{@link #with(int, Object)} copies one path and costs O(log n); all older versions stay valid and share the rest.
 * {@link #first(Guide, int, int)} skips every subtree whose summary the guide turns down. {@link #forEachChange} visits
 * only what two versions do not share. Immutable and thread-safe; an {@link Editor} is neither.
 *
 * @param <T> the leaves
 */
public final class SummaryTree<T> {
    /*
     * Chunks of 8 leaves below branches of 8: at 100,000 leaves five branch levels above the chunks. Narrow chunks keep
     * cheap what is made anew on every update (a chunk's summary is merged from the keys beside its leaves); branches update their
     * summary from the one child that changed and rescan a word over all children only where that child may have held
     * the maximum or the only bit. A summary that comes out equal is shared with the older version, and everything above
     * it then keeps its summary for free.
     */
    private static final int CHUNK_BITS = 3;
    private static final int BRANCH_BITS = 3;
    private static final int CHUNK = 1 << CHUNK_BITS;
    private static final int BRANCH = 1 << BRANCH_BITS;
    private static final long[] NO_KEYS = {};

    private final SummaryFormat<T> format;
    private final int size;
    private final int rootShift;
    private final Part root;

    /** An inner node or a chunk of leaves; {@code items} holds parts in the one and leaves in the other. */
    private static final class Part {
        final Object[] items;
        /** The two words of the key of each leaf of a chunk; empty in an inner node. */
        final long[] keys;

        long[] summary;
        final @Nullable Object owner;

        Part(Object[] items, long[] keys, long[] summary, @Nullable Object owner) {
            this.items = items;
            this.keys = keys;
            this.summary = summary;
            this.owner = owner;
        }
    }

    /**
     * Steers a search.
     *
     * @param <T> the leaves
     */
    public interface Guide<T> {
        /** Returns whether anything below this summary may be wanted. */
        boolean enter(long[] summary);

        /** Returns whether a leaf with this key may be what was looked for; asked before the leaf is touched. */
        boolean acceptKey(long key, long secondKey);

        /** Returns whether this leaf is what was looked for. */
        boolean accept(T leaf);
    }

    private SummaryTree(SummaryFormat<T> format, int size, int rootShift, Part root) {
        this.format = format;
        this.size = size;
        this.rootShift = rootShift;
        this.root = root;
    }

    /** Builds a tree of these leaves in this order, O(n). */
    public static <T> SummaryTree<T> of(SummaryFormat<T> format, List<? extends T> leaves) {
        int n = leaves.size();
        Part[] level = new Part[Math.max(1, (n + CHUNK - 1) >> CHUNK_BITS)];
        for (int i = 0; i < level.length; i++) {
            Object[] items = leaves.subList(i << CHUNK_BITS, Math.min(n, (i + 1) << CHUNK_BITS))
                    .toArray();
            long[] keys = keysOf(format, items);
            level[i] = new Part(items, keys, summaryOfLeaves(format, items, keys), null);
        }
        int shift = CHUNK_BITS;
        while (level.length > 1) {
            Part[] above = new Part[(level.length + BRANCH - 1) >> BRANCH_BITS];
            for (int i = 0; i < above.length; i++) {
                Object[] items = Arrays.copyOfRange(
                        level, i << BRANCH_BITS, Math.min(level.length, (i + 1) << BRANCH_BITS), Object[].class);
                above[i] = new Part(items, NO_KEYS, summaryOfParts(format, items), null);
            }
            level = above;
            shift += BRANCH_BITS;
        }
        return new SummaryTree<>(format, n, shift, level[0]);
    }

    /** Returns the number of leaves. */
    public int size() {
        return size;
    }

    /** Returns the summary of all leaves; it must not be written to. */
    public long[] summary() {
        return root.summary;
    }

    /** Returns the leaf at this position, O(log n). */
    public T get(int index) {
        return leaf(root, rootShift, index);
    }

    // chunks hold nothing but leaves of type T, which every caller names
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T> T leaf(Part root, int rootShift, int index) {
        Part part = root;
        for (int shift = rootShift; shift > CHUNK_BITS; shift -= BRANCH_BITS) {
            part = (Part) part.items[(index >> (shift - BRANCH_BITS)) & (BRANCH - 1)];
        }
        return (T) part.items[index & (CHUNK - 1)];
    }

    /** Returns this tree with one leaf replaced, O(log n). */
    public SummaryTree<T> with(int index, T leaf) {
        return new SummaryTree<>(format, size, rootShift, update(format, root, rootShift, index, leaf, null));
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
        private Part root;

        private Editor(SummaryTree<T> origin) {
            this.origin = origin;
            this.root = origin.root;
        }

        /** Replaces a leaf. */
        public void set(int index, T leaf) {
            root = update(origin.format, root, origin.rootShift, index, leaf, owner);
        }

        /** Returns the leaf at this position. */
        public T get(int index) {
            return leaf(root, origin.rootShift, index);
        }

        /** Returns the tree as it is now; the editor may go on and does not change it. */
        public SummaryTree<T> build() {
            owner = new Object();
            return new SummaryTree<>(origin.format, origin.size, origin.rootShift, root);
        }
    }

    private static <T> Part update(
            SummaryFormat<T> format, Part part, int shift, int index, T leaf, @Nullable Object owner) {
        return shift == CHUNK_BITS
                ? updateChunk(format, part, index & (CHUNK - 1), leaf, owner)
                : updateBranch(format, part, shift, index, leaf, owner);
    }

    private static <T> Part updateBranch(
            SummaryFormat<T> format, Part part, int shift, int index, T leaf, @Nullable Object owner) {
        int slot = (index >> (shift - BRANCH_BITS)) & (BRANCH - 1);
        Part child = (Part) part.items[slot];
        long[] before = child.summary;
        Part changed = update(format, child, shift - BRANCH_BITS, index, leaf, owner);
        boolean owned = owner != null && part.owner == owner;
        Object[] items = owned ? part.items : part.items.clone();
        items[slot] = changed;
        long[] summary = before == changed.summary
                ? part.summary
                : remerge(format, part.summary, items, before, changed.summary);
        if (owned) {
            part.summary = summary;
            return part;
        }
        return new Part(items, NO_KEYS, summary, owner);
    }

    private static <T> Part updateChunk(SummaryFormat<T> format, Part part, int at, T leaf, @Nullable Object owner) {
        boolean owned = owner != null && part.owner == owner;
        Object[] items = owned ? part.items : part.items.clone();
        @SuppressWarnings("unchecked") // chunks hold nothing but leaves of type T
        T before = (T) items[at];
        items[at] = leaf;
        long key = format.key(leaf);
        long second = format.secondKey(leaf);
        boolean changed = key != part.keys[2 * at] || second != part.keys[2 * at + 1];
        // a part that an editor owns is written to later, so it may share no keys with an older version
        long[] keys = !owned && (changed || owner != null) ? part.keys.clone() : part.keys;
        long[] summary = part.summary;
        if (changed) {
            keys[2 * at] = key;
            keys[2 * at + 1] = second;
            summary = summaryOfKeys(format, keys);
            System.arraycopy(part.summary, orFrom(format), summary, orFrom(format), format.orWords());
        }
        summary = withOrWords(format, part.summary, summary, items, before, leaf);
        if (owned) {
            part.summary = summary;
            return part;
        }
        return new Part(items, keys, summary, owner);
    }

    /** Brings the or-words of a chunk's summary up to date; the summary itself if nothing changed. */
    private static <T> long[] withOrWords(
            SummaryFormat<T> format, long[] old, long[] summary, Object[] leaves, T before, T after) {
        long[] result = summary;
        for (int w = 0; w < format.orWords(); w++) {
            long had = format.orWord(before, w);
            long has = format.orWord(after, w);
            if (had == has) {
                continue;
            }
            int at = orFrom(format) + w;
            long word = (had & ~has) != 0 ? orOverLeaves(format, leaves, w) : result[at] | has;
            if (word != result[at]) {
                result = result == old ? result.clone() : result;
                result[at] = word;
            }
        }
        return result;
    }

    @SuppressWarnings("unchecked") // chunks hold nothing but leaves of type T
    private static <T> long orOverLeaves(SummaryFormat<T> format, Object[] leaves, int word) {
        long bits = 0;
        for (Object leaf : leaves) {
            bits |= format.orWord((T) leaf, word);
        }
        return bits;
    }

    private static int orFrom(SummaryFormat<?> format) {
        return format.maxWords() + format.sumWords();
    }

    @SuppressWarnings("unchecked") // chunks hold nothing but leaves of type T
    private static <T> long[] keysOf(SummaryFormat<T> format, Object[] leaves) {
        long[] keys = new long[2 * leaves.length];
        for (int i = 0; i < leaves.length; i++) {
            keys[2 * i] = format.key((T) leaves[i]);
            keys[2 * i + 1] = format.secondKey((T) leaves[i]);
        }
        return keys;
    }

    private static long[] summaryOfKeys(SummaryFormat<?> format, long[] keys) {
        long[] summary = new long[format.words()];
        for (int i = 0; i < keys.length; i += 2) {
            format.addKey(keys[i], keys[i + 1], summary);
        }
        return summary;
    }

    private static <T> long[] summaryOfLeaves(SummaryFormat<T> format, Object[] leaves, long[] keys) {
        long[] summary = summaryOfKeys(format, keys);
        for (int w = 0; w < format.orWords(); w++) {
            summary[orFrom(format) + w] = orOverLeaves(format, leaves, w);
        }
        return summary;
    }

    private static long[] summaryOfParts(SummaryFormat<?> format, Object[] parts) {
        long[] summary = new long[format.words()];
        for (Object part : parts) {
            merge(format, ((Part) part).summary, summary);
        }
        return summary;
    }

    private static void merge(SummaryFormat<?> format, long[] from, long[] into) {
        int sumFrom = format.maxWords();
        int orFrom = orFrom(format);
        for (int w = 0; w < sumFrom; w++) {
            into[w] = Lanes.max(into[w], from[w]);
        }
        for (int w = sumFrom; w < orFrom; w++) {
            into[w] += from[w];
        }
        for (int w = orFrom; w < into.length; w++) {
            into[w] |= from[w];
        }
    }

    /** Returns the merged summary after one child's summary went from {@code before} to {@code after}. */
    private static long[] remerge(SummaryFormat<?> format, long[] merged, Object[] parts, long[] before, long[] after) {
        long[] result = merged;
        int sumFrom = format.maxWords();
        int orFrom = orFrom(format);
        for (int w = 0; w < merged.length; w++) {
            if (before[w] == after[w]) {
                continue;
            }
            long word;
            if (w < sumFrom) {
                long open = Lanes.mayFall(merged[w], before[w], after[w]);
                word = Lanes.max(merged[w], after[w]);
                word = open == 0 ? word : word & ~open | maxOver(parts, w, open, merged[w] & open);
            } else if (w < orFrom) {
                word = merged[w] + after[w] - before[w];
            } else {
                word = (before[w] & ~after[w]) != 0 ? orOver(parts, w, merged[w] | after[w]) : merged[w] | after[w];
            }
            if (word != merged[w]) {
                result = result == merged ? merged.clone() : result;
                result[w] = word;
            }
        }
        return result;
    }

    /** The maximum over all parts in some lanes, which is at most {@code bound}: the scan stops where that is reached. */
    private static long maxOver(Object[] parts, int word, long lanes, long bound) {
        long max = 0;
        for (int i = 0; i < parts.length && max != bound; i++) {
            max = Lanes.max(max, ((Part) parts[i]).summary[word] & lanes);
        }
        return max;
    }

    /** The union over all parts, which is at most {@code bound}: the scan stops where that is reached. */
    private static long orOver(Object[] parts, int word, long bound) {
        long bits = 0;
        for (int i = 0; i < parts.length && bits != bound; i++) {
            bits |= ((Part) parts[i]).summary[word];
        }
        return bits;
    }

    /**
     * Returns the first leaf from position {@code from} up to but not including {@code to} that the guide accepts, or
     * null. Leaves are offered in order; a guide that accepts none has visited all it entered.
     */
    public @Nullable T first(Guide<? super T> guide, int from, int to) {
        return from >= to ? null : first(root, rootShift, 0, guide, from, Math.min(to, size));
    }

    @SuppressWarnings("unchecked") // chunks hold nothing but leaves of type T
    private @Nullable T first(Part part, int shift, int base, Guide<? super T> guide, int from, int to) {
        if (!guide.enter(part.summary)) {
            return null;
        }
        if (shift == CHUNK_BITS) {
            int end = Math.min(part.items.length, to - base);
            for (int i = Math.max(0, from - base); i < end; i++) {
                if (guide.acceptKey(part.keys[2 * i], part.keys[2 * i + 1])) {
                    T leaf = (T) part.items[i];
                    if (guide.accept(leaf)) {
                        return leaf;
                    }
                }
            }
            return null;
        }
        int step = shift - BRANCH_BITS;
        int end = Math.min(part.items.length, ((to - base - 1) >> step) + 1);
        for (int i = Math.max(0, (from - base) >> step); i < end; i++) {
            T found = first((Part) part.items[i], step, base + (i << step), guide, from, to);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    /**
     * Returns the sum over the leaves from {@code from} up to but not including {@code to} of one of the words that merge
     * by addition, counted from 0; O(log n).
     */
    public long sum(int word, int from, int to) {
        return from < to ? sum(root, rootShift, 0, from, Math.min(to, size), word) : 0;
    }

    private long sum(Part part, int shift, int base, int from, int to, int word) {
        if (from <= base && base + (1L << shift) <= to) {
            return part.summary[format.maxWords() + word];
        }
        long sum = 0;
        if (shift == CHUNK_BITS) {
            int end = Math.min(part.items.length, to - base);
            for (int i = Math.max(0, from - base); i < end; i++) {
                sum += format.sumOfKey(part.keys[2 * i], part.keys[2 * i + 1], word);
            }
            return sum;
        }
        int step = shift - BRANCH_BITS;
        int end = Math.min(part.items.length, ((to - base - 1) >> step) + 1);
        for (int i = Math.max(0, (from - base) >> step); i < end; i++) {
            sum += sum((Part) part.items[i], step, base + (i << step), from, to, word);
        }
        return sum;
    }

    /** Calls back with the position of every leaf that is not the same object in both, O(changed leaves · log n). */
    public void forEachChange(SummaryTree<T> other, IntConsumer position) {
        if (size != other.size) {
            throw new IllegalArgumentException("trees of " + size + " and " + other.size + " leaves");
        }
        changes(root, other.root, rootShift, 0, position);
    }

    private static void changes(Part mine, Part theirs, int shift, int base, IntConsumer position) {
        if (mine == theirs) {
            return;
        }
        int step = shift == CHUNK_BITS ? 0 : shift - BRANCH_BITS;
        for (int i = 0; i < mine.items.length; i++) {
            if (mine.items[i] == theirs.items[i]) {
                continue;
            }
            if (shift == CHUNK_BITS) {
                position.accept(base + i);
            } else {
                changes((Part) mine.items[i], (Part) theirs.items[i], step, base + (i << step), position);
            }
        }
    }

    /** Throws {@link IllegalStateException} unless every summary equals that of what is below it; O(n). */
    public void validate() {
        validate(root, rootShift);
    }

    private void validate(Part part, int shift) {
        boolean chunk = shift == CHUNK_BITS;
        if (chunk && !Arrays.equals(keysOf(format, part.items), part.keys)) {
            throw new IllegalStateException(
                    "keys " + Arrays.toString(part.keys) + ", expected " + Arrays.toString(keysOf(format, part.items)));
        }
        long[] expected = chunk ? summaryOfLeaves(format, part.items, part.keys) : summaryOfParts(format, part.items);
        if (!Arrays.equals(expected, part.summary)) {
            throw new IllegalStateException(
                    "summary " + Arrays.toString(part.summary) + ", expected " + Arrays.toString(expected));
        }
        if (!chunk) {
            for (Object child : part.items) {
                validate((Part) child, shift - BRANCH_BITS);
            }
        }
    }
}
