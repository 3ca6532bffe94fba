package io.gpusched.bench.load;

import java.util.List;

/**
 * The 35 typical pods of the openb trace.
 *
 * <p>Source: Alibaba's {@code openb_pod_list_default.csv} (8,152 pods; Weng et al., "Beware of Fragmentation", USENIX ATC
 * 2023), reduced as that paper does: the most frequent combinations of CPU, GPU count and GPU milli that make up 95
 * percent of all pods (7,766 pods). The paper leaves memory out; here it is the lower median of the pods of each
 * combination. On nodes of 96 cores, 384 GiB and 8 GPUs, CPU and memory run out before the GPUs do.
 */
public final class TypicalShapes {
    /** The shapes, the most frequent first; the weight is the number of pods in the trace. */
    public static final List<Shape> OPENB = List.of(
            Shape.openb(3_152, 5_600, 1, 810, 1047),
            Shape.openb(11_300, 49_152, 1, 1000, 874),
            Shape.openb(11_400, 48_128, 1, 1000, 599),
            Shape.openb(3_152, 5_600, 1, 1000, 470),
            Shape.openb(11_908, 47_104, 1, 470, 388),
            Shape.openb(12_500, 57_344, 0, 0, 366),
            Shape.openb(8_000, 30_517, 1, 470, 360),
            Shape.openb(12_000, 24_576, 1, 1000, 326),
            Shape.openb(32_000, 49_152, 0, 0, 290),
            Shape.openb(18_708, 64_512, 1, 1000, 255),
            Shape.openb(11_908, 47_104, 1, 650, 237),
            Shape.openb(4_000, 22_888, 1, 320, 232),
            Shape.openb(9_810, 41_560, 1, 1000, 195),
            Shape.openb(8_000, 30_517, 0, 0, 185),
            Shape.openb(8_000, 16_384, 1, 1000, 164),
            Shape.openb(4_000, 24_576, 1, 1000, 159),
            Shape.openb(15_700, 58_368, 1, 1000, 158),
            Shape.openb(11_908, 47_104, 1, 1000, 153),
            Shape.openb(16_000, 32_768, 1, 1000, 150),
            Shape.openb(4_000, 30_517, 1, 230, 122),
            Shape.openb(15_400, 51_200, 0, 0, 120),
            Shape.openb(6_000, 8_192, 1, 460, 120),
            Shape.openb(16_500, 51_200, 0, 0, 95),
            Shape.openb(14_200, 58_368, 1, 1000, 93),
            Shape.openb(24_200, 93_184, 1, 1000, 84),
            Shape.openb(3_152, 5_600, 1, 590, 75),
            Shape.openb(8_000, 30_517, 1, 320, 72),
            Shape.openb(4_152, 10_600, 1, 550, 72),
            Shape.openb(11_900, 77_824, 1, 1000, 55),
            Shape.openb(4_000, 15_258, 1, 160, 54),
            Shape.openb(4_152, 10_600, 1, 370, 45),
            Shape.openb(4_000, 15_258, 1, 220, 43),
            Shape.openb(8_200, 33_792, 1, 1000, 41),
            Shape.openb(15_200, 80_896, 1, 1000, 36),
            Shape.openb(4_152, 10_600, 1, 810, 31));

    private TypicalShapes() {}
}
