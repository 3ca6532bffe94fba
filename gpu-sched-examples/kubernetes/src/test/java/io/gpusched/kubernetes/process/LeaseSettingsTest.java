package io.gpusched.kubernetes.process;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LeaseSettingsTest {
    private static LeaseSettings lasting(long durationMillis, long renewWithinMillis, long retryMillis) {
        return new LeaseSettings(
                "default",
                "gpu-sched",
                "one",
                Duration.ofMillis(durationMillis),
                Duration.ofMillis(renewWithinMillis),
                Duration.ofMillis(retryMillis));
    }

    /** A Lease tells whole seconds: of 1.5 s others would see one, and take it while its holder still counts on it. */
    @Test
    void aDurationThatALeaseCannotTell_isRefused() {
        assertThatThrownBy(() -> lasting(1_500, 1_000, 100))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("lease: duration must be whole seconds, as a Lease tells them to the others, got PT1.5S");
    }

    @Test
    void timesThatDoNotGrow_areRefused() {
        assertThatThrownBy(() -> lasting(2_000, 2_000, 100)).hasMessageContaining("PT0.1S, PT2S and PT2S");
        assertThatThrownBy(() -> lasting(2_000, 1_000, 1_000)).hasMessageContaining("PT1S, PT1S and PT2S");
    }
}
