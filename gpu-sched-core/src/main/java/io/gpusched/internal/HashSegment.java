package io.gpusched.internal;

import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * The entries of a {@link HashIndex} whose hashes share the first bits. Immutable.
 *
 * <p>Most stand in one long sorted array, which lies all over the memory of a large index and is hardly ever touched: a
 * filter of one to two bytes for each entry tells of most hashes that they are not there, and what was added and removed lately
 * stands in two short arrays. When these have grown to twice the root of the long one, all become a new long one.
 */
final class HashSegment {
    private static final long[] NONE = {};

    static final HashSegment EMPTY = new HashSegment(NONE, new long[1], NONE, NONE);

    /** The least number of changes that are worth a new array. */
    private static final int FEW = 16;

    private static final long VALUE = HashIndex.MAX_VALUE;

    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    /** Sorted, as are the others; the entries of a segment have the same sign. */
    private final long[] entries;

    /** Two bits for each entry, in one word that depends on its hash; the number of words is a power of two. */
    private final long[] filter;

    /** What is there beside the entries. */
    private final long[] added;

    /** Which of the entries are not there any more. */
    private final long[] removed;

    private HashSegment(long[] entries, long[] filter, long[] added, long[] removed) {
        this.entries = entries;
        this.filter = filter;
        this.added = added;
        this.removed = removed;
    }

    HashSegment plus(long entry) {
        int at = Arrays.binarySearch(removed, entry);
        return at >= 0 ? after(added, without(removed, at)) : after(with(added, entry), removed);
    }

    HashSegment minus(long entry) {
        int at = Arrays.binarySearch(added, entry);
        return at >= 0 ? after(without(added, at), removed) : after(added, with(removed, entry));
    }

    private static long[] with(long[] sorted, long entry) {
        int found = Arrays.binarySearch(sorted, entry);
        int at = found < 0 ? -found - 1 : found;
        long[] longer = Arrays.copyOf(sorted, sorted.length + 1);
        longer[at] = entry;
        System.arraycopy(sorted, at, longer, at + 1, sorted.length - at);
        return longer;
    }

    private static long[] without(long[] sorted, int at) {
        long[] shorter = Arrays.copyOf(sorted, sorted.length - 1);
        System.arraycopy(sorted, at + 1, shorter, at, shorter.length - at);
        return shorter;
    }

    private HashSegment after(long[] nowAdded, long[] nowRemoved) {
        long changes = (long) nowAdded.length + nowRemoved.length;
        if (changes <= FEW || changes * changes <= 4L * entries.length) {
            return new HashSegment(entries, filter, nowAdded, nowRemoved);
        }
        long[] all = merged(nowAdded, nowRemoved);
        return new HashSegment(all, filter(all), NONE, NONE);
    }

    private long[] merged(long[] plus, long[] minus) {
        long[] all = new long[entries.length + plus.length - minus.length];
        int to = 0;
        int p = 0;
        int m = 0;
        for (long entry : entries) {
            if (m < minus.length && minus[m] == entry) {
                m++;
                continue;
            }
            while (p < plus.length && plus[p] < entry) {
                all[to++] = plus[p++];
            }
            all[to++] = entry;
        }
        if (m < minus.length) {
            throw new IllegalStateException("no entry " + Long.toHexString(minus[m]));
        }
        System.arraycopy(plus, p, all, to, plus.length - p);
        return all;
    }

    private static long[] filter(long[] entries) {
        long[] filter = new long[Math.max(1, Integer.highestOneBit(entries.length / 4))];
        for (long entry : entries) {
            long spread = spread(entry);
            filter[word(spread, filter)] |= bits(spread);
        }
        return filter;
    }

    private static long spread(long hash) {
        return (hash >>> HashIndex.VALUE_BITS) * SPREAD;
    }

    private static int word(long spread, long[] filter) {
        return (int) (spread >>> 32) & (filter.length - 1);
    }

    private static long bits(long spread) {
        return 1L << (spread >>> 58) | 1L << (spread >>> 52);
    }

    /** Returns a value under this hash that the predicate takes, or -1. */
    int find(long hash, IntPredicate wanted) {
        long first = hash & ~VALUE;
        int found = find(added, NONE, first, wanted);
        long spread = spread(hash);
        if (found >= 0 || (~filter[word(spread, filter)] & bits(spread)) != 0) {
            return found;
        }
        return find(entries, removed, first, wanted);
    }

    private static int find(long[] sorted, long[] except, long first, IntPredicate wanted) {
        int skip = firstAtLeast(except, first);
        for (int i = firstAtLeast(sorted, first); i < sorted.length && (sorted[i] & ~VALUE) == first; i++) {
            if (skip < except.length && except[skip] == sorted[i]) {
                skip++;
            } else if (wanted.test((int) (sorted[i] & VALUE))) {
                return (int) (sorted[i] & VALUE);
            }
        }
        return -1;
    }

    /** Where the first entry stands that is not less, looked for first where it should be if entries spread evenly. */
    private static int firstAtLeast(long[] sorted, long entry) {
        long part = entry << HashIndex.SEGMENT_BITS >>> 32;
        int guess = (int) (part * sorted.length >>> 32);
        int low = guess;
        for (int step = 8; low > 0 && sorted[low - 1] >= entry; step *= 2) {
            low = Math.max(0, low - step);
        }
        int high = Math.max(low, guess);
        for (int step = 8; high < sorted.length && sorted[high] < entry; step *= 2) {
            low = high + 1;
            high = Math.min(sorted.length, high + step);
        }
        int at = Arrays.binarySearch(sorted, low, high, entry);
        int first = at < 0 ? -at - 1 : at;
        while (first > 0 && sorted[first - 1] >= entry) {
            first--;
        }
        return first;
    }
}
