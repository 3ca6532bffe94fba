package io.gpusched.simulator.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;

class GeneratedWorkloadTest {
    private final Workload workload = GeneratedWorkload.of(1);

    @Test
    void cluster_isThatOfTheTrace() {
        assertThat(workload.nodes()).hasSize(1_213);
        assertThat(workload.gpuMillis()).isEqualTo(6_212_000);
        assertThat(workload.nodes().stream()
                        .mapToLong(node -> node.capacity().cpuMillis())
                        .sum())
                .isEqualTo(107_018_000);
        assertThat(workload.nodes().stream()
                        .mapToLong(node -> node.capacity().memoryMib())
                        .sum())
                .isEqualTo(503_828_480);
    }

    @Test
    void demand_isInTheProportionsOfTheTrace() {
        assertThat(workload.pods()).hasSize(GeneratedWorkload.PODS);
        assertThat(percent(TracePod::totalGpuMillis, 6_212_000)).isCloseTo(98, within(5.0));
        assertThat(percent(TracePod::cpuMillis, 107_018_000)).isCloseTo(80, within(5.0));
        assertThat(percent(TracePod::memoryMib, 503_828_480)).isCloseTo(60, within(8.0));
        assertThat(share(pod -> pod.gpus() == 0 ? 1 : 0)).isCloseTo(13.3, within(1.5));
        assertThat(share(pod -> pod.gpus() == 1 && pod.gpuMillis() < 1_000 ? 1 : 0))
                .isCloseTo(37.8, within(2.0));
    }

    private double percent(ToLongFunction<TracePod> amount, long capacity) {
        return 100.0 * workload.pods().stream().mapToLong(amount).sum() / capacity;
    }

    private double share(ToLongFunction<TracePod> counted) {
        return percent(counted, workload.pods().size());
    }

    @Test
    void equalSeeds_giveEqualWorkloads() {
        assertThat(GeneratedWorkload.of(5, 0.05, 1)).isEqualTo(GeneratedWorkload.of(5, 0.05, 1));
        assertThat(GeneratedWorkload.of(5, 0.05, 1)).isNotEqualTo(GeneratedWorkload.of(6, 0.05, 1));
    }

    @Test
    void arrivals_comeInOrder() {
        assertThat(workload.pods())
                .extracting(pod -> pod.lifetime().orElseThrow().arrivalSeconds())
                .isSorted();
    }

    @Test
    void scale_outOfRangeIsRefused() {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> GeneratedWorkload.of(1, 0, 1))
                .withMessageContaining("scale must be in 0.001..1");
    }
}
