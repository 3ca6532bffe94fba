package io.gpusched.model;

/**
 * What is taken of one GPU, or what one pod takes of it, in one {@code long}.
 *
 * <p>Bits 0..15 compute in milli, 16..43 memory in MiB, 44..61 slots, 63 whole. Amounts that together stay within a
 * device's capacity never carry from one field into the next, so taking is {@code +} and returning is {@code -}.
 */
final class GpuWord {
    static final long WHOLE = 1L << 63;

    private GpuWord() {}

    static long of(int computeMillis, long memoryMib, int slots) {
        return computeMillis | memoryMib << 16 | (long) slots << 44;
    }

    static long of(GpuShare share) {
        return of(share.computeMillis(), share.memoryMib(), share.slots());
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

    static boolean isWhole(long word) {
        return word < 0;
    }

    /** The greater amount of each field; neither may be whole. */
    static long max(long a, long b) {
        return of(Math.max(compute(a), compute(b)), Math.max(memory(a), memory(b)), Math.max(slots(a), slots(b)));
    }

    /** Whether two shares go on this GPU together, field by field; neither may be whole. */
    static boolean sumFits(long a, long b, Gpu gpu) {
        return compute(a) + compute(b) <= gpu.computeMillis()
                && memory(a) + memory(b) <= gpu.memoryMib()
                && slots(a) + slots(b) <= gpu.slots();
    }
}
