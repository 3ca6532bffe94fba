package io.gpusched.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import org.junit.jupiter.api.Test;

class CycleSettingsTest {
    private static final CycleSettings STANDARD = CycleSettings.standard();

    @Test
    void each_with_changesItsOwnSettingAlone() {
        CycleSettings all = STANDARD.withPasses(Set.of())
                .withQueueOrder(CycleSettings.QueueOrder.DOMINANT_SHARE)
                .withJobOrder(CycleSettings.JobOrder.SHORTEST)
                .withUsagePermille(7)
                .withStaleGrace(8)
                .withVictimProbes(9)
                .withReservations(1)
                .withPassing(false)
                .withForecasts(10);
        assertThat(all)
                .isEqualTo(new CycleSettings(
                        Set.of(),
                        CycleSettings.QueueOrder.DOMINANT_SHARE,
                        CycleSettings.JobOrder.SHORTEST,
                        7,
                        8,
                        9,
                        false,
                        1,
                        false,
                        10));
    }

    @Test
    void kai_differsFromTheStandardInWhichVictimsLeaveFirst() {
        assertThat(STANDARD.kaiVictims()).isFalse();
        assertThat(CycleSettings.kai().kaiVictims()).isTrue();
        assertThat(CycleSettings.kai().withStaleGrace(STANDARD.staleGrace()).victimProbes())
                .isEqualTo(STANDARD.victimProbes());
    }

    @Test
    void withoutReservations_jobsMayPass() {
        assertThatThrownBy(() -> STANDARD.withPassing(false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("reservations must be at least 1");
        assertThat(STANDARD.withReservations(1)
                        .withPassing(false)
                        .withReservations(0)
                        .passing())
                .isTrue();
    }

    @Test
    void numbersOutOfRange_areRefused() {
        assertThatThrownBy(() -> STANDARD.withUsagePermille(CycleSettings.MAX_USAGE_PERMILLE + 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("usagePermille");
        assertThatThrownBy(() -> STANDARD.withStaleGrace(-1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("staleGrace");
    }
}
