package io.gpusched.kubernetes.decide;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds in every {@link QueuedHistory}. */
class QueuedHistoryTest {
    private static final int EACH = 10;

    @ParameterizedTest
    @ValueSource(longs = {0, 10, 20, 30})
    void whateverChangesBetweenAPlanAndItsWrites_noLawIsBroken_noGangStartsInPart_andThePlansComeToAnEnd(long first) {
        for (long seed = first; seed < first + EACH; seed++) {
            QueuedHistory history = new QueuedHistory(seed);
            for (int i = 0; i < 150 && history.faults.isEmpty(); i++) {
                history.step();
            }
            history.settle();
            assertThat(history.faults)
                    .as("history %d: %s", seed, String.join("; ", history.log))
                    .isEmpty();
        }
    }
}
