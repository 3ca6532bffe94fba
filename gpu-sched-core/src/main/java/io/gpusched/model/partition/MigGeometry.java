package io.gpusched.model.partition;

import io.gpusched.model.amount.NamedAmounts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The geometries of NVIDIA's MIG: where the instances of each model may lie and what they take. Placements are those that
 * {@code nvidia-smi mig -lgipp} lists; the slices of memory are the grid.
 *
 * <p>A profile's memory is as drivers have reported it, or in proportion to its part of the grid where that is not known; drivers
 * differ by a few hundred MiB. What is not known of a model's engines is not counted.
 */
public enum MigGeometry {
    /** A100 40GB (SXM4/PCIe), A800 40GB. */
    A100_40GB("A100 40GB (SXM4/PCIe), A800 40GB", 40, 8, 7, Certainty.FIRST_HAND, "98 7 5 0 1 1", """
            1g.5gb 1 1 0,1,2,3,4,5,6 7 4864 14 1 0 0 0 0
            1g.5gb+me 1 1 0,1,2,3,4,5,6 1 4864 14 1 1 0 1 1
            1g.10gb 1 2 0,2,4,6 4 9856 14 1 1 0 0 0
            2g.10gb 2 2 0,2,4 3 9856 28 2 1 0 0 0
            3g.20gb 3 4 0,4 2 19968 42 3 2 0 0 0
            4g.20gb 4 4 0 1 19968 56 4 2 0 0 0
            7g.40gb 7 8 0 1 40192 98 7 5 0 1 1
            """),
    /** A100 80GB (SXM4/PCIe), A800 80GB. */
    A100_80GB("A100 80GB (SXM4/PCIe), A800 80GB", 80, 8, 7, Certainty.FIRST_HAND, "98 7 5 0 1 1", """
            1g.10gb 1 1 0,1,2,3,4,5,6 7 9856 14 1 0 0 0 0
            1g.10gb+me 1 1 0,1,2,3,4,5,6 1 9856 14 1 1 0 1 1
            1g.20gb 1 2 0,2,4,6 4 19968 14 1 1 0 0 0
            2g.20gb 2 2 0,2,4 3 19968 28 2 1 0 0 0
            3g.40gb 3 4 0,4 2 40192 42 3 2 0 0 0
            4g.40gb 4 4 0 1 40192 56 4 2 0 0 0
            7g.80gb 7 8 0 1 80384 98 7 5 0 1 1
            """),
    /** H100 80GB SXM5, H800. */
    H100_80GB("H100 80GB SXM5, H800", 80, 8, 7, Certainty.FIRST_HAND, "132 8 7 0 7 1", """
            1g.10gb 1 1 0,1,2,3,4,5,6 7 9984 16 1 1 0 1 0
            1g.10gb+me 1 1 0,1,2,3,4,5,6 1 9984 16 1 1 0 1 1
            1g.20gb 1 2 0,2,4,6 4 20096 26 1 1 0 1 0
            2g.20gb 2 2 0,2,4 3 20096 32 2 2 0 2 0
            3g.40gb 3 4 0,4 2 40448 60 3 3 0 3 0
            4g.40gb 4 4 0 1 40448 64 4 4 0 4 0
            7g.80gb 7 8 0 1 81152 132 8 7 0 7 1
            """),
    /** H100 80GB PCIe, H800 PCIe. */
    H100_PCIE_80GB("H100 80GB PCIe, H800 PCIe", 80, 8, 7, Certainty.FAMILY, "114 8 7 0 7 1", """
            1g.10gb 1 1 0,1,2,3,4,5,6 7 ? 14 1 1 0 1 0
            1g.10gb+me 1 1 0,1,2,3,4,5,6 1 ? 14 1 1 0 1 1
            1g.20gb 1 2 0,2,4,6 4 ? 14 1 1 0 1 0
            2g.20gb 2 2 0,2,4 3 ? 30 2 2 0 2 0
            3g.40gb 3 4 0,4 2 ? 46 3 3 0 3 0
            4g.40gb 4 4 0 1 ? 62 4 4 0 4 0
            7g.80gb 7 8 0 1 ? 114 8 7 0 7 1
            """),
    /** H100 NVL 94GB, H100 94GB, H800 NVL. */
    H100_NVL_94GB("H100 NVL 94GB, H100 94GB, H800 NVL", 94, 8, 7, Certainty.FIRST_HAND, "132 8 7 0 7 1", """
            1g.12gb 1 1 0,1,2,3,4,5,6 7 ? 16 1 1 0 1 0
            1g.12gb+me 1 1 0,1,2,3,4,5,6 1 ? 16 1 1 0 1 1
            1g.24gb 1 2 0,2,4,6 4 ? 26 1 1 0 1 0
            2g.24gb 2 2 0,2,4 3 ? 32 2 2 0 2 0
            3g.47gb 3 4 0,4 2 ? 60 3 3 0 3 0
            4g.47gb 4 4 0 1 ? 64 4 4 0 4 0
            7g.94gb 7 8 0 1 ? 132 8 7 0 7 1
            """),
    /** H100 96GB, GH200 96GB, PG506-96GB, H20 96GB. */
    H100_96GB("H100 96GB, GH200 96GB, PG506-96GB, H20 96GB", 96, 8, 7, Certainty.INFERRED, "132 8 7 0 7 1", """
            1g.12gb 1 1 0,1,2,3,4,5,6 7 ? 16 1 1 0 1 0
            1g.12gb+me 1 1 0,1,2,3,4,5,6 1 ? 16 1 1 0 1 1
            1g.24gb 1 2 0,2,4,6 4 ? 26 1 1 0 1 0
            2g.24gb 2 2 0,2,4 3 ? 32 2 2 0 2 0
            3g.48gb 3 4 0,4 2 ? 60 3 3 0 3 0
            4g.48gb 4 4 0 1 ? 64 4 4 0 4 0
            7g.96gb 7 8 0 1 ? 132 8 7 0 7 1
            """),
    /** H200 141GB, H200 NVL. */
    H200_141GB("H200 141GB, H200 NVL", 141, 8, 7, Certainty.INFERRED, "132 8 7 0 7 1", """
            1g.18gb 1 1 0,1,2,3,4,5,6 7 ? 16 1 1 0 1 0
            1g.18gb+me 1 1 0,1,2,3,4,5,6 1 ? 16 1 1 0 1 1
            1g.35gb 1 2 0,2,4,6 4 ? 26 1 1 0 1 0
            2g.35gb 2 2 0,2,4 3 ? 32 2 2 0 2 0
            3g.71gb 3 4 0,4 2 ? 60 3 3 0 3 0
            4g.71gb 4 4 0 1 ? 64 4 4 0 4 0
            7g.141gb 7 8 0 1 ? 132 8 7 0 7 1
            """),
    /** GH200 144GB HBM3e. */
    GH200_144GB("GH200 144GB HBM3e", 144, 8, 7, Certainty.INFERRED, "132 8 7 0 7 1", """
            1g.18gb 1 1 0,1,2,3,4,5,6 7 ? 16 1 1 0 1 0
            1g.18gb+me 1 1 0,1,2,3,4,5,6 1 ? 16 1 1 0 1 1
            1g.36gb 1 2 0,2,4,6 4 ? 26 1 1 0 1 0
            2g.36gb 2 2 0,2,4 3 ? 32 2 2 0 2 0
            3g.72gb 3 4 0,4 2 ? 60 3 3 0 3 0
            4g.72gb 4 4 0 1 ? 64 4 4 0 4 0
            7g.144gb 7 8 0 1 ? 132 8 7 0 7 1
            """),
    /** B200 180GB. */
    B200_180GB("B200 180GB", 180, 8, 7, Certainty.FIRST_HAND, "148 16 7 0 7 1", """
            1g.23gb 1 1 0,1,2,3,4,5,6 7 20992 18 2 1 0 1 0
            1g.23gb+me 1 1 0,1,2,3,4,5,6 1 20992 18 2 1 0 1 1
            1g.45gb 1 2 0,2,4,6 4 45312 30 2 1 0 1 0
            2g.45gb 2 2 0,2,4 3 45312 36 4 2 0 2 0
            3g.90gb 3 4 0,4 2 91136 70 6 3 0 3 0
            4g.90gb 4 4 0 1 91136 72 8 4 0 4 0
            7g.180gb 7 8 0 1 182784 148 16 7 0 7 1
            """),
    /** GB200 186GB (HGX/NVL). */
    GB200_186GB("GB200 186GB (HGX/NVL)", 186, 8, 7, Certainty.INFERRED, "? ? ? 0 ? 1", """
            1g.23gb 1 1 0,1,2,3,4,5,6 7 ? ? ? ? 0 ? 0
            1g.23gb+me 1 1 0,1,2,3,4,5,6 1 ? ? ? ? 0 ? 1
            1g.47gb 1 2 0,2,4,6 4 ? ? ? ? 0 ? 0
            2g.47gb 2 2 0,2,4 3 ? ? ? ? 0 ? 0
            3g.93gb 3 4 0,4 2 ? ? ? ? 0 ? 0
            4g.93gb 4 4 0 1 ? ? ? ? 0 ? 0
            7g.186gb 7 8 0 1 ? ? ? ? 0 ? 1
            """),
    /** B300 269GB. */
    B300_269GB("B300 269GB", 269, 8, 7, Certainty.INFERRED, "? ? ? 0 ? 1", """
            1g.34gb 1 1 0,1,2,3,4,5,6 7 ? ? ? ? 0 ? 0
            1g.34gb+me 1 1 0,1,2,3,4,5,6 1 ? ? ? ? 0 ? 1
            1g.67gb 1 2 0,2,4,6 4 ? ? ? ? 0 ? 0
            2g.67gb 2 2 0,2,4 3 ? ? ? ? 0 ? 0
            3g.135gb 3 4 0,4 2 ? ? ? ? 0 ? 0
            4g.135gb 4 4 0 1 ? ? ? ? 0 ? 0
            7g.269gb 7 8 0 1 ? ? ? ? 0 ? 1
            """),
    /** GB300 278GB. */
    GB300_278GB("GB300 278GB", 278, 8, 7, Certainty.INFERRED, "? ? ? 0 ? 1", """
            1g.35gb 1 1 0,1,2,3,4,5,6 7 ? ? ? ? 0 ? 0
            1g.35gb+me 1 1 0,1,2,3,4,5,6 1 ? ? ? ? 0 ? 1
            1g.70gb 1 2 0,2,4,6 4 ? ? ? ? 0 ? 0
            2g.70gb 2 2 0,2,4 3 ? ? ? ? 0 ? 0
            3g.139gb 3 4 0,4 2 ? ? ? ? 0 ? 0
            4g.139gb 4 4 0 1 ? ? ? ? 0 ? 0
            7g.278gb 7 8 0 1 ? ? ? ? 0 ? 1
            """),
    /** A30 24GB. */
    A30_24GB("A30 24GB", 24, 4, 4, Certainty.FIRST_HAND, "56 4 4 0 1 1", """
            1g.6gb 1 1 0,1,2,3 4 5949 14 1 1 0 0 0
            1g.6gb+me 1 1 0,1,2,3 1 5949 14 1 1 0 1 1
            2g.12gb 2 2 0,2 2 11970 28 2 2 0 0 0
            2g.12gb+me 2 2 0,2 1 11970 28 2 2 0 1 1
            4g.24gb 4 4 0 1 24064 56 4 4 0 1 1
            """),
    /** RTX PRO 6000 Blackwell (Server) 96GB. */
    RTX_PRO_6000_96GB("RTX PRO 6000 Blackwell (Server) 96GB", 96, 12, 4, Certainty.FIRST_HAND, "188 ? 4 4 4 1", """
            1g.24gb 1 3 0,3,6,9 4 24186 46 ? 1 1 1 0
            1g.24gb+me 1 3 0,3,6,9 1 24186 46 ? 1 1 1 1
            1g.24gb+gfx 1 3 0,3,6,9 4 24186 46 ? 1 1 1 0
            1g.24gb+me.all 1 3 0,3,6,9 1 24186 46 ? 4 4 4 1
            1g.24gb-me 1 3 0,3,6,9 4 24186 46 ? 0 0 0 0
            2g.48gb 2 6 0,6 2 48517 94 ? 2 2 2 0
            2g.48gb+gfx 2 6 0,6 2 48517 94 ? 2 2 2 0
            2g.48gb+me.all 2 6 0,6 1 48517 94 ? 4 4 4 1
            2g.48gb-me 2 6 0,6 2 48517 94 ? 0 0 0 0
            4g.96gb 4 12 0 1 97402 188 ? 4 4 4 1
            4g.96gb+gfx 4 12 0 1 97402 188 ? 4 4 4 1
            """);

    /** How well the places and amounts of a model are known. */
    public enum Certainty {
        /** Read from such a device. */
        FIRST_HAND,
        /** Places read from devices of the same family; some amounts second-hand. */
        FAMILY,
        /** Names and counts published; places inferred from the family. */
        INFERRED
    }

    private static final int MIB_PER_GB = 1_024;
    private static final String UNKNOWN = "?";

    private final String product;
    private final int memoryGb;
    private final Certainty certainty;

    @SuppressWarnings("ImmutableEnumChecker") // it is immutable
    private final PartitionGeometry geometry;

    /**
     * @param totals what the device has of each of the counters, in the order of {@link #counterName}
     * @param rows a line for each profile: name, compute slices, units, starts, maximum, MiB, and each of the counters
     */
    MigGeometry(
            String product,
            int memoryGb,
            int gridUnits,
            int computeSlices,
            Certainty certainty,
            String totals,
            String rows) {
        this.product = product;
        this.memoryGb = memoryGb;
        this.certainty = certainty;
        String[] known = totals.split(" ");
        List<PartitionProfile> profiles = rows.lines()
                .map(row -> profile(row.split(" "), (long) memoryGb * MIB_PER_GB, gridUnits, computeSlices, known))
                .toList();
        this.geometry =
                PartitionGeometry.of("MIG " + name().replace('_', ' '), gridUnits, counters(known, 0, known), profiles);
    }

    private static PartitionProfile profile(
            String[] row, long memoryMib, int gridUnits, int computeSlices, String[] known) {
        int size = Integer.parseInt(row[2]);
        List<Integer> starts = new ArrayList<>();
        for (String start : row[3].split(",", -1)) {
            starts.add(Integer.parseInt(start));
        }
        long memory = row[5].equals(UNKNOWN) ? memoryMib * size / gridUnits : Long.parseLong(row[5]);
        return PartitionProfile.of(row[0], size, starts)
                .withMax(Integer.parseInt(row[4]))
                .withComputeMillis(1_000 * Integer.parseInt(row[1]) / computeSlices)
                .withMemoryMib(memory)
                .withCounters(counters(row, 6, known));
    }

    /** The counters that are known both of the device and of the row. */
    private static NamedAmounts counters(String[] row, int from, String[] known) {
        Map<String, Long> amounts = new HashMap<>();
        for (int i = 0; i < known.length; i++) {
            if (!known[i].equals(UNKNOWN) && !row[from + i].equals(UNKNOWN)) {
                amounts.put(counterName(i), Long.parseLong(row[from + i]));
            }
        }
        return NamedAmounts.of(amounts);
    }

    private static String counterName(int index) {
        return switch (index) {
            case 0 -> "multiprocessors";
            case 1 -> "copyEngines";
            case 2 -> "decoders";
            case 3 -> "encoders";
            case 4 -> "jpegEngines";
            default -> "ofaEngines";
        };
    }

    /** Returns the products it is of. */
    public String product() {
        return product;
    }

    /** Returns the nominal memory in GB. */
    public int memoryGb() {
        return memoryGb;
    }

    /** Returns how well it is known. */
    public Certainty certainty() {
        return certainty;
    }

    /** Returns the geometry of devices that are cut on demand. */
    public PartitionGeometry geometry() {
        return geometry;
    }

    /**
     * Returns the model of a product by its name as drivers and GPU feature discovery give it, such as
     * {@code NVIDIA-A100-SXM4-40GB} or {@code NVIDIA H100 NVL}, or nothing if it knows no MIG or is not known.
     *
     * @param memoryMib the memory of the device in MiB, which tells variants of one name apart; 0 if it is not known
     */
    public static Optional<MigGeometry> ofProduct(String product, long memoryMib) {
        Objects.requireNonNull(product, "product");
        String name = product.toUpperCase(Locale.ROOT).replace('-', ' ').replace('_', ' ');
        MigGeometry best = null;
        for (MigGeometry one : values()) {
            if (one.isOf(name) && (best == null || one.distance(name, memoryMib) < best.distance(name, memoryMib))) {
                best = one;
            }
        }
        return Optional.ofNullable(best);
    }

    private boolean isOf(String name) {
        return switch (this) {
            case A100_40GB, A100_80GB -> has(name, "A100") || has(name, "A800");
            case H100_PCIE_80GB -> (has(name, "H100") || has(name, "H800")) && has(name, "PCIE");
            case H100_NVL_94GB -> (has(name, "H100") || has(name, "H800")) && !has(name, "PCIE");
            case H100_80GB -> (has(name, "H100") || has(name, "H800")) && !has(name, "PCIE") && !has(name, "NVL");
            case H100_96GB -> has(name, "H100") && !has(name, "PCIE") || has(name, "GH200") || has(name, "H20");
            case H200_141GB -> has(name, "H200");
            case GH200_144GB -> has(name, "GH200");
            case B200_180GB -> has(name, "B200");
            case GB200_186GB -> has(name, "GB200");
            case B300_269GB -> has(name, "B300");
            case GB300_278GB -> has(name, "GB300");
            case A30_24GB -> has(name, "A30");
            case RTX_PRO_6000_96GB -> has(name, "RTX") && has(name, "PRO") && has(name, "6000");
        };
    }

    private static boolean has(String name, String word) {
        return List.of(name.split(" ")).contains(word);
    }

    /** How far a device is from this one, in memory: what its name says, or what it has. */
    private long distance(String name, long memoryMib) {
        if (has(name, memoryGb + "GB")) {
            return 0;
        }
        long nominal = (long) memoryGb * MIB_PER_GB;
        return memoryMib == 0 ? 1 + memoryGb : 1 + Math.abs(nominal - memoryMib);
    }
}
