package io.gpusched.simulator.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SteadyStateTest {
    private static List<Sample> samples(int count, IntToDoubleFunction used, IntToDoubleFunction waiting) {
        return IntStream.range(0, count)
                .mapToObj(at -> new Sample(at + 1, used.applyAsDouble(at), 0, 100, waiting.applyAsDouble(at)))
                .toList();
    }

    @Test
    void evenUse_isSteadyHoweverItBegan() {
        assertThat(SteadyState.objection(samples(40, at -> at < 20 ? at : 80 + at % 3, at -> at < 20 ? 500 : at % 2)))
                .isEmpty();
    }

    @Test
    void growingQueue_isNotSteady() {
        assertThat(SteadyState.objection(samples(40, at -> 99, at -> 10 * at)))
                .hasValue("jobs that wait went from 245.0 in the third quarter of the arrivals to 345.0 in the last");
    }

    @Test
    void shrinkingQueue_isNotSteady() {
        assertThat(SteadyState.objection(samples(40, at -> 99, at -> 1_000 - 20 * at)))
                .isPresent();
    }

    @Test
    void queueThatIsSmallBesideWhatRuns_mayDouble() {
        assertThat(SteadyState.objection(samples(40, at -> 90, at -> at < 30 ? 2 : 4)))
                .isEmpty();
    }

    @Test
    void risingUse_isNotSteady() {
        assertThat(SteadyState.objection(samples(40, at -> at, at -> 0)))
                .hasValue("percent in use went from 24.5 in the third quarter of the arrivals to 34.5 in the last");
    }

    @Test
    void fewSlices_areNotSteady() {
        assertThat(SteadyState.objection(samples(7, at -> 90, at -> 0)))
                .hasValue("jobs arrived within too short a time");
    }

    @Test
    void aQueueThatGoesUpAndDownByItself_isSteady() {
        assertThat(SteadyState.objection(samples(200, at -> 90, at -> at % 40 < 14 + at / 50 ? 200 : 20)))
                .isEmpty();
    }
}
