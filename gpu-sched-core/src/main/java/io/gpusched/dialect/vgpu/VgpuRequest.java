package io.gpusched.dialect.vgpu;

import java.util.OptionalInt;

/**
 * What one container asks in the words of HAMi and Volcano: a number of distinct GPUs, and of each of them the same
 * amount.
 *
 * @param count how many distinct GPUs, at least 1
 * @param type vendor that is asked for, such as {@code NVIDIA}
 * @param memoryMib memory of each in MiB; 0 where the percentage counts, or nothing is booked
 * @param memoryPercent memory of each in percent of the chosen GPU, 1..100, or empty
 * @param cores compute of each in percent of one GPU, not negative
 */
public record VgpuRequest(int count, String type, long memoryMib, OptionalInt memoryPercent, long cores) {
    /** The vendor of which both systems share GPUs. */
    public static final String NVIDIA = "NVIDIA";

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if a value is out of range
     */
    public VgpuRequest {
        inRange("count", count, 1, Integer.MAX_VALUE);
        inRange("memoryMib", memoryMib, 0, Integer.MAX_VALUE);
        inRange("cores", cores, 0, Integer.MAX_VALUE);
        if (memoryPercent.isPresent()) {
            inRange("memoryPercent", memoryPercent.getAsInt(), 1, 100);
        }
    }

    /**
     * Returns the memory that is taken of a GPU with this much: the fixed amount if there is one, else the percentage
     * rounded down, else nothing.
     */
    public long memoryMibOn(long totalMib) {
        return memoryMib > 0 || memoryPercent.isEmpty() ? memoryMib : totalMib * memoryPercent.getAsInt() / 100;
    }

    /** Returns this request for another number of GPUs. */
    public VgpuRequest withCount(int value) {
        return new VgpuRequest(value, type, memoryMib, memoryPercent, cores);
    }

    private static void inRange(String field, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(
                    "vgpu request: " + field + " must be in " + min + ".." + max + ", got " + value);
        }
    }
}
