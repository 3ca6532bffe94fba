package io.gpusched.internal.persistent;

import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A persistent map of values that tell their own keys: a change returns a new map and shares all but one path with the old one.
 * Get, put and remove cost O(log n). A map is compared with one made from it in O(changes · log n).
 * Immutable and thread-safe.
 *
 * <p>The caller passes the hash of each key, always the same for one key. It should be spread evenly: any number of keys may have
 * the same hash, but these are then searched one by one.
 */
public final class HashTrie<K, V> {
    /*
     * A trie over the bits of the hash, four a level, from the lowest. See P. Bagwell, "Ideal Hash Trees", 2001. The upper levels
     * are full, for hashes are spread evenly, so that branches are plain arrays of 16 nodes without a bitmap. Below them stand
     * buckets of up to MOST_IN_BUCKET values, which a bucket that grows larger is split into. At 100,000 values there are three or four
     * branches above a bucket; a change copies these, some 400 bytes.
     *
     *   branch: Object[][] of 16 nodes, null for nothing
     *   bucket: Object[], the hashes of its values as an int[] first and then the values
     *
     * A bucket holds its hashes, so that a key which is not there is known without a look at a value, which lies elsewhere
     * in memory.
     */
    private final Function<? super V, ? extends K> keyOf;
    private final int size;
    private final Object @Nullable [] root;

    private HashTrie(Function<? super V, ? extends K> keyOf, int size, Object @Nullable [] root) {
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
     * Returns a map of these values, no two of one key; O(n).
     *
     * @param hashes the hash of the key of each value
     */
    public static <K, V> HashTrie<K, V> of(Function<? super V, ? extends K> keyOf, int[] hashes, V[] values) {
        Object[] root = TrieNodes.built(hashes.clone(), values, 0);
        return new HashTrie<>(keyOf, values.length, root);
    }

    /** Returns the number of values. */
    public int size() {
        return size;
    }

    /** Returns the value of a key, or null. */
    @SuppressWarnings("unchecked") // buckets hold values only
    public @Nullable V get(int hash, K key) {
        return (V) TrieNodes.find(root, 0, hash, key, keyOf);
    }

    /** Returns this map with a value, in place of that of the same key if there is one. */
    public HashTrie<K, V> with(int hash, V value) {
        return with(hash, get(hash, keyOf.apply(value)), value);
    }

    /**
     * Returns this map with a value in place of another.
     *
     * @param before the value of the same key, as {@link #get} tells, which is not looked up again; null if there is none
     */
    @SuppressWarnings("ReferenceEquality") // the very object that is here
    public HashTrie<K, V> with(int hash, @Nullable V before, V value) {
        return before == value
                ? this
                : new HashTrie<>(keyOf, size + (before == null ? 1 : 0), TrieNodes.with(root, 0, hash, value, before));
    }

    /** Returns this map without the value of a key; this if there is none. */
    public HashTrie<K, V> without(int hash, K key) {
        return withoutValue(hash, get(hash, key));
    }

    /** Returns this map without a value of it, which is not looked up again; this if it is null. */
    public HashTrie<K, V> withoutValue(int hash, @Nullable V before) {
        return before == null ? this : new HashTrie<>(keyOf, size - 1, TrieNodes.without(root, 0, hash, before));
    }

    /** Calls back with every value, in no particular order; O(n). */
    @SuppressWarnings("unchecked") // buckets hold values only
    public void forEach(Consumer<? super V> action) {
        TrieNodes.forEach(root, (hash, value) -> action.accept((V) value));
    }

    /**
     * Calls back with each key whose value is not the same object as in an older map, or any other: with the value there and the
     * value here, null where there is none. In no particular order.
     */
    @SuppressWarnings("unchecked") // buckets hold values only
    public void forEachChange(HashTrie<K, V> older, BiConsumer<@Nullable V, @Nullable V> change) {
        new Diff<K, V>(keyOf, change).nodes(older.root, root, 0);
    }

    /** Throws {@link IllegalStateException} unless every value is where its hash belongs, no two have one key, and the size is right; O(n). */
    public void validate(java.util.function.ToIntFunction<? super K> hashOf) {
        int[] found = {0};
        TrieNodes.forEach(root, (hash, value) -> {
            @SuppressWarnings("unchecked") // buckets hold values only
            K key = keyOf.apply((V) value);
            if (hash != hashOf.applyAsInt(key) || get(hash, key) != value) {
                throw new IllegalStateException("the value of " + key + " is not where it belongs");
            }
            found[0]++;
        });
        if (found[0] != size) {
            throw new IllegalStateException("size " + size + ", but " + found[0] + " values");
        }
    }

    /** Returns whether both hold equal values by the same keys; O(n) unless they share parts. */
    @Override
    public boolean equals(@Nullable Object other) {
        if (!(other instanceof HashTrie<?, ?>)) {
            return false;
        }
        @SuppressWarnings("unchecked") // of another type, its values are equal to none of these
        HashTrie<K, V> that = (HashTrie<K, V>) other;
        boolean[] equal = {size == that.size};
        if (equal[0]) {
            forEachChange(that, (before, after) -> equal[0] = equal[0] && Objects.equals(before, after));
        }
        return equal[0];
    }

    @Override
    public int hashCode() {
        int[] sum = {0};
        forEach(value -> sum[0] += value.hashCode());
        return sum[0];
    }

    /** Compares two versions from the root down, and passes by what they share. */
    private static final class Diff<K, V> {
        private final Function<? super V, ? extends K> keyOf;
        private final BiConsumer<@Nullable V, @Nullable V> change;

        Diff(Function<? super V, ? extends K> keyOf, BiConsumer<@Nullable V, @Nullable V> change) {
            this.keyOf = keyOf;
            this.change = change;
        }

        /** Compares two nodes at a level; the same object for both is passed by. */
        @SuppressWarnings("ReferenceEquality") // what both share is the same object
        void nodes(Object @Nullable [] before, Object @Nullable [] after, int shift) {
            if (before == after) {
                return;
            }
            if (before instanceof Object[][] was && after instanceof Object[][] is) {
                for (int i = 0; i < TrieNodes.FAN; i++) {
                    if (was[i] != is[i]) { // most are shared
                        nodes(was[i], is[i], shift + TrieNodes.BITS);
                    }
                }
            } else if (before != null && after != null && before[0] == after[0]) {
                values(before, after);
            } else {
                unlike(before, after, shift);
            }
        }

        /** Two buckets of the same keys in the same order. */
        @SuppressWarnings({"unchecked", "ReferenceEquality"}) // what both share is the same object
        private void values(Object[] before, Object[] after) {
            for (int i = 1; i < before.length; i++) {
                if (before[i] != after[i]) {
                    change.accept((V) before[i], (V) after[i]);
                }
            }
        }

        /** Two nodes, at least one a bucket or nothing: each value of the one is looked up in the other. */
        @SuppressWarnings({"unchecked", "ReferenceEquality"}) // what both share is the same object
        private void unlike(Object @Nullable [] before, Object @Nullable [] after, int shift) {
            TrieNodes.forEach(before, (hash, value) -> {
                Object now = find(after, shift, hash, value);
                if (now != value) {
                    change.accept((V) value, (V) now);
                }
            });
            TrieNodes.forEach(after, (hash, value) -> {
                if (find(before, shift, hash, value) == null) {
                    change.accept(null, (V) value);
                }
            });
        }

        @SuppressWarnings("unchecked") // buckets hold values only
        private @Nullable Object find(Object @Nullable [] node, int shift, int hash, Object value) {
            return TrieNodes.find(node, shift, hash, keyOf.apply((V) value), keyOf);
        }
    }
}
