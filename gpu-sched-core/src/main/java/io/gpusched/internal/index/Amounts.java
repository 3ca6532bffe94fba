package io.gpusched.internal.index;

/**
 * Free CPU and free memory in one {@code long}: milli in the upper 32 bits, MiB in the lower, each at most 2^31 - 1. More than
 * that counts as that, so that the true amounts have to be compared where these suffice.
 */
final class Amounts {
    private static final long TOPS = 0x8000_0000_8000_0000L;

    private static final long MEMORY = 0xFFFF_FFFFL;

    private Amounts() {}

    static long of(long cpuMillis, long memoryMib) {
        return Math.min(cpuMillis, Integer.MAX_VALUE) << 32 | Math.min(memoryMib, Integer.MAX_VALUE);
    }

    /** Whether amounts are not cut off, so that what covers them has as much. */
    static boolean areExact(long cpuMillis, long memoryMib) {
        return cpuMillis <= Integer.MAX_VALUE && memoryMib <= Integer.MAX_VALUE;
    }

    /** Returns the greater of each. */
    static long max(long one, long other) {
        return Math.max(one >>> 32, other >>> 32) << 32 | Math.max(one & MEMORY, other & MEMORY);
    }

    /** Whether both amounts are at least these. */
    static boolean cover(long free, long least) {
        // where one is less, the subtraction borrows from its top bit
        return ((free | TOPS) - least & TOPS) == TOPS;
    }

    /** Whether both amounts are less than these. */
    static boolean isLessInBoth(long one, long other) {
        return one >>> 32 < other >>> 32 && (one & MEMORY) < (other & MEMORY);
    }
}
