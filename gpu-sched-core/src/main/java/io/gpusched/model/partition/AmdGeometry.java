package io.gpusched.model.partition;

import io.gpusched.check.Checks;
import io.gpusched.model.GpuModel;
import io.gpusched.model.amount.NamedAmounts;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * The geometries of AMD's Instinct accelerators. A compute mode divides a device into equal parts, and only one mode is in force on a
 * device: SPX into 1, DPX into 2, TPX into 3, QPX into 4, CPX into as many as it has XCCs (accelerator complexes). A memory mode, NPS1, NPS2,
 * NPS4 or NPS8, is in force on a whole node. Profiles are called as AMD's device plugin names its resources with the strategy
 * {@code mixed}: {@code cpx_nps4} for {@code amd.com/cpx_nps4}.
 *
 * <p>Source: the modes of Linux's amdgpu driver and the documents of AMD's device plugin and GPU operator. Which memory modes go with a
 * compute mode differs between models and drivers, so it is for the caller to say, best from what a node's driver reports.
 */
public final class AmdGeometry {
    private static final List<String> MI300X =
            List.of("spx_nps1", "dpx_nps1", "qpx_nps1", "qpx_nps4", "cpx_nps1", "cpx_nps4");
    private static final int MI300X_XCCS = 8;
    private static final long MI300X_MEMORY_MIB = 192 * 1_024L;

    private AmdGeometry() {}

    /** Returns the geometry of an MI300X, of 8 XCCs and 192 GiB, in the modes that its driver offers. */
    public static PartitionGeometry mi300x() {
        return of("MI300X", MI300X_XCCS, MI300X_MEMORY_MIB, MI300X);
    }

    /**
     * Returns the geometry of a device. Each partition takes an equal part of the compute and the memory; under NPS1 a driver lets each
     * address all memory of the device, and nothing keeps them apart.
     *
     * @param model what it is called in messages, not blank
     * @param xccs how many XCCs it has, 1..32
     * @param memoryMib its memory in MiB
     * @param modes its compute modes, each with a memory mode, such as {@code cpx_nps4}; at least one, repeated ones count once
     * @throws IllegalArgumentException if a number is out of range, a mode is not written so, or the XCCs cannot be divided so
     */
    public static PartitionGeometry of(String model, int xccs, long memoryMib, Collection<String> modes) {
        Objects.requireNonNull(model, "model");
        Checks.noNulls("modes", modes);
        String what = "amd geometry \"" + model + "\"";
        Checks.inRange(what, "xccs", xccs, 1, PartitionGeometry.MAX_GRID_UNITS);
        Checks.inRange(what, "memoryMib", memoryMib, 0, GpuModel.MAX_MEMORY_MIB);
        List<PartitionProfile> profiles = new TreeSet<>(modes)
                .stream().map(mode -> profile(what, xccs, memoryMib, mode)).toList();
        return PartitionGeometry.of(model, xccs, NamedAmounts.NONE, profiles);
    }

    private static PartitionProfile profile(String what, int xccs, long memoryMib, String mode) {
        int split = mode.indexOf('_');
        if (!mode.matches("(spx|dpx|tpx|qpx|cpx)_nps[1248]")) {
            throw new IllegalArgumentException(
                    what + ": mode must be one of spx, dpx, tpx, qpx and cpx, '_', and one of nps1, nps2,"
                            + " nps4 and nps8, got \"" + mode + "\"");
        }
        String compute = mode.substring(0, split);
        int parts = parts(compute, xccs);
        if (xccs % parts != 0) {
            throw new IllegalArgumentException(
                    what + ": mode \"" + mode + "\" needs a multiple of " + parts + " xccs, got " + xccs);
        }
        int size = xccs / parts;
        List<Integer> starts =
                IntStream.range(0, parts).map(part -> part * size).boxed().toList();
        return PartitionProfile.of(mode, size, starts)
                .withComputeMillis(1_000 / parts)
                .withMemoryMib(memoryMib / parts)
                .withMode(compute)
                .withNodeMode(mode.substring(split + 1));
    }

    private static int parts(String compute, int xccs) {
        return switch (compute) {
            case "spx" -> 1;
            case "dpx" -> 2;
            case "tpx" -> 3;
            case "qpx" -> 4;
            default -> xccs;
        };
    }
}
