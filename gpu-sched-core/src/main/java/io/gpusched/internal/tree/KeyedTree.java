package io.gpusched.internal.tree;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A persistent map from ascending {@code long} keys to leaves that knows of each inner node what its {@link SummaryFormat}
 * keeps.
 *
 * <p>Putting, replacing and removing a leaf copies one path and costs O(log n); all older versions stay valid and share the
 * rest. A search skips every subtree whose summary has nothing of what is looked for. {@link #forEachChange} visits only
 * what two versions do not share. Keys are from 0 up to but not including {@link Long#MAX_VALUE}; as bounds of ranges these mean none. Immutable and thread-safe. Leaves
 * are put and removed through a {@link BufferedTree}.
 *
 * @param <T> the leaves
 */
public final class KeyedTree<T> {
    /*
     * Problem: of 100,000 nodes in an order that others can enter and leave, find the first that has two idle GPUs and 12
     * free cores, again and again while they change.
     *
     * Idea: a B+-tree. Chunks of up to 16 leaves stand below branches of up to 16 parts; at 100,000 leaves there are four
     * levels of branches above the chunks. Both are plain arrays, for what costs in a large tree is how many objects a walk
     * touches and how many bytes an update copies:
     *
     *   chunk:  16 leaves; their keys
     *   branch: 16 parts, their 16 summaries; sums of the counts below (null until they are asked for); the keys
     *
     * Keys are an array of their own, with MAX_VALUE where there is no leaf or part. Those of a chunk are the keys of its leaves. Key i
     * of a branch separates what is below part i - 1 from what is below part i: it is not greater than any key there, but
     * need not be one of them. Key 0 is not looked at. Replacing a leaf changes no keys, so all versions share them.
     *
     * A branch holds the summaries of its parts, so a search opens only parts it enters; behind the entries of the summary of
     * a chunk stand the digests of its leaves. A summary that comes out equal is shared with the older version, and
     * everything above it then keeps its summary for free.
     *
     * A new tree has 12 leaves in each chunk. One that comes later mostly finds a free place: the leaves behind it move up, in
     * the summary too, and nobody has to look at them. A part that would get more than 16 leaves or parts is split evenly; one that is left with fewer than 5 is joined with
     * the one beside it, and split again if that makes more than 16. So all but the root have 5 at least, and a tree of n
     * leaves has at most log_5 n levels. To split at 16 and join only below 5 keeps a leaf that comes and goes from splitting
     * and joining each time.
     *
     * The sums that a branch keeps are put there by whoever asks for them first. Every thread computes the same numbers from
     * parts that do not change, and a record may be handed over without locks: like the hash of a String, they are no state.
     *
     * See D. Comer, "The Ubiquitous B-Tree", 1979.
     */
    private final SummaryFormat<T> format;
    private final int size;

    /** The number of levels of branches. */
    private final int height;

    /** The root and its summary. */
    private final Object[] top;

    private KeyedTree(SummaryFormat<T> format, int size, int height, Object[] top) {
        this.format = format;
        this.size = size;
        this.height = height;
        this.top = top;
    }

    /** Returns a tree without leaves. */
    public static <T> KeyedTree<T> empty(SummaryFormat<T> format) {
        return of(format, new long[0], new Object[0]);
    }

    /**
     * Returns a tree of these leaves, O(n).
     *
     * @param keys the keys, ascending
     * @param leaves the leaf of each key, of type T
     * @throws IllegalArgumentException if the lengths differ or the keys do not ascend
     */
    public static <T> KeyedTree<T> of(SummaryFormat<T> format, long[] keys, Object[] leaves) {
        if (keys.length != leaves.length) {
            throw new IllegalArgumentException(keys.length + " keys for " + leaves.length + " leaves");
        }
        for (int i = 0; i < keys.length; i++) {
            TreeLayout.requireKey(keys[i]);
            if (i > 0 && keys[i - 1] >= keys[i]) {
                throw new IllegalArgumentException("keys must ascend, got " + keys[i] + " after " + keys[i - 1]);
            }
        }
        return of(format, keys.length, PartList.ofAllLeaves(format, keys, leaves));
    }

    /** Returns a tree of these parts. */
    private static <T> KeyedTree<T> of(SummaryFormat<T> format, int size, PartList<T> parts) {
        PartList<T> list = parts;
        if (size == 0) {
            Object[] top = {TreeLayout.emptyChunk(), BucketSummary.empty(TreeLayout.FAN)};
            return new KeyedTree<>(format, 0, 0, top);
        }
        while (list.size() > 1) {
            list = list.grouped();
        }
        int height = list.height();
        Object[] root = list.part(0);
        long[] summary = list.summary(0);
        for (; height > 0 && TreeLayout.count(root) == 1; height--) {
            summary = TreeLayout.summary(root, 0);
            root = TreeLayout.part(root, 0);
        }
        return new KeyedTree<>(format, size, height, new Object[] {root, summary});
    }

    /** Returns the number of leaves. */
    public int size() {
        return size;
    }

    public SummaryFormat<T> format() {
        return format;
    }

    /** The summary of all leaves; not to be written to. */
    long[] summary() {
        return (long[]) top[1];
    }

    Object[] root() {
        return (Object[]) top[0];
    }

    int height() {
        return height;
    }

    /** Returns the leaf under a key, or null, O(log n). */
    @SuppressWarnings("unchecked") // chunks hold nothing but leaves
    public @Nullable T get(long key) {
        TreeLayout.requireKey(key);
        Object[] part = root();
        for (int level = height; level > 0; level--) {
            part = (Object[]) part[TreeLayout.find(TreeLayout.branchKeys(part), key)];
        }
        int at = TreeLayout.indexOf(TreeLayout.chunkKeys(part), key);
        return at < 0 ? null : (T) part[at];
    }

    /**
     * Returns where a leaf stands in a tree that {@link #of} makes, for {@link #at}.
     *
     * @param index which of the leaves it is
     * @param size the number of leaves
     */
    public static int path(int index, int size) {
        return PartList.path(index, size);
    }

    /**
     * Returns the leaf that stands where a path leads, or null. It is the same leaf as long as none was put or removed near
     * it: whoever asks must look whether it is. Costs a third of {@link #get}, for it reads no keys.
     *
     * @param path as {@link #path} tells
     */
    @SuppressWarnings("unchecked") // chunks hold nothing but leaves
    @Nullable
    T at(int path) {
        Object[] part = root();
        for (int shift = 4 * height; shift > 0 && part != null; shift -= 4) {
            part = TreeLayout.part(part, (int) ((long) path >>> shift) & TreeLayout.FAN - 1);
        }
        return part == null ? null : (T) part[path & TreeLayout.FAN - 1];
    }

    /** The {@linkplain TreeLayout#place place} of an update. */
    @SuppressWarnings("ReferenceEquality") // a leaf stands under one key only
    private long place(LeafUpdate<T> update) {
        T before = update.before();
        return before != null && at(update.path()) == before
                ? TreeLayout.place(update.path(), true)
                : place(update.key());
    }

    private long place(long key) {
        Object[] part = root();
        long path = 0;
        for (int level = height; level > 0; level--) {
            int at = TreeLayout.find(TreeLayout.branchKeys(part), key);
            path = path << 4 | at;
            part = TreeLayout.part(part, at);
        }
        long[] keys = TreeLayout.chunkKeys(part);
        int at = TreeLayout.find(keys, key);
        return TreeLayout.place(path << 4 | at, keys[at] == key);
    }

    /** The length of the summary of the chunk at a place: of use only to have it fetched from memory. */
    private int fetch(long place) {
        long[] summary = summary();
        Object[] part = root();
        for (int level = height; level > 0; level--) {
            int at = TreeLayout.digit(place, level);
            summary = TreeLayout.summary(part, at);
            part = TreeLayout.part(part, at);
        }
        return summary.length;
    }

    /** Returns this tree with some leaves put and some removed, O(log n) for each. */
    KeyedTree<T> with(UpdateBuffer<T> updates) {
        if (updates.isEmpty()) {
            return this;
        }
        // reads that depend on nothing wait for memory together; those of the updates would wait one after the other
        long[] places = new long[updates.size()];
        int fetched = 0;
        for (int i = 0; i < places.length; i++) {
            places[i] = place(updates.get(i));
            fetched |= fetch(places[i]);
        }
        Object[] changed = top.clone();
        TreeUpdate<T> update = new TreeUpdate<>(format, updates, fetched == 0 ? new long[0] : places);
        PartList<T> parts = update.in(changed, 0, 1, height, 0, updates.size());
        KeyedTree<T> tree = parts == null
                ? new KeyedTree<>(format, size + update.added(), height, changed)
                : of(format, size + update.added(), parts);
        if (height > 0 && !update.changesKeys() && root()[TreeLayout.SUM] instanceof TreeSums.Known known) {
            tree.root()[TreeLayout.SUM] = new TreeSums.Known(known.all() + update.counted(), null);
        }
        return tree;
    }

    /**
     * Shows a visitor, in order, the leaves with keys from {@code from} up to but not including {@code to} that are in one
     * of some buckets and have at least these numbers, until one passes; returns whether one did.
     *
     * @param word which 64 buckets are meant
     * @param mask the buckets among them as a bit mask
     * @param least the least of each number
     */
    boolean visit(int word, long mask, long least, long from, long to, LeafVisitor<? super T> visitor) {
        return Math.max(0, from) < to
                && new FirstMatch<T>(format, word, mask, least, visitor)
                        .in(root(), summary(), height, Math.max(0, from), to);
    }

    /**
     * Returns the sum of the counts of the leaves with keys from {@code from} up to but not including {@code to}; O(n) at
     * first, then O(log n), and once O(log n) more for each leaf changed since a version was asked.
     */
    public long sum(long from, long to) {
        return Math.max(0, from) < to ? sumBelow(to) - sumBelow(from) : 0;
    }

    private long sumBelow(long key) {
        return key <= 0 ? 0 : new TreeSums(format).below(root(), summary(), height, key);
    }

    /** Returns the sum of the counts of the leaves with smaller keys; as costly. Where every leaf counts 1: its index. */
    public long rank(long key) {
        return sum(0, key);
    }

    /**
     * Returns the leaf at which the sum of counts exceeds {@code index}; where every leaf counts 1, the leaf at this index.
     * As costly as {@link #sum}.
     *
     * @throws IndexOutOfBoundsException if the index is negative or not less than the sum of all
     */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // chunks hold nothing but leaves
    public T select(long index) {
        TreeSums.Place place = new TreeSums(format).select(root(), summary(), height, index);
        return (T) place.chunk()[place.at()];
    }

    /** Returns the key of the leaf that {@link #select} returns. */
    public long keyAt(long index) {
        TreeSums.Place place = new TreeSums(format).select(root(), summary(), height, index);
        return TreeLayout.chunkKeys(place.chunk())[place.at()];
    }

    /**
     * Returns the key of the first leaf that passes a test, which all after it must pass, too; empty if none does. O(log n)
     * leaves are tested.
     */
    public OptionalLong lowerBound(Predicate<? super T> test) {
        return new TreeWalk<T>().lowerBound(root(), height, test);
    }

    /** Returns the greatest key below another, or -1 if there is none; O(log n). */
    public long keyBefore(long key) {
        return new TreeWalk<T>().keyBefore(root(), height, key);
    }

    /** Returns the first leaves in order, at most so many, O(log n + most). */
    List<T> first(int most) {
        List<T> found = new ArrayList<>(most);
        new TreeWalk<T>().first(root(), height, most, found);
        return found;
    }

    /** Calls back with every leaf in order, O(n). */
    public void forEach(Consumer<? super T> action) {
        new TreeWalk<T>().forEach(root(), height, action);
    }

    /** Calls back in order with the leaves with keys from {@code from} up to but not including {@code to}, O(log n + m). */
    public void forEach(long from, long to, LeafEntries<? super T> action) {
        if (Math.max(0, from) < to) {
            new TreeWalk<T>().forEach(root(), height, Math.max(0, from), to, action);
        }
    }

    /**
     * Calls back, in order, with every key under which there is not the same object in an older version, O(changed leaves ·
     * log n).
     */
    public void forEachChange(KeyedTree<T> older, LeafChanges<? super T> action) {
        new TreeDiff<T>(older.cursor(), cursor(), action).run();
    }

    /** A place before all its leaves. */
    TreeCursor cursor() {
        return new TreeCursor(root(), height, size == 0);
    }

    /** Throws {@link IllegalStateException} unless all keys, counts, sums and summaries are as they must be; O(n). */
    public void validate() {
        new TreeCheck<>(format).check(root(), summary(), height, size);
    }
}
