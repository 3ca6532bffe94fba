package io.gpusched.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class EstimateTest {
    @Test
    void estimate_usesStudentsDistribution() {
        Estimate estimate = Estimate.of(List.of(1.0, 2.0, 3.0, 4.0, 5.0));
        assertThat(estimate.mean()).isEqualTo(3);
        assertThat(estimate.deviation()).isCloseTo(Math.sqrt(2.5), within(1e-12));
        // t(0.975, 4) = 2.776445
        assertThat(estimate.halfWidth()).isCloseTo(2.776445 * Math.sqrt(2.5 / 5), within(1e-5));
        assertThat(estimate.runs()).isEqualTo(5);
    }

    @Test
    void estimate_ofOneRunHasNoInterval() {
        Estimate estimate = Estimate.of(List.of(7.0));
        assertThat(estimate.mean()).isEqualTo(7);
        assertThat(estimate.deviation()).isNaN();
        assertThat(estimate.halfWidth()).isNaN();
    }

    @Test
    void estimate_ofNothingIsRefused() {
        assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> Estimate.of(List.of()));
    }

    @Test
    void intervalOfAPercentage_staysWithin0To100() {
        Estimate high = Estimate.of(List.of(99.0, 100.0));
        assertThat(high.mean() + high.halfWidth()).isGreaterThan(100);
        assertThat(high.highPercent()).isEqualTo(100);
        assertThat(high.lowPercent()).isEqualTo(high.mean() - high.halfWidth());
        Estimate low = Estimate.of(List.of(0.0, 1.0));
        assertThat(low.lowPercent()).isZero();
        assertThat(low.highPercent()).isEqualTo(low.mean() + low.halfWidth());
        assertThat(Estimate.of(List.of(0.0, 100.0)).lowPercent()).isZero();
    }
}
