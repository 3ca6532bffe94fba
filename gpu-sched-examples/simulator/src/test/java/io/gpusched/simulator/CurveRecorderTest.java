package io.gpusched.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CurveRecorderTest {
    private final CurveRecorder recorder = new CurveRecorder(100_000);

    @Test
    void point_isTheMeanOverTheEventsOfItsPercent() {
        recorder.record(true, 0, 0, 10_000);
        recorder.record(true, 400, 400, 20_000);
        assertThat(recorder.curve()).containsExactly(new CurvePoint(0, 0.2, 15, 15.04, 2, 0));
    }

    @Test
    void percent_isRoundedHalfToEven() {
        recorder.record(true, 500, 500, 0);
        recorder.record(true, 1_500, 1_500, 0);
        assertThat(recorder.curve()).extracting(CurvePoint::arrivedPercent).containsExactly(0, 1, 2);
    }

    @Test
    void point_withoutEventsTakesTheMeanOfItsNeighbours() {
        recorder.record(true, 0, 0, 0);
        recorder.record(false, 2_000, 1_000, 0);
        assertThat(recorder.curve().get(1)).isEqualTo(new CurvePoint(1, 0.5, 0, 0, 1, 1));
    }

    @Test
    void point_withoutEventsNearbyKeepsTheOneBefore() {
        recorder.record(true, 0, 1_000, 0);
        recorder.record(true, 5_000, 5_000, 0);
        assertThat(recorder.curve().get(2).allocatedPercent()).isEqualTo(1);
        assertThat(recorder.curve().get(5).allocatedPercent()).isEqualTo(5);
    }

    @Test
    void refusedPods_countAsArrived() {
        recorder.record(false, 3_000, 0, 0);
        assertThat(recorder.curve().get(3)).isEqualTo(new CurvePoint(3, 0, 0, 0, 0, 1));
    }
}
