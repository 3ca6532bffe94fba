package io.gpusched.internal.trie;

import java.util.Arrays;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Changes of a {@link HashTrie} on their way into it; every branch above some of them is copied once. */
final class HashTrieUpdate<K, V> {
    private final Function<? super V, ? extends K> keyOf;
    private final long[] hashes;

    /** The value to put, or the key to remove. */
    private final Object[] changes;

    private final boolean[] removed;
    private int added;

    /** The changes must be in the order of their hashes, without signs. */
    HashTrieUpdate(Function<? super V, ? extends K> keyOf, long[] hashes, Object[] changes, boolean[] removed) {
        this.keyOf = keyOf;
        this.hashes = hashes;
        this.changes = changes;
        this.removed = removed;
    }

    /** How many values more there are. */
    int added() {
        return added;
    }

    /** Makes all changes below one place. */
    void in(@Nullable Object[] holder, int at, int stride, int shift) {
        in(holder, at, stride, shift, 0, hashes.length);
    }

    private void in(@Nullable Object[] holder, int at, int stride, int shift, int from, int to) {
        if (holder[at] instanceof @Nullable Object[] branch) {
            inBranch(branch, holder, at, stride, shift, from, to);
        } else {
            inBucket(holder, at, stride, shift, from, to);
        }
    }

    @SuppressWarnings("ReferenceEquality") // what did not change is the same object
    private void inBranch(
            @Nullable Object[] branch, @Nullable Object[] holder, int at, int stride, int shift, int from, int to) {
        @Nullable Object[] copy = branch.clone();
        boolean changed = false;
        int next = from;
        while (next < to) {
            int first = next;
            int digit = HashBuckets.digit(hashes[first], shift);
            while (next < to && HashBuckets.digit(hashes[next], shift) == digit) {
                next++;
            }
            in(copy, digit, HashBuckets.FAN, shift - HashBuckets.BITS, first, next);
            changed |= copy[digit] != branch[digit] || copy[digit + HashBuckets.FAN] != branch[digit + HashBuckets.FAN];
        }
        if (changed) {
            int single = HashBuckets.single(copy);
            boolean superfluous = single == HashBuckets.FAN || single >= 0 && copy[single] instanceof long[];
            holder[at] = !superfluous ? copy : single == HashBuckets.FAN ? null : copy[single];
            holder[at + stride] = superfluous && single < HashBuckets.FAN ? copy[single + HashBuckets.FAN] : null;
        }
    }

    private void inBucket(@Nullable Object[] holder, int at, int stride, int shift, int from, int to) {
        long[] bucket = holder[at] instanceof long[] found ? found : new long[0];
        Object[] entries = bucket.length == 0 ? new Object[0] : HashBuckets.entries(holder, at + stride);
        boolean changed = false;
        for (int i = from; i < to; i++) {
            int place = find(bucket, entries, i);
            if (removed[i] ? place < 0 : place >= 0 && entries[place] == changes[i]) {
                continue;
            }
            changed = true;
            if (removed[i]) {
                int last = bucket.length - 1;
                long lastHash = bucket[last];
                Object lastEntry = entries[last];
                bucket = Arrays.copyOf(bucket, last);
                entries = Arrays.copyOf(entries, last);
                if (place < last) {
                    bucket[place] = lastHash;
                    entries[place] = lastEntry;
                }
                added--;
            } else if (place >= 0) {
                entries = entries.clone();
                entries[place] = changes[i];
            } else {
                bucket = Arrays.copyOf(bucket, bucket.length + 1);
                entries = Arrays.copyOf(entries, bucket.length);
                bucket[bucket.length - 1] = hashes[i];
                entries[bucket.length - 1] = changes[i];
                added++;
            }
        }
        if (changed && bucket.length == 0) {
            holder[at] = null;
            holder[at + stride] = null;
        } else if (changed) {
            HashBuckets.put(holder, at, stride, shift, bucket, entries);
        }
    }

    /** Where the entry of the key of a change stands in a bucket, or -1. */
    @SuppressWarnings("unchecked") // a change is a value, or a key if it is removed
    private int find(long[] bucket, Object[] entries, int change) {
        for (int i = 0; i < bucket.length; i++) {
            if (bucket[i] == hashes[change]) {
                K key = removed[change] ? (K) changes[change] : keyOf.apply((V) changes[change]);
                if (HashBuckets.isKey(key, entries[i], keyOf)) {
                    return i;
                }
            }
        }
        return -1;
    }
}
