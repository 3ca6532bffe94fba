package io.gpusched.internal.word;

/**
 * What is taken of one GPU, or what one pod takes of it, in one {@code long}.
 *
 * <p>Bits 0..15 compute in milli, 16..43 memory in MiB, 44..61 slots, 63 whole. Amounts that together stay within a
 * device's capacity never carry from one field into the next, so taking is {@code +} and returning is {@code -}.
 */
public final class GpuWord {
    /** A GPU that is taken whole. */
    public static final long WHOLE = 1L << 63;

    /** The highest bit of each field. */
    private static final long TOPS = 1L << 15 | 1L << 43 | 1L << 61;

    private GpuWord() {}

    public static long of(int computeMillis, long memoryMib, int slots) {
        return computeMillis | memoryMib << 16 | (long) slots << 44;
    }

    public static int compute(long word) {
        return (int) word & 0xFFFF;
    }

    public static long memory(long word) {
        return word >>> 16 & 0xFFF_FFFFL;
    }

    public static int slots(long word) {
        return (int) (word >>> 44) & 0x3_FFFF;
    }

    public static boolean isWhole(long word) {
        return word < 0;
    }

    /** Returns the greater amount of each field; neither may be whole. */
    public static long max(long a, long b) {
        return of(Math.max(compute(a), compute(b)), Math.max(memory(a), memory(b)), Math.max(slots(a), slots(b)));
    }

    /** Returns whether what is left has at least as much as is needed, field by field; neither may be whole. */
    public static boolean covers(long left, long need) {
        // where a field needs more than there is, the subtraction borrows from the bit above its highest
        return ((~left & need | ~(left ^ need) & left - need) & TOPS) == 0;
    }
}
