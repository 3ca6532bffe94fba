package io.gpusched.dialect.volcano;

import io.gpusched.dialect.vgpu.VgpuDevice;
import java.util.Comparator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** In which order Volcano's deviceshare plugin looks at the GPUs of a node; the first that fit are taken. */
public enum VolcanoPolicy {
    /** Most memory in use first, then the lowest index. */
    BINPACK,
    /** Fewest users first, then the lowest index; how much the users hold is not looked at. */
    SPREAD,
    /** Highest index first: what Volcano does where no policy is set. */
    UNSET;

    /** Returns the policy of this name; anything but {@code binpack} and {@code spread} is unset. */
    public static VolcanoPolicy parse(@Nullable String name) {
        return "binpack".equals(name) ? BINPACK : "spread".equals(name) ? SPREAD : UNSET;
    }

    /** Returns the order in which GPUs are tried. */
    public Comparator<VgpuDevice> order() {
        Comparator<VgpuDevice> byIndex = Comparator.comparingInt(VgpuDevice::index);
        return switch (this) {
            case BINPACK ->
                Comparator.<VgpuDevice>comparingLong(gpu -> gpu.memoryMib().used())
                        .reversed()
                        .thenComparing(byIndex);
            case SPREAD ->
                Comparator.<VgpuDevice>comparingLong(gpu -> gpu.slots().used()).thenComparing(byIndex);
            case UNSET -> byIndex.reversed();
        };
    }

    /**
     * Returns what one GPU adds to the score of its node: binpack 100 times the part of memory in use, spread 100 for a
     * GPU without users, else 0. Volcano asks after the placement, so that spread always adds 0.
     */
    public double score(VgpuDevice gpu) {
        Objects.requireNonNull(gpu, "gpu");
        return switch (this) {
            case BINPACK ->
                gpu.memoryMib().total() == 0
                        ? 0
                        : 100.0 * gpu.memoryMib().used() / gpu.memoryMib().total();
            case SPREAD -> gpu.isUsed() ? 0 : 100;
            case UNSET -> 0;
        };
    }
}
