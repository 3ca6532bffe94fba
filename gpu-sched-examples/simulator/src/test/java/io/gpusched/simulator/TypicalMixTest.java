package io.gpusched.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.model.Resources;
import io.gpusched.simulator.trace.SharedTraces;
import io.gpusched.simulator.trace.SmallTraces;
import io.gpusched.simulator.trace.TracePod;
import io.gpusched.simulator.trace.TraceTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class TypicalMixTest {
    @Test
    void mix_isTheShortestPrefixThatCovers95Percent() {
        List<TracePod> pods = new ArrayList<>();
        add(pods, 90, 1_000);
        add(pods, 5, 2_000);
        add(pods, 3, 3_000);
        add(pods, 2, 4_000);
        TypicalMix mix = TypicalMix.of(pods);
        assertThat(mix.counts()).containsExactly(90, 5);
        assertThat(mix.covered()).isEqualTo(95);
        assertThat(mix.pods()).isEqualTo(100);
    }

    @Test
    void mix_ofEqualCountsHasTheLargerShapeFirst() {
        List<TracePod> pods = new ArrayList<>();
        add(pods, 1, 1_000);
        add(pods, 1, 2_000);
        assertThat(TypicalMix.of(pods).shapes())
                .extracting(TypicalShape::cpuMillis)
                .containsExactly(2_000L, 1_000L);
    }

    private static void add(List<TracePod> pods, int count, long cpuMillis) {
        for (int i = 0; i < count; i++) {
            pods.add(TracePod.of("p" + pods.size(), Resources.of(cpuMillis, i), 1, 500, ""));
        }
    }

    @Test
    void mix_ofTheDefaultTraceIsTheOneTheAuthorsLogged() {
        assertThat(lines(TypicalMix.of(SharedTraces.workload("default").pods())))
                .containsExactlyElementsOf(logged());
    }

    @Test
    void mix_ofAsManyPodsOfEachShapeIsTheOneTheAuthorsLogged() {
        List<TracePod> pods = new ArrayList<>();
        TraceTable.read(SmallTraces.openb().resolve("default_shapes.csv"), List.of("cpu_milli", "pods"), row -> {
            for (int i = 0; i < row.count("pods", 1, 10_000); i++) {
                pods.add(TracePod.of(
                        "p" + pods.size(),
                        Resources.of(row.number("cpu_milli", 0, 1_000_000), i),
                        row.count("num_gpu", 0, 8),
                        row.count("gpu_milli", 0, 1_000),
                        ""));
            }
            return row;
        });
        assertThat(pods).hasSize(8_152);
        assertThat(lines(TypicalMix.of(pods))).containsExactlyElementsOf(logged());
    }

    private static List<String> logged() {
        return SmallTraces.lines("typical_default.txt").stream()
                .filter(line -> !line.isBlank())
                .map(line -> line.substring(0, line.lastIndexOf('(')))
                .toList();
    }

    private static List<String> lines(TypicalMix mix) {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < mix.shapes().size(); i++) {
            TypicalShape shape = mix.shapes().get(i);
            lines.add(String.format(
                    Locale.ROOT,
                    "[%d] <CPU: %6.2f, GPU: %d x {%-4d}m ()>: %d ",
                    i,
                    shape.cpuMillis() / 1_000.0,
                    shape.gpus(),
                    shape.gpuMillis(),
                    mix.counts().get(i)));
        }
        return lines;
    }
}
