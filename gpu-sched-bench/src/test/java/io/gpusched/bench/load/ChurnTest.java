package io.gpusched.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gpusched.model.Cluster;
import io.gpusched.model.ClusterTotals;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChurnTest {
    @ParameterizedTest
    @ValueSource(strings = {"exclusive1", "percent30", "wholeNode", "mixedTrace"})
    void step_manyTimes_keepsTheClusterAsFullAsItWas(String mix) {
        Churn churn = churn(mix, 0.9);
        ClusterTotals before = churn.cluster().totals();

        ClusterTotals after = churn.steps(2_000).cluster().totals();

        double nodes = before.capacity().cpuMillis();
        assertThat(after.used().cpuMillis() / nodes).isCloseTo(before.used().cpuMillis() / nodes, within(0.02));
        churn.cluster().validate();
    }

    @Test
    void of_fullMix_runsOutOfCpuOrMemoryBeforeGpus() {
        ClusterTotals totals = churn("mixedTrace", 1).cluster().totals();

        double cpu = (double) totals.used().cpuMillis() / totals.capacity().cpuMillis();
        double gpu = (double) totals.usedGpuComputeMillis() / totals.gpuComputeMillis();
        assertThat(cpu).isGreaterThan(0.9).isGreaterThan(gpu);
    }

    @Test
    void steps_twice_isDeterministic() {
        Cluster one = churn("mixedTrace", 0.9).steps(500).cluster();
        Cluster two = churn("mixedTrace", 0.9).steps(500).cluster();

        assertThat(one).isEqualTo(two);
    }

    private static Churn churn(String mix, double fill) {
        return Churn.of(Mix.named(mix), Policies.scheduler("binPack"), Clusters.uniform(64), fill);
    }
}
