package io.gpusched.internal.tree;

import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A persistent map from keys to values that know their key, found by a 64-bit hash that the caller supplies.
 *
 * <p>Looking up, putting and removing cost O(log n); all older versions stay valid and share what did not change. The caller
 * must always give equal keys equal hashes, and should mix them well. Keys with the same hash are told apart by
 * {@link Object#equals}: they cost each other a comparison, and other keys nothing. Immutable and thread-safe. The order of
 * {@link #forEach} follows the hashes and has no other meaning.
 *
 * @param <K> the keys
 * @param <V> the values
 */
public final class HashTrie<K, V> {
    /*
     * Problem: find one of a million pods by name in a snapshot that shares nearly everything with the one before. Each
     * decision looks up keys that are not there, and then adds or removes one. A lookup costs as many cache misses as it
     * follows references one after the other, and an update as many bytes as it copies.
     *
     * Idea: a trie over the bits of the hash, four bits a level, from the top. Hashes are spread evenly, so the upper levels
     * are full: branches are plain arrays of 16 without a bitmap, one reference a level, 80 bytes to copy. Below them stand
     * buckets of up to 24 entries, their hashes in an array of their own: a key that is not there costs no look at an entry.
     * A bucket that would grow larger is split by the next four bits, unless its hashes are all the same: such a bucket may
     * have any size. A branch that is left with a single bucket is replaced by it, so a branch has at least two nodes, other
     * than above many hashes with the same leading bits; the depth is at most 16 there.
     *
     * Cost at 720,000 entries: four branches and a bucket of 11. The first three branches are in the fastest cache, so a
     * lookup waits for memory two or three times. An update copies about 510 bytes.
     *
     * See P. Bagwell, "Ideal Hash Trees", 2001, and for inner nodes apart from entries M. Steindorfer and J. Vinju,
     * "Optimizing Hash-Array Mapped Tries for Fast and Lean Immutable JVM Collections", 2015. Both compress sparse branches
     * by a bitmap; buckets do the same job here with one reference less a level.
     */
    private static final int BITS = 4;
    private static final int FAN = 1 << BITS;
    private static final int TOP = Long.SIZE - BITS;

    private final Function<? super V, ? extends K> keyOf;
    private final int size;

    /** A branch (an {@code Object[]} of 16 nodes, null where nothing is), a {@link HashBucket}, or null. */
    private final @Nullable Object root;

    private HashTrie(Function<? super V, ? extends K> keyOf, int size, @Nullable Object root) {
        this.keyOf = keyOf;
        this.size = size;
        this.root = root;
    }

    /**
     * Returns an empty map.
     *
     * @param keyOf tells the key of a value, always the same
     */
    public static <K, V> HashTrie<K, V> empty(Function<? super V, ? extends K> keyOf) {
        return new HashTrie<>(keyOf, 0, null);
    }

    /**
     * Returns a map of these values, O(n).
     *
     * @param keyOf tells the key of a value, always the same
     * @param hashes the hash of the key of each value
     * @param values the values, as many as hashes
     * @throws IllegalArgumentException if the lengths differ, or if two values have the same key
     */
    public static <K, V> HashTrie<K, V> of(Function<? super V, ? extends K> keyOf, long[] hashes, V[] values) {
        if (hashes.length != values.length) {
            throw new IllegalArgumentException(hashes.length + " hashes for " + values.length + " values");
        }
        if (values.length == 0) {
            return empty(keyOf);
        }
        HashTrie<K, V> trie = new HashTrie<>(
                keyOf, values.length, node(hashes.clone(), Arrays.copyOf(values, values.length, Object[].class), TOP));
        visit(trie.root, bucket -> bucket.requireDistinct(keyOf));
        return trie;
    }

    /** Returns a node for these entries, at least one; takes over the arrays. */
    private static Object node(long[] hashes, Object[] entries, int shift) {
        HashBucket whole = new HashBucket(hashes, entries);
        if (!whole.isToBeSplit()) {
            return whole;
        }
        int[] sizes = new int[FAN];
        for (long hash : hashes) {
            sizes[digit(hash, shift)]++;
        }
        long[][] hashesOf = new long[FAN][];
        Object[][] entriesOf = new Object[FAN][];
        for (int i = 0; i < FAN; i++) {
            hashesOf[i] = new long[sizes[i]];
            entriesOf[i] = new Object[sizes[i]];
        }
        int[] next = new int[FAN];
        for (int i = 0; i < hashes.length; i++) {
            int digit = digit(hashes[i], shift);
            hashesOf[digit][next[digit]] = hashes[i];
            entriesOf[digit][next[digit]++] = entries[i];
        }
        @Nullable Object[] branch = new @Nullable Object[FAN];
        for (int i = 0; i < FAN; i++) {
            branch[i] = sizes[i] == 0 ? null : node(hashesOf[i], entriesOf[i], shift - BITS);
        }
        return branch;
    }

    private static int digit(long hash, int shift) {
        return (int) (hash >>> shift) & FAN - 1;
    }

    /** Returns the number of values. */
    public int size() {
        return size;
    }

    /** Returns the value of a key, or null. */
    @SuppressWarnings("unchecked") // buckets hold nothing but values
    public @Nullable V get(long hash, K key) {
        HashBucket bucket = bucket(hash);
        int at = bucket.find(hash, key, keyOf);
        return at < 0 ? null : (V) bucket.entry(at);
    }

    /** Returns the bucket that a hash belongs to, an empty one if there is none. */
    private HashBucket bucket(long hash) {
        Object node = root;
        for (int shift = TOP; node != null; shift -= BITS) {
            if (node instanceof HashBucket bucket) {
                return bucket;
            }
            node = ((@Nullable Object[]) node)[digit(hash, shift)];
        }
        return HashBucket.EMPTY;
    }

    /**
     * Returns this map with a value, in place of the one with the same key if there is one.
     *
     * @param hash the hash of its key
     */
    public HashTrie<K, V> with(long hash, V value) {
        HashBucket bucket = bucket(hash);
        int at = bucket.find(hash, keyOf.apply(value), keyOf);
        if (at >= 0 && bucket.entry(at) == value) {
            return this;
        }
        HashBucket changed = at < 0 ? bucket.plus(hash, value) : bucket.replaced(at, value);
        return new HashTrie<>(keyOf, at < 0 ? size + 1 : size, put(root, TOP, hash, changed));
    }

    /** Returns a node with this bucket in place of the one that the hash belongs to; it is split if it is too large. */
    private static Object put(@Nullable Object node, int shift, long hash, HashBucket bucket) {
        if (node instanceof @Nullable Object[] branch) {
            int at = digit(hash, shift);
            @Nullable Object[] changed = branch.clone();
            changed[at] = put(branch[at], shift - BITS, hash, bucket);
            return changed;
        }
        return bucket.isToBeSplit() ? node(bucket.hashes(), bucket.entries(), shift) : bucket;
    }

    /** Returns this map without the value of a key; the same map if there is none. */
    public HashTrie<K, V> without(long hash, K key) {
        HashBucket bucket = bucket(hash);
        int at = bucket.find(hash, key, keyOf);
        if (at < 0) {
            return this;
        }
        HashBucket rest = bucket.size() == 1 ? null : bucket.minus(at);
        return new HashTrie<>(keyOf, size - 1, remove(root, TOP, hash, rest));
    }

    /** Returns a node with what is left of the bucket that the hash belongs to; null if nothing is left. */
    private static @Nullable Object remove(@Nullable Object node, int shift, long hash, @Nullable HashBucket rest) {
        if (!(node instanceof @Nullable Object[] branch)) {
            return rest;
        }
        int at = digit(hash, shift);
        Object changed = remove(branch[at], shift - BITS, hash, rest);
        if (changed == null || changed instanceof HashBucket && !(branch[at] instanceof HashBucket)) {
            // one node less, or a branch that became a bucket: this may be left with a single bucket
            Object single = single(branch, at, changed);
            if (single instanceof HashBucket) {
                return single;
            }
        }
        @Nullable Object[] copy = branch.clone();
        copy[at] = changed;
        return copy;
    }

    /** The only node of a branch in which one is another now; null if there are several. */
    private static @Nullable Object single(@Nullable Object[] branch, int at, @Nullable Object changed) {
        Object single = changed;
        for (int i = 0; i < FAN; i++) {
            if (i != at && branch[i] != null) {
                if (single != null) {
                    return null;
                }
                single = branch[i];
            }
        }
        return single;
    }

    /** Calls back with every value, O(n). */
    @SuppressWarnings("unchecked") // buckets hold nothing but values
    public void forEach(Consumer<? super V> action) {
        visit(root, bucket -> {
            for (int i = 0; i < bucket.size(); i++) {
                action.accept((V) bucket.entry(i));
            }
        });
    }

    private static void visit(@Nullable Object node, Consumer<HashBucket> action) {
        if (node instanceof HashBucket bucket) {
            action.accept(bucket);
        } else if (node instanceof @Nullable Object[] branch) {
            for (Object below : branch) {
                visit(below, action);
            }
        }
    }

    /** Throws {@link IllegalStateException} unless every entry is where it belongs and no node is superfluous; O(n). */
    public void validate() {
        int entries = root == null ? 0 : entries(root, TOP, 0);
        if (entries != size) {
            throw new IllegalStateException("size " + size + ", but " + entries + " entries");
        }
        visit(root, bucket -> bucket.requireDistinct(keyOf));
    }

    private static int entries(Object node, int shift, long prefix) {
        if (node instanceof HashBucket bucket) {
            // a shift by 64 would be one by 0
            bucket.requirePrefix(shift == TOP ? 0 : -1L << shift + BITS, prefix);
            if (bucket.size() == 0 || bucket.isToBeSplit()) {
                throw new IllegalStateException("bucket of " + bucket.size() + " entries at shift " + shift);
            }
            return bucket.size();
        }
        @Nullable Object[] branch = (@Nullable Object[]) node;
        if (single(branch, 0, branch[0]) instanceof HashBucket) {
            throw new IllegalStateException("branch of a single bucket at shift " + shift);
        }
        int entries = 0;
        for (int i = 0; i < FAN; i++) {
            Object below = branch[i];
            entries += below == null ? 0 : entries(below, shift - BITS, prefix | (long) i << shift);
        }
        if (entries == 0) {
            throw new IllegalStateException("branch of nothing at shift " + shift);
        }
        return entries;
    }
}
