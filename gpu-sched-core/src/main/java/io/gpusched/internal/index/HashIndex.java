package io.gpusched.internal.index;

import it.unimi.dsi.fastutil.ints.IntList;
import it.unimi.dsi.fastutil.longs.LongList;
import java.util.function.IntPredicate;

/**
 * A persistent index from 64-bit hashes to small numbers, for finding things whose home keeps the real key: a look-up may
 * offer a value of another key or one that is not there any more, and the caller's predicate decides.
 *
 * <p>All versions share {@link Hints}: adding leaves a hint there, which also other versions see, and removing leaves it
 * standing. What finds no room there is kept by each version for itself. When that has become much, the index
 * {@link #isWorn} and is best built anew. Adding and removing cost O(1), a look-up mostly one read of memory; what found no
 * room costs O(n / 1024). Immutable as far as anyone can tell, and thread-safe.
 */
public final class HashIndex {
    private static final int VALUE_BITS = 24;

    /** The greatest value that can be kept. */
    public static final int MAX_VALUE = (1 << VALUE_BITS) - 1;

    /** As many strays as one in this many are worth a new index. */
    private static final int WORN = 16;

    private static final int FEW_STRAYS = 64;

    private final Hints hints;
    private final Strays strays;

    /** How many strays there were at the start, who would be so again. */
    private final int straysAtStart;

    private HashIndex(Hints hints, Strays strays, int straysAtStart) {
        this.hints = hints;
        this.strays = strays;
        this.straysAtStart = straysAtStart;
    }

    /**
     * Returns an index of these values, with room for a few times as many.
     *
     * @param values values are in 0..values - 1, at most {@link #MAX_VALUE}
     * @param hashes the hash of each entry
     * @param found the value under each hash
     */
    public static HashIndex of(int values, LongList hashes, IntList found) {
        Hints hints = Hints.of(values, Math.max(values, hashes.size()));
        Strays strays = Strays.NONE;
        for (int i = 0; i < hashes.size(); i++) {
            if (!hints.addFirst(hashes.getLong(i), found.getInt(i))) {
                strays = strays.plus(entry(hashes.getLong(i), found.getInt(i)));
            }
        }
        return new HashIndex(hints, strays, strays.size());
    }

    public static long entry(long hash, int value) {
        return hash & ~(long) MAX_VALUE | value;
    }

    public static int value(long entry) {
        return (int) (entry & MAX_VALUE);
    }

    /** Returns this index with one more value under a hash. */
    public HashIndex plus(long hash, int value) {
        return hints.add(hash, value) ? this : with(strays.plus(entry(hash, value)));
    }

    /** Returns this index without one value under a hash; if it is not there, nothing changes. */
    public HashIndex minus(long hash, int value) {
        Strays rest = strays.minus(entry(hash, value));
        // two may have the same entry; who is among the hints has none
        return rest == strays || hints.has(hash, value) ? this : with(rest);
    }

    private HashIndex with(Strays changed) {
        return new HashIndex(hints, changed, straysAtStart);
    }

    /** Whether an index built anew of the so many values that are there would be faster. */
    public boolean isWorn(int size) {
        return strays.size() - straysAtStart > Math.max(FEW_STRAYS, size / WORN);
    }

    /** Returns a value under this hash that the predicate takes, or -1. */
    public int find(long hash, IntPredicate wanted) {
        int found = hints.find(hash, wanted);
        return found >= 0 ? found : strays.find(hash, wanted);
    }
}
