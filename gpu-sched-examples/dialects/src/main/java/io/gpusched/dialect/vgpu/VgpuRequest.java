package io.gpusched.dialect.vgpu;

import io.gpusched.check.Checks;
import java.util.Objects;
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
    /** The vendor whose GPUs both systems share. */
    public static final String NVIDIA = "NVIDIA";

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if a value is out of range
     */
    public VgpuRequest {
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(memoryPercent, "memoryPercent");
        Checks.inRange("vgpu request", "count", count, 1, Integer.MAX_VALUE);
        Checks.inRange("vgpu request", "memoryMib", memoryMib, 0, Integer.MAX_VALUE);
        Checks.inRange("vgpu request", "cores", cores, 0, Integer.MAX_VALUE);
        if (memoryPercent.isPresent()) {
            Checks.inRange("vgpu request", "memoryPercent", memoryPercent.getAsInt(), 1, 100);
        }
    }

    /**
     * Returns the memory that is taken of a GPU with this much: the fixed amount if there is one, else the percentage
     * rounded down, else nothing.
     */
    public long memoryMibOn(long totalMib) {
        return memoryMib > 0 || memoryPercent.isEmpty() ? memoryMib : totalMib * memoryPercent.getAsInt() / 100;
    }
}
