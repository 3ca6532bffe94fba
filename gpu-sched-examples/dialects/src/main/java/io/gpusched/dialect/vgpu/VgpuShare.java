package io.gpusched.dialect.vgpu;

import java.util.Objects;

/**
 * What one container holds of one GPU, in the words of HAMi and Volcano.
 *
 * @param gpu UUID
 * @param type vendor, such as {@code NVIDIA}
 * @param memoryMib memory in MiB, not negative
 * @param cores compute in percent of one GPU, not negative
 */
public record VgpuShare(String gpu, String type, long memoryMib, long cores) {
    /**
     * Checks the amounts.
     *
     * @throws IllegalArgumentException if one is negative
     */
    public VgpuShare {
        Objects.requireNonNull(gpu, "gpu");
        Objects.requireNonNull(type, "type");
        if (memoryMib < 0 || cores < 0) {
            throw new IllegalArgumentException("share of gpu \"" + gpu + "\": amounts must not be negative, got "
                    + memoryMib + " MiB and " + cores);
        }
    }
}
