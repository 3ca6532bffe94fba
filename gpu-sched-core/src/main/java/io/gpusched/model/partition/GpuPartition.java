package io.gpusched.model.partition;

import io.gpusched.check.Checks;
import io.gpusched.model.Node;
import java.util.Comparator;
import java.util.Objects;

/**
 * A hardware partition of one GPU.
 *
 * @param gpu index of the GPU in its node
 * @param profile the name of its profile, not blank
 * @param start the unit of the grid at which it begins; 0 for a template without a place
 * @param mode the mode in which its GPU is, such as the layout that it is cut to; empty if its profile knows none
 */
public record GpuPartition(int gpu, String profile, int start, String mode) implements Comparable<GpuPartition> {
    private static final Comparator<GpuPartition> ORDER = Comparator.comparingInt(GpuPartition::gpu)
            .thenComparingInt(GpuPartition::start)
            .thenComparing(GpuPartition::profile)
            .thenComparing(GpuPartition::mode);

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if a number is out of range or the profile is blank
     */
    public GpuPartition {
        Checks.inRange("gpu partition", "gpu", gpu, 0, Node.MAX_GPUS - 1);
        Checks.notBlank("gpu partition", "profile", profile);
        Checks.inRange("gpu partition", "start", start, 0, PartitionGeometry.MAX_GRID_UNITS - 1);
        Objects.requireNonNull(mode, "mode");
    }

    /** Returns the partition of a profile without modes. */
    public static GpuPartition of(int gpu, String profile, int start) {
        return new GpuPartition(gpu, profile, start, "");
    }

    /** Compares by GPU, then start, profile and mode. */
    @Override
    public int compareTo(GpuPartition other) {
        Objects.requireNonNull(other, "other");
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return profile + " at " + start + " of gpu " + gpu + (mode.isEmpty() ? "" : " (" + mode + ")");
    }
}
