package io.gpusched.queue;

/** Amounts of all resources of a {@link ResourceTable}, by its numbers, and ratios of amounts. */
final class Amounts {
    private Amounts() {}

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

    /** Raises each amount to the other one. */
    static void max(long[] most, long[] other) {
        for (int r = 0; r < most.length; r++) {
            most[r] = Math.max(most[r], other[r]);
        }
    }

    /** Lowers each amount to the other one. */
    static void min(long[] least, long[] other) {
        for (int r = 0; r < least.length; r++) {
            least[r] = Math.min(least[r], other[r]);
        }
    }

    static long[] sum(long[] one, long[] other) {
        long[] sum = one.clone();
        add(sum, other);
        return sum;
    }

    /** Returns whether each amount is at most the bound. */
    static boolean isWithin(long[] amounts, long[] bounds) {
        for (int r = 0; r < amounts.length; r++) {
            if (amounts[r] > bounds[r]) {
                return false;
            }
        }
        return true;
    }

    /** Returns the first resource that is requested and would be held beyond the bound, or -1. */
    static int firstAbove(long[] held, long[] requested, long[] bounds) {
        for (int r = 0; r < held.length; r++) {
            if (requested[r] > 0 && held[r] > bounds[r] - requested[r]) {
                return r;
            }
        }
        return -1;
    }

    /** Compares a/b with c/d in 128 bits, all at least 0; x/0 is greater than every ratio if x is positive, else it is 0. */
    static int compareRatios(long a, long b, long c, long d) {
        if (b == 0 || d == 0) {
            return compareWithZero(a, b, c, d);
        }
        int high = Long.compare(Math.multiplyHigh(a, d), Math.multiplyHigh(c, b));
        return high != 0 ? high : Long.compareUnsigned(a * d, c * b);
    }

    private static int compareWithZero(long a, long b, long c, long d) {
        boolean left = b == 0 && a > 0;
        boolean right = d == 0 && c > 0;
        if (left && right) {
            return Long.compare(a, c);
        }
        if (left || right) {
            return left ? 1 : -1;
        }
        return Boolean.compare(b != 0 && a > 0, d != 0 && c > 0);
    }
}
