package io.gpusched.conformance.emulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Durations of T9k. */
class T9kRulesTest {
    @ParameterizedTest
    @ValueSource(strings = {"3w", "2h45m", "0", "", "1y1ms"})
    void durations_areReadInFallingUnits(String text) {
        assertThat(T9kDuration.isValid(text)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"45m2h", "1.5h", "h", "-1h", "1h 2m", "00h1"})
    void otherDurations_areNot(String text) {
        assertThat(T9kDuration.isValid(text)).isFalse();
    }
}
