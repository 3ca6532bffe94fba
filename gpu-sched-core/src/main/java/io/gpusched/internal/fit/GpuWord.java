package io.gpusched.internal.fit;

import io.gpusched.model.GpuShare;

/**
 * What is taken of one GPU, or what one pod takes of it, in one {@code long}.
 *
 * <p>Bits 0..15 compute in milli, 16..43 memory in MiB, 44..61 slots, 63 whole. Amounts that together stay within a
 * device's capacity never carry from one field into the next, so taking is {@code +} and returning is {@code -}.
 */
final class GpuWord {
    /** The highest bit of each field. */
    private static final long TOPS = 1L << 15 | 1L << 43 | 1L << 61;

    private GpuWord() {}

    static long of(int computeMillis, long memoryMib, int slots) {
        return computeMillis | memoryMib << 16 | (long) slots << 44;
    }

    static GpuShare share(int gpu, long word) {
        return new GpuShare(gpu, compute(word), memory(word), slots(word));
    }

    static int compute(long word) {
        return (int) word & 0xFFFF;
    }

    static long memory(long word) {
        return word >>> 16 & 0xFFF_FFFFL;
    }

    static int slots(long word) {
        return (int) (word >>> 44) & 0x3_FFFF;
    }

    /** The greater amount of each field; neither may be whole. */
    static long max(long a, long b) {
        return of(Math.max(compute(a), compute(b)), Math.max(memory(a), memory(b)), Math.max(slots(a), slots(b)));
    }

    /** Whether what is left has at least as much as is needed, field by field; neither may be whole. */
    static boolean covers(long left, long need) {
        // where a field needs more than there is, the subtraction borrows from the bit above its highest
        return ((~left & need | ~(left ^ need) & left - need) & TOPS) == 0;
    }
}
