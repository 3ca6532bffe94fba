package io.gpusched.simulator.paper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.gpusched.model.Resources;
import io.gpusched.simulator.trace.ArrivalOrder;
import io.gpusched.simulator.trace.SharedTraces;
import io.gpusched.simulator.trace.SmallTraces;
import io.gpusched.simulator.trace.TracePod;
import io.gpusched.simulator.trace.Workload;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PublishedOrderTest {
    private final Workload small = SmallTraces.workload();

    private static long asked(Workload workload, List<Integer> rows) {
        return rows.stream()
                .mapToLong(row -> workload.pods().get(row).totalGpuMillis())
                .sum();
    }

    @ParameterizedTest
    @ValueSource(strings = {"default", "cpu100", "gpushare40", "gpuspec10", "multigpu20"})
    void order_isTheOneThatTheAuthorsProgramDrew(String trace) {
        Workload workload = SharedTraces.workload(trace);
        SharedTraces.orders(workload)
                .forEach((seed, recorded) ->
                        assertThat(PublishedOrder.of(workload, seed)).isEqualTo(recorded));
    }

    @Test
    void order_ofAsManyPodsAsTheDefaultTraceBeginsAsTheirs() {
        List<TracePod> pods = IntStream.range(0, 8_152)
                .mapToObj(i -> TracePod.of(String.format("openb-pod-%04d", i), Resources.of(1, 1), 1, 1, ""))
                .toList();
        Workload alike = new Workload("alike", small.nodes(), pods);
        assertThat(PublishedOrder.of(alike, 42).rows())
                .startsWith(255, 1_685, 6_784, 4_463, 602, 1_564, 3_882, 7_257, 6_545, 1_541, 1_599, 3_697);
        assertThat(PublishedOrder.of(alike, 43).rows()).startsWith(2_283, 7_248, 5_897, 4_175, 5_883, 20);
    }

    @Test
    void order_beginsWithEachPodOnceAndEndsWithDrawnOnes() {
        ArrivalOrder order = PublishedOrder.of(small, 42);
        int pods = small.pods().size();
        assertThat(new HashSet<>(order.rows().subList(0, pods))).hasSize(pods);
        assertThat(order.rows()).hasSizeGreaterThan(pods);
        assertThat(asked(small, order.rows())).isBetween(small.gpuMillis() * 129 / 100, small.gpuMillis() * 135 / 100);
        assertThat(order.nodeRanks())
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, small.nodes().size()).boxed().toList());
    }

    @Test
    void order_ofTooMuchDemandDropsPods() {
        List<TracePod> twice = new ArrayList<>(small.pods());
        small.pods().forEach(pod -> twice.add(pod.withName(pod.name() + "-again")));
        Workload crowded = new Workload("crowded", small.nodes(), twice);
        ArrivalOrder order = PublishedOrder.of(crowded, 42);
        assertThat(order.rows()).doesNotHaveDuplicates().hasSizeLessThan(twice.size());
        assertThat(asked(crowded, order.rows()))
                .isBetween(small.gpuMillis() * 125 / 100, small.gpuMillis() * 130 / 100);
    }

    @Test
    void order_dependsOnTheSeedAlone() {
        assertThat(PublishedOrder.of(small, 5)).isEqualTo(PublishedOrder.of(small, 5));
        assertThat(PublishedOrder.of(small, 5).rows())
                .isNotEqualTo(PublishedOrder.of(small, 6).rows());
    }

    @Test
    void order_ofPodsWithoutGpusIsRefused() {
        Workload idle =
                new Workload("idle", small.nodes(), List.of(TracePod.of("p", Resources.of(1_000, 1), 0, 0, "")));
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> PublishedOrder.of(idle, 42))
                .withMessage("workload \"idle\": at least one pod with a GPU expected, got none");
    }
}
