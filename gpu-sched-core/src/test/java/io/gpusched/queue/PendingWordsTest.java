package io.gpusched.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Certainty;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PendingWordsTest {
    private static final QueueResource GPU = QueueResource.GPU;
    private static final Certainty PROVEN = Certainty.PROVEN;

    @Test
    void everyReason_isASentence_withoutTheNamesOfRecordsAndOfTheirComponents() {
        PendingReason behind = new PendingReason.Behind("first");
        List<PendingReason> reasons = List.of(
                new PendingReason.OverLimit("q", GPU, 8_000, 2_500, 9_000, PROVEN),
                new PendingReason.OverDeserved("q", QueueResource.MEMORY, 8, 2, 9, PROVEN),
                new PendingReason.OverFairShare("q", QueueResource.gpuModel("A100"), 8_000, 2_000, 9_000, PROVEN),
                new PendingReason.TooLittle(QueueResource.CPU, 8_000, 2_000, 500, PROVEN),
                new PendingReason.Unfair("q", 3),
                new PendingReason.Delayed(60, PROVEN),
                new PendingReason.NoMove("other", PROVEN),
                new PendingReason.NoVictims(CyclePass.RECLAIM, PROVEN),
                new PendingReason.Nominated(List.of("n1", "n2")),
                new PendingReason.Reserved(60, StartCertainty.BOUND, Optional.of("other")),
                new PendingReason.Expected(60, Optional.empty(), behind),
                behind,
                new PendingReason.Ending(2),
                new PendingReason.NotAsked(),
                new PendingReason.Forbidden(PendingReason.Rule.LOCALITY, "job \"j\""),
                new PendingReason.Undecidable("two members have one name"));
        assertThat(reasons)
                .hasSize(PendingReason.class.getPermittedSubclasses().length - 1); // and NoRoom: its diagnosis
        for (PendingReason reason : reasons) {
            assertThat(reason.words()).hasSizeGreaterThan(12).doesNotContain("[", "=", "certainty", "PROVEN");
            Arrays.stream(PendingReason.class.getPermittedSubclasses())
                    .map(Class::getSimpleName)
                    .filter(kind -> !kind.equals("Behind") && kind.matches("[A-Z]\\w+[A-Z]\\w+"))
                    .forEach(kind -> assertThat(reason.words()).doesNotContain(kind));
        }
        assertThat(reasons.get(0).words())
                .isEqualTo("queue \"q\" would exceed its limit of 9 GPUs: uses 8 GPUs, asked 2.5 GPUs");
        assertThat(behind.words()).isEqualTo("it would delay job first, which comes before it");
        assertThat(reasons.get(10).words()).isEqualTo(behind.words());
        assertThat(reasons.get(14).words())
                .isEqualTo("the place that was found is not as close together as the group demands: job \"j\"");
    }
}
