package io.gpusched.internal.fit;

import java.util.Arrays;

/**
 * Whether items may go into bins of one capacity, by two bounds: a no is certain.
 *
 * <p>The first goes by number: where no bin takes more than {@code q} items, {@code e} of them are left over; so for some
 * {@code t}, that many bins take {@code t q + e} items, and the smallest of these must not be too much. The second is the
 * bound L2 of Martello and Toth ("Lower bounds and reduction procedures for the bin packing problem", 1990). For any
 * size {@code k} of at most half the capacity, items above half the capacity need a bin each; those that leave less than
 * {@code k} take none of the items of {@code k} and more, and what the others leave may not be enough for these. What a bin
 * holds already is an item too. O(n log n).
 */
public final class BinBound {
    private long[] items = new long[64];
    private int count;

    /** The sum of the smallest items, of so many. */
    private long[] sums = new long[65];

    /** Forgets all items. */
    public void clear() {
        count = 0;
    }

    /** Adds equal items; those of no size do not matter. */
    public void add(long size, long number) {
        if (size <= 0) {
            return;
        }
        while (count + number > items.length) {
            items = Arrays.copyOf(items, 2 * items.length);
        }
        Arrays.fill(items, count, count + (int) number, size);
        count += (int) number;
    }

    /** Returns false only if the items do not go into so many bins. */
    public boolean mayFit(int bins, long capacity) {
        Arrays.sort(items, 0, count);
        return mayFitByNumber(bins, capacity) && mayFitBySize(bins, capacity);
    }

    private boolean mayFitByNumber(int bins, long capacity) {
        sums = sums.length > count ? sums : new long[items.length + 1];
        for (int i = 0; i < count; i++) {
            sums[i + 1] = sums[i] + items[i];
        }
        for (int each = 1; count - (long) each * bins > 0; each++) {
            if (!mayExceed(each, bins, capacity)) {
                return false;
            }
        }
        return true;
    }

    /** Whether some bins may take more than so many items, so that all find room. */
    private boolean mayExceed(int each, int bins, long capacity) {
        int more = count - each * bins;
        for (int exceeding = 1; exceeding <= Math.min(bins, more); exceeding++) {
            if (sums[exceeding * each + more] <= exceeding * capacity) {
                return true;
            }
        }
        return false;
    }

    private boolean mayFitBySize(int bins, long capacity) {
        int half = firstAbove(capacity / 2);
        int large = count - half;
        if (large > bins) {
            return false;
        }
        long sumOfSmall = 0;
        long sumOfMiddle = 0;
        int middle = half;
        for (int at = half - 1; at >= 0; at--) {
            long k = items[at];
            sumOfSmall += k;
            while (middle < count && items[middle] <= capacity - k) {
                sumOfMiddle += items[middle++];
            }
            long left = (long) (middle - half) * capacity - sumOfMiddle;
            long more = Math.max(0, sumOfSmall - left);
            if (large + (more + capacity - 1) / capacity > bins) {
                return false;
            }
        }
        return true;
    }

    private int firstAbove(long size) {
        int at = count;
        while (at > 0 && items[at - 1] > size) {
            at--;
        }
        return at;
    }
}
