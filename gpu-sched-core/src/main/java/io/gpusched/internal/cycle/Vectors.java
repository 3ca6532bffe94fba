package io.gpusched.internal.cycle;

/** Amounts of all resources of a {@link ResourceTable}, by its numbers. */
final class Vectors {
    private Vectors() {}

    static void add(long[] sums, long[] added) {
        for (int r = 0; r < sums.length; r++) {
            sums[r] += added[r];
        }
    }

    static void subtract(long[] sums, long[] taken) {
        for (int r = 0; r < sums.length; r++) {
            sums[r] -= taken[r];
        }
    }

    static void max(long[] most, long[] other) {
        for (int r = 0; r < most.length; r++) {
            most[r] = Math.max(most[r], other[r]);
        }
    }

    static void min(long[] least, long[] other) {
        for (int r = 0; r < least.length; r++) {
            least[r] = Math.min(least[r], other[r]);
        }
    }

    /** Returns whether each amount is at most the other. */
    static boolean isWithin(long[] amounts, long[] bounds) {
        return firstAbove(amounts, bounds) < 0;
    }

    /** Returns the first resource of which there is more than the bound, or -1. */
    static int firstAbove(long[] amounts, long[] bounds) {
        for (int r = 0; r < amounts.length; r++) {
            if (amounts[r] > bounds[r]) {
                return r;
            }
        }
        return -1;
    }

    /** Returns the first resource of which some is asked and more would be used than the bound, or -1. */
    static int firstAbove(long[] used, long[] asked, long[] bounds) {
        for (int r = 0; r < used.length; r++) {
            if (asked[r] > 0 && used[r] > bounds[r] - asked[r]) {
                return r;
            }
        }
        return -1;
    }
}
