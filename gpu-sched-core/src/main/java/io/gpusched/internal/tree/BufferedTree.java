package io.gpusched.internal.tree;

import it.unimi.dsi.fastutil.longs.Long2ObjectMap;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A {@link KeyedTree} beside which the last updates are buffered until there are enough to be worth a walk down the tree.
 *
 * <p>A leaf that changed is likely to change again soon: a pod takes the place of one that just left. Then neither update
 * reaches the inner nodes. Up to 32 updates are buffered, in key order; a search looks at them and at the tree at once. What
 * needs all of them in the tree ({@link #size}, {@link #sum}, {@link #rank}, {@link #select}, {@link #lowerBound} and
 * {@link #forEach}) costs O(log n) for each buffered update when it is first asked of a version. Immutable and thread-safe.
 *
 * @param <T> the leaves
 */
public final class BufferedTree<T> {
    private final KeyedTree<T> base;
    private final UpdateBuffer<T> buffer;

    /*
     * The tree with all updates, once it was asked for. This is no state: every thread computes an equal tree from the two
     * fields above, and may see another's without locks because all fields of a tree are final and all arrays below it are
     * complete before its constructor returns. As with the hash of a String, the worst of a race is that a tree is made twice.
     */
    private @Nullable KeyedTree<T> settled;

    /**
     * The version whose updates the base came of, if that is known, without its own: what has changed since is told by few
     * updates and not by the tree.
     */
    private final @Nullable BufferedTree<T> earlier;

    private BufferedTree(KeyedTree<T> base, UpdateBuffer<T> buffer, @Nullable BufferedTree<T> earlier) {
        this.base = base;
        this.buffer = buffer;
        this.earlier = earlier;
    }

    /** Returns a tree beside which nothing is buffered. */
    public static <T> BufferedTree<T> of(KeyedTree<T> tree) {
        return new BufferedTree<>(tree, UpdateBuffer.none(), null);
    }

    /** Returns a tree without leaves. */
    public static <T> BufferedTree<T> empty(SummaryFormat<T> format) {
        return of(KeyedTree.empty(format));
    }

    /** Returns the tree with all updates. */
    private KeyedTree<T> settled() {
        KeyedTree<T> known = settled;
        if (known == null) {
            known = base.with(buffer);
            settled = known;
        }
        return known;
    }

    /** Returns the number of leaves. */
    public int size() {
        return settled().size();
    }

    /** Returns the leaf under a key, or null, O(log n). */
    public @Nullable T get(long key) {
        LeafUpdate<T> buffered = buffer.find(key);
        return buffered == null ? base.get(key) : buffered.leaf();
    }

    /**
     * Returns the leaf that is most likely under a key, or null: the one put there last if that is buffered, else the one that
     * stands where a path leads. Whoever asks must look whether it is the one.
     *
     * @param path as {@link KeyedTree#path} tells
     */
    public @Nullable T likely(long key, int path) {
        LeafUpdate<T> buffered = buffer.find(key);
        return buffered == null ? base.at(path) : buffered.leaf();
    }

    /** Returns this tree with a leaf under a key, in place of another if there is one; O(log n) on the average of many. */
    public BufferedTree<T> with(long key, T leaf) {
        return with(LeafUpdate.put(base.format(), key, leaf), buffer.from(key));
    }

    /**
     * Does what {@link #with(long, Object)} does where it is known what the leaf takes the place of: then nobody has to look for
     * that again.
     *
     * @param before the leaf under the key, which stands under no other
     * @param path where it most likely stands, as {@link KeyedTree#path} tells
     */
    public BufferedTree<T> with(long key, T leaf, T before, int path) {
        int at = buffer.from(key);
        LeafUpdate<T> earlier = buffer.key(at) == key ? buffer.get(at) : null;
        LeafUpdate<T> update = earlier == null
                ? LeafUpdate.put(base.format(), key, leaf, before, path)
                : LeafUpdate.put(base.format(), key, leaf, earlier.before(), earlier.path());
        return with(update, at);
    }

    /** Returns this tree without the leaf under a key, if there is one; O(log n) on the average of many. */
    public BufferedTree<T> without(long key) {
        return with(LeafUpdate.remove(key), buffer.from(key));
    }

    /**
     * Returns this tree with many updates, O(log n) for each.
     *
     * @param leaves under each key the leaf to put, or null to remove what is there
     */
    public BufferedTree<T> withAll(Long2ObjectMap<@Nullable T> leaves) {
        return with(LeafUpdate.all(base.format(), leaves));
    }

    /** Returns this tree with one update more, whose place in the buffer is known. */
    private BufferedTree<T> with(LeafUpdate<T> update, int at) {
        boolean fits = buffer.size() < UpdateBuffer.MOST || buffer.key(at) == update.key();
        return fits
                ? new BufferedTree<>(base, buffer.with(update, at), earlier)
                : new BufferedTree<>(settled(), UpdateBuffer.<T>none().with(update, 0), withoutEarlier());
    }

    private BufferedTree<T> withoutEarlier() {
        return new BufferedTree<>(base, buffer, null);
    }

    private BufferedTree<T> with(LeafUpdate<T>[] later) {
        UpdateBuffer<T> all = buffer.with(later);
        if (all.size() <= UpdateBuffer.MOST) {
            return new BufferedTree<>(base, all, earlier);
        }
        // few of them are likely to change again soon
        return later.length <= UpdateBuffer.MOST / 2
                ? new BufferedTree<>(settled(), UpdateBuffer.<T>none().with(later), withoutEarlier())
                : of(base.with(all));
    }

    /**
     * Returns the first leaf with a key from {@code from} up to but not including {@code to} that is in one of some buckets,
     * has at least these numbers and passes a test; or null. Leaves are tested in key order; a test that none passes has seen
     * all there are.
     *
     * @param word which 64 buckets are meant
     * @param mask the buckets among them as a bit mask
     * @param least the least of each number
     * @param from the least key; 0 for no bound
     * @param to the key up to which it searches; {@link Long#MAX_VALUE} for no bound
     */
    public @Nullable T first(int word, long mask, long least, long from, long to, Predicate<? super T> wanted) {
        return new Merge(word, mask, least, from, wanted).first(from, to);
    }

    /** Looks at the leaves of the base and at those that are buffered in one order. */
    private final class Merge implements LeafVisitor<T> {
        private final int word;
        private final long mask;
        private final long least;
        private final Predicate<? super T> wanted;

        /** Which of the buffered updates is to be looked at next. */
        private int next;

        private @Nullable T found;

        Merge(int word, long mask, long least, long from, Predicate<? super T> wanted) {
            this.word = word;
            this.mask = mask;
            this.least = least;
            this.wanted = wanted;
            // where none of the buffered leaves is in any such bucket, there is nothing to look for among them
            this.next = (buffer.buckets(word) & mask) == 0 ? buffer.size() : buffer.from(from);
        }

        @Nullable
        T first(long from, long to) {
            if (from < to && !base.visit(word, mask, least, from, to, this)) {
                isBufferedBefore(to);
            }
            return found;
        }

        @Override
        public boolean passes(long key, T leaf) {
            if (isBufferedBefore(key)) {
                return true;
            }
            if (buffer.find(key) != null || !wanted.test(leaf)) {
                return false;
            }
            found = leaf;
            return true;
        }

        /** Whether one of the buffered leaves with smaller keys is what is looked for. */
        private boolean isBufferedBefore(long key) {
            for (; next < buffer.size() && buffer.get(next).key() < key; next++) {
                LeafUpdate<T> update = buffer.get(next);
                T leaf = update.leaf();
                if (leaf != null
                        && (update.buckets(word) & mask) != 0
                        && Lanes.covers(update.entry(), least)
                        && wanted.test(leaf)) {
                    found = leaf;
                    return true;
                }
            }
            return false;
        }
    }

    /**
     * Returns the first bucket at or after {@code from} and before {@code to} that a leaf is in, or one before it; -1 if no leaf
     * is in any.
     */
    public int nextBucket(int from, int to) {
        long[] summary = base.summary();
        for (int word = from >> 6; word << 6 < to; word++) {
            long all = BucketSummary.bits(summary, word) | buffer.buckets(word);
            long rest = word == from >> 6 ? all & -1L << from : all;
            if (rest != 0) {
                int bucket = (word << 6) + Long.numberOfTrailingZeros(rest);
                return bucket < to ? bucket : -1;
            }
        }
        return -1;
    }

    /** Returns what {@link KeyedTree#sum} returns. */
    public long sum(long from, long to) {
        return settled().sum(from, to);
    }

    /** Returns what {@link KeyedTree#rank} returns. */
    public long rank(long key) {
        return settled().rank(key);
    }

    /** Returns what {@link KeyedTree#select} returns. */
    public T select(long index) {
        return settled().select(index);
    }

    /** Returns what {@link KeyedTree#keyAt} returns. */
    public long keyAt(long index) {
        return settled().keyAt(index);
    }

    /** Returns what {@link KeyedTree#keyBefore} returns. */
    public long keyBefore(long key) {
        return settled().keyBefore(key);
    }

    /** Returns what {@link KeyedTree#lowerBound} returns. */
    public OptionalLong lowerBound(Predicate<? super T> test) {
        return settled().lowerBound(test);
    }

    /** Returns the first leaves in key order, at most so many, O(log n + most). */
    public List<T> first(int most) {
        return settled().first(most);
    }

    /** Calls back with every leaf in key order, O(n). */
    public void forEach(Consumer<? super T> action) {
        settled().forEach(action);
    }

    /** Calls back in order with the leaves with keys from {@code from} up to but not including {@code to}, O(log n + m). */
    public void forEach(long from, long to, LeafEntries<? super T> action) {
        settled().forEach(from, to, action);
    }

    /**
     * Calls back, in order, with every key under which there is not the same object in an older version, O(changed leaves ·
     * log n).
     */
    public void forEachChange(BufferedTree<T> older, LeafChanges<? super T> action) {
        if (base == older.base) {
            new BufferDiff<>(base, buffer, UpdateBuffer.none()).tell(older.buffer, action);
        } else if (earlier != null && earlier.base == older.base) {
            new BufferDiff<>(earlier.base, earlier.buffer.with(buffer), earlier.buffer).tell(older.buffer, action);
        } else {
            settled().forEachChange(older.settled(), action);
        }
    }

    /** Throws {@link IllegalStateException} unless the tree and the buffered updates are as they must be; O(n). */
    public void validate() {
        for (int i = 1; i < buffer.size(); i++) {
            if (buffer.key(i - 1) >= buffer.key(i)) {
                throw new IllegalStateException("update of key " + buffer.key(i) + " after " + buffer.key(i - 1));
            }
        }
        if (buffer.size() > UpdateBuffer.MOST) {
            throw new IllegalStateException(buffer.size() + " updates are buffered, at most " + UpdateBuffer.MOST);
        }
        base.validate();
        settled().validate();
    }
}
