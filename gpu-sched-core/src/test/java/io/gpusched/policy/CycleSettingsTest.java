package io.gpusched.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.policy.CycleSettings.Backfill;
import io.gpusched.policy.CycleSettings.JobOrder;
import io.gpusched.policy.CycleSettings.QueueOrder;
import io.gpusched.policy.CycleSettings.VictimOrder;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CycleSettingsTest {
    private static final CycleSettings STANDARD = CycleSettings.standard();

    @Test
    void each_with_changesItsOwnSettingAlone() {
        CycleSettings all = STANDARD.withPasses(Set.of())
                .withQueueOrder(QueueOrder.DOMINANT_SHARE)
                .withJobOrder(JobOrder.SHORTEST)
                .withVictimOrder(VictimOrder.ONE_BY_ONE)
                .withUsagePermille(7)
                .withStaleGrace(8)
                .withVictimProbes(9)
                .withBackfill(Backfill.EASY)
                .withForecasts(10);
        assertThat(all)
                .isEqualTo(new CycleSettings(
                        Set.of(),
                        QueueOrder.DOMINANT_SHARE,
                        JobOrder.SHORTEST,
                        VictimOrder.ONE_BY_ONE,
                        7,
                        8,
                        9,
                        Backfill.EASY,
                        10));
    }

    @Test
    void kai_differsFromTheStandardInWhomAnEvictionHitsFirst() {
        assertThat(CycleSettings.kai())
                .isNotEqualTo(STANDARD)
                .isEqualTo(STANDARD.withVictimOrder(VictimOrder.ONE_BY_ONE));
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
