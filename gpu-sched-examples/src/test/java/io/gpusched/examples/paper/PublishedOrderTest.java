package io.gpusched.examples.paper;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.examples.trace.SharedTraces;
import io.gpusched.examples.trace.Workload;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PublishedOrderTest {
    @ParameterizedTest
    @ValueSource(strings = {"default", "cpu100", "gpushare40", "gpuspec10", "multigpu20"})
    void order_isTheOneThatTheAuthorsProgramDrew(String trace) {
        Workload workload = SharedTraces.workload(trace);
        SharedTraces.orders(workload)
                .forEach((seed, recorded) ->
                        assertThat(PublishedOrder.of(workload, seed)).isEqualTo(recorded));
    }
}
