package io.gpusched.internal.tree;

import java.util.OptionalLong;

/**
 * Keys that tell the order of items, with gaps between them for others to come.
 *
 * <p>Keys are in 1..{@link #END} - 1. {@link #spread} gives the first, {@link #between} one for an item that comes between two
 * others. When there is no gap left, {@link #relabeling} tells which items around that place get new keys. Any sequence of
 * n insertions changes O(n log n) keys, O(log n) for each insertion on average.
 */
public final class OrderKeys {
    /*
     * Problem: items in an order, each with a number that tells it, so that trees can be keyed by numbers; an item may be
     * inserted anywhere, and should not change the numbers of all behind it.
     *
     * Idea: of the 2^62 numbers few are used. A new item takes the number in the middle of its gap. When the gap is used up,
     * look at the aligned ranges of 2, 4, 8 ... numbers around it, and take the smallest that is sparse enough; give its
     * items numbers at equal distances, which leaves room beside each. The greater a range, the sparser it must be to count
     * as sparse enough: a range of 2^i numbers may hold (2 / 1.5)^i items. So when a range was relabeled, each half of it is
     * well below its own limit, and a number of insertions proportional to its items must come before it is full again:
     * these pay for the next relabeling.
     *
     * Cost: each insertion pays a constant for each of the 62 ranges around it, of which those that hold few items or could
     * hold more than there are never fill up: O(log n) relabelings of one item for each insertion on average, at most all n
     * for one. The whole range is always sparse enough for 2^62 / 4 items; up to (2 / 1.5)^62, 56 million, the bound holds.
     *
     * See M. Bender, R. Cole, E. Demaine, M. Farach-Colton, J. Zito, "Two Simplified Algorithms for Maintaining Order in a
     * List", 2002.
     */
    private static final int BITS = 62;

    /** All keys are less. */
    public static final long END = 1L << BITS;

    /** By how much denser a range may be than the one of twice its length around it. */
    private static final double FACTOR = 1.5;

    private OrderKeys() {}

    /** Returns ascending keys for so many items, at equal distances. */
    public static long[] spread(int items) {
        return new Relabeling(0, END, items).keys();
    }

    /**
     * Returns a key between two others, or nothing if there is none.
     *
     * @param left the key of the item before; 0 if it is the first
     * @param right the key of the item behind; {@link #END} if it is the last
     */
    public static OptionalLong between(long left, long right) {
        if (left < 0 || left >= right || right > END) {
            throw new IllegalArgumentException(
                    "keys must be 0 <= left < right <= " + END + ", got " + left + " and " + right);
        }
        return right - left < 2 ? OptionalLong.empty() : OptionalLong.of(left + (right - left) / 2);
    }

    /** Tells how many keys are in use. */
    @FunctionalInterface
    public interface Counter {
        /** Returns how many keys from {@code from} up to but not including {@code to} are in use. */
        long count(long from, long to);
    }

    /**
     * Returns which keys are to change so that an item can be inserted where {@link #between} found none. The counter is
     * asked up to 62 times.
     *
     * @param left the key of the item before the new one; 0 if the new one is the first
     * @param used counts the keys in use
     */
    public static Relabeling relabeling(long left, Counter used) {
        for (int bits = 1; bits < BITS; bits++) {
            long from = left & -1L << bits;
            long to = from + (1L << bits);
            long items = used.count(from, to) + 1;
            if (items <= Math.pow(2 / FACTOR, bits) && items * 4 <= to - from) {
                return new Relabeling(from, to, (int) items);
            }
        }
        return new Relabeling(0, END, Math.toIntExact(used.count(0, END) + 1));
    }

    /**
     * The keys for all items whose keys are in a range, and for one that is inserted among them.
     *
     * @param from where the range begins, included
     * @param to where it ends, not included
     * @param items how many items there are, with the new one
     */
    public record Relabeling(long from, long to, int items) {
        /** Returns the new keys of the items in their order, each in the range. */
        public long[] keys() {
            long[] keys = new long[items];
            long step = items == 0 ? 0 : (to - from) / items;
            for (int i = 0; i < items; i++) {
                keys[i] = from + step / 2 + i * step;
            }
            return keys;
        }
    }
}
