package io.gpusched.kubernetes.write;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatusWriterTest {
    @ParameterizedTest
    @CsvSource({"1, 10000", "200, 10000", "201, 10050", "10000, 500000", "200000, 10000000"})
    void wordsOfManyPodsThatWait_changeTwentyTimesASecondAtMost_andOfFewAfterTheInterval(int pods, long millis) {
        assertThat(StatusWriter.pauseMillis(10_000, pods)).isEqualTo(millis);
        assertThat(pods * 1_000L / millis).isLessThanOrEqualTo(20);
    }
}
