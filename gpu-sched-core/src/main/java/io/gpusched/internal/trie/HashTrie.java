package io.gpusched.internal.trie;

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
     * are full: branches are plain arrays without a bitmap. Below them stand buckets of up to 24 entries, their hashes in an
     * array of their own: a key that is not there costs no look at an entry. A bucket that would grow larger is split by the
     * next four bits, unless its hashes are all the same: such a bucket may have any size. A branch that is left with a
     * single bucket is replaced by it, so a branch has at least two nodes, other than above many hashes with the same leading
     * bits; the depth is at most 16 there.
     *
     *   branch: 16 nodes; behind them, where a node is a bucket, its entries
     *   bucket: the hashes of its entries
     *
     * As with summaries in the summary tree, a branch holds both arrays of a bucket, so that neither waits for the
     * other.
     *
     * Cost at 720,000 entries: four branches and a bucket of 11. The first three branches are in the fastest cache, so a
     * lookup waits for memory once or twice. An update copies about 750 bytes; of many together, most of the branches only
     * once.
     *
     * See P. Bagwell, "Ideal Hash Trees", 2001, and for inner nodes apart from entries M. Steindorfer and J. Vinju,
     * "Optimizing Hash-Array Mapped Tries for Fast and Lean Immutable JVM Collections", 2015. Both compress sparse branches
     * by a bitmap; buckets do the same job here with one reference less a level.
     */
    private final Function<? super V, ? extends K> keyOf;
    private final int size;

    /** The root, and its entries if it is a bucket. */
    private final @Nullable Object[] top;

    private HashTrie(Function<? super V, ? extends K> keyOf, int size, @Nullable Object[] top) {
        this.keyOf = keyOf;
        this.size = size;
        this.top = top;
    }

    /**
     * Returns an empty map.
     *
     * @param keyOf tells the key of a value, always the same
     */
    public static <K, V> HashTrie<K, V> empty(Function<? super V, ? extends K> keyOf) {
        return new HashTrie<>(keyOf, 0, new Object[2]);
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
        HashTrie<K, V> trie = HashTrie.<K, V>empty(keyOf);
        if (values.length == 0) {
            return trie;
        }
        @Nullable Object[] top = new Object[2];
        HashBuckets.put(
                top, 0, 1, HashBuckets.TOP, hashes.clone(), Arrays.copyOf(values, values.length, Object[].class));
        trie = new HashTrie<>(keyOf, values.length, top);
        HashTrieCheck.requireDistinct(top, keyOf);
        return trie;
    }

    /** Returns the number of values. */
    public int size() {
        return size;
    }

    /** Returns the value of a key, or null. */
    @SuppressWarnings("unchecked") // buckets hold nothing but values
    public @Nullable V get(long hash, K key) {
        @Nullable Object[] holder = top;
        int at = 0;
        int stride = 1;
        int shift = HashBuckets.TOP;
        while (holder[at] instanceof @Nullable Object[] branch) {
            holder = branch;
            at = HashBuckets.digit(hash, shift);
            stride = HashBuckets.FAN;
            shift -= HashBuckets.BITS;
        }
        if (holder[at] instanceof long[] hashes) {
            for (int i = 0; i < hashes.length; i++) {
                if (hashes[i] == hash) {
                    Object entry = HashBuckets.entries(holder, at + stride)[i];
                    if (HashBuckets.isKey(key, entry, keyOf)) {
                        return (V) entry;
                    }
                }
            }
        }
        return null;
    }

    /**
     * Returns how many entries share a bucket with each of some hashes, in all. Of no use but to have what a change of these
     * will read fetched from memory together: lookups that depend on nothing do not wait for each other.
     */
    private int fetch(long[] hashes) {
        int sum = 0;
        for (long hash : hashes) {
            Object node = top[0];
            for (int shift = HashBuckets.TOP; node instanceof @Nullable Object[] branch; shift -= HashBuckets.BITS) {
                node = branch[HashBuckets.digit(hash, shift)];
            }
            sum += node instanceof long[] found ? found.length : 0;
        }
        return sum;
    }

    /**
     * Returns this map with a value, in place of the one with the same key if there is one.
     *
     * @param hash the hash of its key
     */
    public HashTrie<K, V> with(long hash, V value) {
        return with(new HashTrieUpdate<>(keyOf, new long[] {hash}, new Object[] {value}, new boolean[1]));
    }

    /** Returns this map without the value of a key; the same map if there is none. */
    public HashTrie<K, V> without(long hash, K key) {
        return with(new HashTrieUpdate<>(keyOf, new long[] {hash}, new Object[] {key}, new boolean[] {true}));
    }

    /**
     * Returns this map with many changes, no two of the same key.
     *
     * @param hashes the hash of each key, ascending as numbers without sign
     * @param changes the value to put, or the key to remove
     * @param removed which of them are keys to remove
     */
    public HashTrie<K, V> withAll(long[] hashes, Object[] changes, boolean[] removed) {
        HashTrieUpdate<K, V> update = new HashTrieUpdate<>(keyOf, hashes, changes, removed);
        return fetch(hashes) < 0 ? this : with(update);
    }

    @SuppressWarnings("ReferenceEquality") // what did not change is the same object
    private HashTrie<K, V> with(HashTrieUpdate<K, V> update) {
        @Nullable Object[] changed = top.clone();
        update.in(changed, 0, 1, HashBuckets.TOP);
        return changed[0] == top[0] && changed[1] == top[1]
                ? this
                : new HashTrie<>(keyOf, size + update.added(), changed);
    }

    /** Calls back with every value, O(n). */
    @SuppressWarnings("unchecked") // buckets hold nothing but values
    public void forEach(Consumer<? super V> action) {
        HashBuckets.forEach(top, 0, 1, (hashes, entries) -> {
            for (Object entry : entries) {
                action.accept((V) entry);
            }
        });
    }

    /** Throws {@link IllegalStateException} unless every entry is where it belongs and no node is superfluous; O(n). */
    public void validate() {
        int entries = HashTrieCheck.entries(top, 0, 1, HashBuckets.TOP, 0);
        if (entries != size) {
            throw new IllegalStateException("size " + size + ", but " + entries + " entries");
        }
        HashTrieCheck.requireDistinct(top, keyOf);
    }
}
