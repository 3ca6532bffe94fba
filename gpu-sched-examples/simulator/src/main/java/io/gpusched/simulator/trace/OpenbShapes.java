package io.gpusched.simulator.trace;

import java.util.List;

/**
 * The proportions of the openb trace: which machines its cluster has, and what its pods ask how often. Counts are those
 * of the node list and of the default pod list; the rarest requests are left out.
 */
final class OpenbShapes {
    /** A kind of machine and how many there are. */
    record Machine(String model, int gpus, int cores, long memoryMib, int count) {
        long cpuMillis() {
            return cores * 1_000L;
        }
    }

    /** What a pod may ask, and how many pods of the trace ask for it. */
    record Ask(int gpus, int gpuMillis, long cpuMillis, int weight) {}

    static final List<Machine> MACHINES = List.of(
            new Machine("G2", 8, 96, 393_216, 549),
            new Machine("T4", 2, 104, 524_288, 387),
            new Machine("T4", 4, 96, 393_216, 17),
            new Machine("G3", 8, 128, 786_432, 39),
            new Machine("P100", 1, 8, 61_440, 3),
            new Machine("P100", 2, 8, 61_440, 2),
            new Machine("P100", 2, 16, 122_880, 107),
            new Machine("P100", 2, 64, 262_144, 22),
            new Machine("V100M32", 8, 96, 786_432, 21),
            new Machine("V100M32", 4, 48, 376_832, 9),
            new Machine("V100M16", 1, 8, 32_768, 19),
            new Machine("V100M16", 4, 32, 131_072, 28),
            new Machine("V100M16", 8, 64, 262_144, 7),
            new Machine("V100M16", 8, 82, 344_064, 1),
            new Machine("A10", 1, 128, 1_048_576, 2));

    static final List<Ask> ASKS = List.of(
            new Ask(0, 0, 12_500, 366),
            new Ask(0, 0, 32_000, 290),
            new Ask(0, 0, 8_000, 185),
            new Ask(0, 0, 15_400, 120),
            new Ask(0, 0, 16_500, 95),
            new Ask(0, 0, 16_000, 32),
            new Ask(1, 810, 3_152, 1_047),
            new Ask(1, 470, 11_908, 388),
            new Ask(1, 470, 8_000, 360),
            new Ask(1, 650, 11_908, 237),
            new Ask(1, 320, 4_000, 232),
            new Ask(1, 230, 4_000, 122),
            new Ask(1, 460, 6_000, 120),
            new Ask(1, 590, 3_152, 75),
            new Ask(1, 320, 8_000, 72),
            new Ask(1, 550, 4_152, 72),
            new Ask(1, 160, 4_000, 54),
            new Ask(1, 370, 4_152, 45),
            new Ask(1, 220, 4_000, 43),
            new Ask(1, 810, 4_152, 211),
            new Ask(1, 1_000, 11_300, 874),
            new Ask(1, 1_000, 11_400, 599),
            new Ask(1, 1_000, 3_152, 470),
            new Ask(1, 1_000, 12_000, 326),
            new Ask(1, 1_000, 18_708, 255),
            new Ask(1, 1_000, 9_810, 195),
            new Ask(1, 1_000, 8_000, 164),
            new Ask(1, 1_000, 4_000, 159),
            new Ask(1, 1_000, 15_700, 158),
            new Ask(1, 1_000, 11_908, 153),
            new Ask(1, 1_000, 16_000, 150),
            new Ask(1, 1_000, 14_200, 93),
            new Ask(1, 1_000, 24_200, 84),
            new Ask(1, 1_000, 11_900, 231),
            new Ask(2, 1_000, 16_200, 16),
            new Ask(4, 1_000, 32_200, 15),
            new Ask(8, 1_000, 88_000, 18),
            new Ask(8, 1_000, 64_200, 21),
            new Ask(8, 1_000, 120_000, 5));

    private OpenbShapes() {}
}
