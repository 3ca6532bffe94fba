package io.gpusched.internal.tree;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Leaves to be put and removed, by ascending key: the few that are buffered beside the tree in a {@link BufferedTree}, or any
 * number on their way into it. Immutable.
 */
final class UpdateBuffer<T> {
    /** No more than this many are kept beside a tree. */
    static final int MOST = 32;

    private static final LeafUpdate<?>[] NONE = {};

    private final LeafUpdate<T>[] updates;

    /** One bit of 64 for each key: a key whose bit is not set is not here. */
    private final long keyBits;

    /** The buckets that any leaf to be put is in; those of leaves that others have replaced here may be among them. */
    private final long buckets0;

    private final long buckets1;
    private final long buckets2;
    private final long buckets3;

    /** No updates. */
    @SuppressWarnings("unchecked") // there are none
    private UpdateBuffer() {
        this.updates = (LeafUpdate<T>[]) NONE;
        this.keyBits = 0;
        this.buckets0 = 0;
        this.buckets1 = 0;
        this.buckets2 = 0;
        this.buckets3 = 0;
    }

    /** Earlier updates and a later one; the array holds all. */
    private UpdateBuffer(UpdateBuffer<T> earlier, LeafUpdate<T> later, LeafUpdate<T>[] all) {
        this.updates = all;
        this.keyBits = earlier.keyBits | bit(later.key());
        this.buckets0 = earlier.buckets0 | later.buckets(0);
        this.buckets1 = earlier.buckets1 | later.buckets(1);
        this.buckets2 = earlier.buckets2 | later.buckets(2);
        this.buckets3 = earlier.buckets3 | later.buckets(3);
    }

    /** Earlier updates and later ones; the last array holds both. */
    private UpdateBuffer(UpdateBuffer<T> earlier, LeafUpdate<T>[] later, LeafUpdate<T>[] all) {
        long bits = earlier.keyBits;
        long[] buckets = {earlier.buckets0, earlier.buckets1, earlier.buckets2, earlier.buckets3};
        for (LeafUpdate<T> update : later) {
            bits |= bit(update.key());
            for (int word = 0; word < BucketSummary.WORDS; word++) {
                buckets[word] |= update.buckets(word);
            }
        }
        this.updates = all;
        this.keyBits = bits;
        this.buckets0 = buckets[0];
        this.buckets1 = buckets[1];
        this.buckets2 = buckets[2];
        this.buckets3 = buckets[3];
    }

    static <T> UpdateBuffer<T> none() {
        return new UpdateBuffer<>();
    }

    private static long bit(long key) {
        // keys may be multiples of a power of two: the upper bits of the product depend on all of theirs
        return 1L << (key * 0x9E37_79B9_7F4A_7C15L >>> 58);
    }

    int size() {
        return updates.length;
    }

    boolean isEmpty() {
        return updates.length == 0;
    }

    LeafUpdate<T> get(int at) {
        return updates[at];
    }

    /** Returns how many of the first updates are the same objects in another buffer. */
    @SuppressWarnings("ReferenceEquality") // an update that both know of is the same object
    int countShared(UpdateBuffer<T> other) {
        int most = Math.min(updates.length, other.updates.length);
        int same = 0;
        while (same < most && updates[same] == other.updates[same]) {
            same++;
        }
        return same;
    }

    /** The key of an update; beyond all others where there is no such update. */
    long key(int at) {
        return at < updates.length ? updates[at].key() : Long.MAX_VALUE;
    }

    /** 64 buckets; none that a leaf is in is missing. */
    long buckets(int word) {
        return switch (word) {
            case 0 -> buckets0;
            case 1 -> buckets1;
            case 2 -> buckets2;
            default -> buckets3;
        };
    }

    /** Which update is the first with this key or a greater one; the number of all if there is none. */
    int from(long key) {
        int from = 0;
        // how often it goes round depends on the number of updates alone: which half a key is in cannot be predicted
        for (int rest = updates.length; rest > 0; rest >>= 1) {
            int half = rest + 1 >> 1;
            from = updates[from + half - 1].key() < key ? from + half : from;
        }
        return from;
    }

    /** The update of a key, or null. */
    @Nullable
    LeafUpdate<T> find(long key) {
        if ((keyBits & bit(key)) == 0) {
            return null;
        }
        int at = from(key);
        return key(at) == key && at < updates.length ? updates[at] : null;
    }

    /**
     * Adds a later update; one of the same key gives way.
     *
     * @param at what {@link #from} returns for its key
     */
    UpdateBuffer<T> with(LeafUpdate<T> later, int at) {
        int behind = key(at) == later.key() ? at + 1 : at;
        LeafUpdate<T>[] all = Arrays.copyOf(updates, at + 1 + updates.length - behind);
        all[at] = later;
        System.arraycopy(updates, behind, all, at + 1, updates.length - behind);
        return new UpdateBuffer<>(this, later, all);
    }

    /** Adds later updates; those of the same keys take their place. */
    UpdateBuffer<T> with(UpdateBuffer<T> later) {
        return later.isEmpty() ? this : with(later.updates);
    }

    /**
     * Adds later updates; those of the same keys take their place.
     *
     * @param later updates by ascending key
     */
    UpdateBuffer<T> with(LeafUpdate<T>[] later) {
        int size = updates.length;
        for (LeafUpdate<T> update : later) {
            size += find(update.key()) == null ? 1 : 0;
        }
        LeafUpdate<T>[] all = Arrays.copyOf(updates, size);
        int mine = 0;
        int at = 0;
        for (LeafUpdate<T> update : later) {
            int next = from(update.key());
            System.arraycopy(updates, mine, all, at, next - mine);
            at += next - mine;
            all[at++] = update;
            mine = key(next) == update.key() ? next + 1 : next;
        }
        System.arraycopy(updates, mine, all, at, updates.length - mine);
        return new UpdateBuffer<>(this, later, all);
    }
}
