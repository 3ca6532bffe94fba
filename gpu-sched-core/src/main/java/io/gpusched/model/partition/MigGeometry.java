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
 * The geometries of NVIDIA's MIG: where the instances of each model may lie and what they take. Placements are as
 * {@code nvidia-smi mig -lgipp} lists them; the slices of memory are the grid.
 *
 * <p>A profile's memory is as drivers have reported it, or in proportion to its part of the grid where that is not known; drivers
 * differ by a few hundred MiB. What is not known of a model's engines is not counted.
 */
public enum MigGeometry {
    /** A100 40GB (SXM4/PCIe), A800 40GB. */
    A100_40GB(
            "A100 40GB (SXM4/PCIe), A800 40GB",
            Certainty.FIRST_HAND,
            Slices.A100,
            "5 10 20 40",
            "4864 9856 19968 40192"),
    /** A100 80GB (SXM4/PCIe), A800 80GB. */
    A100_80GB(
            "A100 80GB (SXM4/PCIe), A800 80GB",
            Certainty.FIRST_HAND,
            Slices.A100,
            "10 20 40 80",
            "9856 19968 40192 80384"),
    /** H100 80GB SXM5, H800. */
    H100_80GB("H100 80GB SXM5, H800", Certainty.FIRST_HAND, Slices.H100, "10 20 40 80", "9984 20096 40448 81152"),
    /** H100 80GB PCIe, H800 PCIe. */
    H100_PCIE_80GB("H100 80GB PCIe, H800 PCIe", Certainty.FAMILY, Slices.H100_PCIE, "10 20 40 80"),
    /** H100 NVL 94GB, H100 94GB, H800 NVL. */
    H100_NVL_94GB("H100 NVL 94GB, H100 94GB, H800 NVL", Certainty.FIRST_HAND, Slices.H100, "12 24 47 94"),
    /** H100 96GB, GH200 96GB, PG506-96GB, H20 96GB. */
    H100_96GB("H100 96GB, GH200 96GB, PG506-96GB, H20 96GB", Certainty.INFERRED, Slices.H100, "12 24 48 96"),
    /** H200 141GB, H200 NVL. */
    H200_141GB("H200 141GB, H200 NVL", Certainty.INFERRED, Slices.H100, "18 35 71 141"),
    /** GH200 144GB HBM3e. */
    GH200_144GB("GH200 144GB HBM3e", Certainty.INFERRED, Slices.H100, "18 36 72 144"),
    /** B200 180GB. */
    B200_180GB("B200 180GB", Certainty.FIRST_HAND, Slices.B200, "23 45 90 180", "20992 45312 91136 182784"),
    /** GB200 186GB (HGX/NVL). */
    GB200_186GB("GB200 186GB (HGX/NVL)", Certainty.INFERRED, Slices.UNKNOWN, "23 47 93 186"),
    /** B300 269GB. */
    B300_269GB("B300 269GB", Certainty.INFERRED, Slices.UNKNOWN, "34 67 135 269"),
    /** GB300 278GB. */
    GB300_278GB("GB300 278GB", Certainty.INFERRED, Slices.UNKNOWN, "35 70 139 278"),
    /** A30 24GB. */
    A30_24GB("A30 24GB", 24, 4, 4, Certainty.FIRST_HAND, """
            1g.6gb 1 1 0,1,2,3 4 5949 14 1 1 0 0 0
            1g.6gb+me 1 1 0,1,2,3 1 5949 14 1 1 0 1 1
            2g.12gb 2 2 0,2 2 11970 28 2 2 0 0 0
            2g.12gb+me 2 2 0,2 1 11970 28 2 2 0 1 1
            4g.24gb 4 4 0 1 24064 56 4 4 0 1 1
            """),
    /** RTX PRO 6000 Blackwell (Server) 96GB. */
    RTX_PRO_6000_96GB("RTX PRO 6000 Blackwell (Server) 96GB", 96, 12, 4, Certainty.FIRST_HAND, """
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

    /** The rows of models with seven slices of compute and eight of memory, where GB and MiB of one, two, four and eight slices of memory are to be filled in. */
    private static final class Slices {
        static final int UNITS = 8;
        static final int COMPUTE = 7;

        static final String A100 = """
                1g.%1$sgb 1 1 0,1,2,3,4,5,6 7 %5$s 14 1 0 0 0 0
                1g.%1$sgb+me 1 1 0,1,2,3,4,5,6 1 %5$s 14 1 1 0 1 1
                1g.%2$sgb 1 2 0,2,4,6 4 %6$s 14 1 1 0 0 0
                2g.%2$sgb 2 2 0,2,4 3 %6$s 28 2 1 0 0 0
                3g.%3$sgb 3 4 0,4 2 %7$s 42 3 2 0 0 0
                4g.%3$sgb 4 4 0 1 %7$s 56 4 2 0 0 0
                7g.%4$sgb 7 8 0 1 %8$s 98 7 5 0 1 1
                """;
        static final String H100 = """
                1g.%1$sgb 1 1 0,1,2,3,4,5,6 7 %5$s 16 1 1 0 1 0
                1g.%1$sgb+me 1 1 0,1,2,3,4,5,6 1 %5$s 16 1 1 0 1 1
                1g.%2$sgb 1 2 0,2,4,6 4 %6$s 26 1 1 0 1 0
                2g.%2$sgb 2 2 0,2,4 3 %6$s 32 2 2 0 2 0
                3g.%3$sgb 3 4 0,4 2 %7$s 60 3 3 0 3 0
                4g.%3$sgb 4 4 0 1 %7$s 64 4 4 0 4 0
                7g.%4$sgb 7 8 0 1 %8$s 132 8 7 0 7 1
                """;
        static final String H100_PCIE = """
                1g.%1$sgb 1 1 0,1,2,3,4,5,6 7 %5$s 14 1 1 0 1 0
                1g.%1$sgb+me 1 1 0,1,2,3,4,5,6 1 %5$s 14 1 1 0 1 1
                1g.%2$sgb 1 2 0,2,4,6 4 %6$s 14 1 1 0 1 0
                2g.%2$sgb 2 2 0,2,4 3 %6$s 30 2 2 0 2 0
                3g.%3$sgb 3 4 0,4 2 %7$s 46 3 3 0 3 0
                4g.%3$sgb 4 4 0 1 %7$s 62 4 4 0 4 0
                7g.%4$sgb 7 8 0 1 %8$s 114 8 7 0 7 1
                """;
        static final String B200 = """
                1g.%1$sgb 1 1 0,1,2,3,4,5,6 7 %5$s 18 2 1 0 1 0
                1g.%1$sgb+me 1 1 0,1,2,3,4,5,6 1 %5$s 18 2 1 0 1 1
                1g.%2$sgb 1 2 0,2,4,6 4 %6$s 30 2 1 0 1 0
                2g.%2$sgb 2 2 0,2,4 3 %6$s 36 4 2 0 2 0
                3g.%3$sgb 3 4 0,4 2 %7$s 70 6 3 0 3 0
                4g.%3$sgb 4 4 0 1 %7$s 72 8 4 0 4 0
                7g.%4$sgb 7 8 0 1 %8$s 148 16 7 0 7 1
                """;
        static final String UNKNOWN = """
                1g.%1$sgb 1 1 0,1,2,3,4,5,6 7 %5$s ? ? ? 0 ? 0
                1g.%1$sgb+me 1 1 0,1,2,3,4,5,6 1 %5$s ? ? ? 0 ? 1
                1g.%2$sgb 1 2 0,2,4,6 4 %6$s ? ? ? 0 ? 0
                2g.%2$sgb 2 2 0,2,4 3 %6$s ? ? ? 0 ? 0
                3g.%3$sgb 3 4 0,4 2 %7$s ? ? ? 0 ? 0
                4g.%3$sgb 4 4 0 1 %7$s ? ? ? 0 ? 0
                7g.%4$sgb 7 8 0 1 %8$s ? ? ? 0 ? 1
                """;
    }

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
    private static final int FIRST_COUNTER = 6;

    private final String product;
    private final int memoryGb;
    private final Certainty certainty;

    @SuppressWarnings("ImmutableEnumChecker") // it is immutable
    private final PartitionGeometry geometry;

    /** A model of seven slices; the MiB of its partitions are not known. */
    MigGeometry(String product, Certainty certainty, String rows, String gb) {
        this(product, certainty, rows, gb, "? ? ? ?");
    }

    MigGeometry(String product, Certainty certainty, String rows, String gb, String mib) {
        this(
                product,
                Integer.parseInt(gb.split(" ", -1)[3]),
                Slices.UNITS,
                Slices.COMPUTE,
                certainty,
                String.format(rows, (Object[]) (gb + " " + mib).split(" ", -1)));
    }

    /**
     * @param rows a line for each profile, the whole device last: name, compute slices, units, starts, maximum, MiB, and each of the
     *     counters in the order of {@link #counterName}
     */
    MigGeometry(String product, int memoryGb, int gridUnits, int computeSlices, Certainty certainty, String rows) {
        this.product = product;
        this.memoryGb = memoryGb;
        this.certainty = certainty;
        List<String[]> all = rows.lines().map(row -> row.split(" ")).toList();
        List<PartitionProfile> profiles = all.stream()
                .map(row -> profile(row, (long) memoryGb * MIB_PER_GB, gridUnits, computeSlices))
                .toList();
        NamedAmounts totals = counters(all.get(all.size() - 1));
        this.geometry = PartitionGeometry.of("MIG " + name().replace('_', ' '), gridUnits, totals, profiles);
    }

    private static PartitionProfile profile(String[] row, long memoryMib, int gridUnits, int computeSlices) {
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
                .withCounters(counters(row));
    }

    /** The counters that are known; of the whole device the same are. */
    private static NamedAmounts counters(String[] row) {
        Map<String, Long> amounts = new HashMap<>();
        for (int i = FIRST_COUNTER; i < row.length; i++) {
            if (!row[i].equals(UNKNOWN)) {
                amounts.put(counterName(i - FIRST_COUNTER), Long.parseLong(row[i]));
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
