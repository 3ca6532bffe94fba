package io.gpusched.conformance.emulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Durations of T9k. */
class T9kRulesTest {
    @ParameterizedTest
    @CsvSource({"3w, 1814400000", "2h45m, 9900000", "0, 0", "'', 0", "1y1ms, 31536000001"})
    void durations_areReadInFallingUnits(String text, long millis) {
        assertThat(T9kDuration.isValid(text)).isTrue();
        assertThat(T9kDuration.parseMillis(text)).isEqualTo(millis);
    }

    @ParameterizedTest
    @CsvSource({"45m2h", "1.5h", "h", "-1h", "1h 2m", "00h1"})
    void otherDurations_areNot(String text) {
        assertThat(T9kDuration.isValid(text)).isFalse();
        assertThatThrownBy(() -> T9kDuration.parseMillis(text)).isInstanceOf(IllegalArgumentException.class);
    }
}
