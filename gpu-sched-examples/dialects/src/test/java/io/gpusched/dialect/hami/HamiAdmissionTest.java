package io.gpusched.dialect.hami;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class HamiAdmissionTest {
    private static final String GPU = "nvidia.com/gpu";
    private static final String MEMORY = "nvidia.com/gpumem";
    private static final String PERCENT = "nvidia.com/gpumem-percentage";
    private static final String CORES = "nvidia.com/gpucores";
    private static final HamiAdmission WEBHOOK = HamiAdmission.of(HamiSettings.DEFAULT.withLenient(true));

    @Test
    void onlyMemory_addsOneGpu_andStaysShareable() {
        assertThat(WEBHOOK.complete(Map.of(MEMORY, "3000"), Map.of())).isEqualTo(Map.of(MEMORY, "3000", GPU, "1"));
    }

    @Test
    void wholeMemory_isExclusive_unlessComputeIsNamed() {
        assertThat(WEBHOOK.complete(Map.of(GPU, "1"), Map.of())).containsEntry(CORES, "100");
        assertThat(WEBHOOK.complete(Map.of(GPU, "1", PERCENT, "100"), Map.of())).containsEntry(CORES, "100");
        assertThat(WEBHOOK.complete(Map.of(GPU, "1", PERCENT, "99"), Map.of())).doesNotContainKey(CORES);
        assertThat(WEBHOOK.complete(Map.of(GPU, "1", CORES, "30"), Map.of())).containsEntry(CORES, "30");
        assertThat(WEBHOOK.complete(Map.of(GPU, "1"), Map.of(MEMORY, "1"))).doesNotContainKey(CORES);
    }

    @Test
    void aContainerWithoutGpu_staysAsItIs() {
        assertThat(WEBHOOK.complete(Map.of("cpu", "1"), Map.of())).isEqualTo(Map.of("cpu", "1"));
    }

    @Test
    void percentagesOutOfRange_areRefused_evenWhenLenient() {
        assertThat(WEBHOOK.refusal(Map.of(PERCENT, "101"), Map.of()))
                .hasValueSatisfying(why -> assertThat(why).contains(PERCENT, "0..100", "101"));
        assertThat(WEBHOOK.refusal(Map.of(), Map.of(PERCENT, "-1"))).isPresent();
        assertThat(WEBHOOK.refusal(Map.of(PERCENT, "100"), Map.of())).isEmpty();
    }

    @Test
    void partsOfAPercent_countAsTheNextWholeOne() {
        assertThat(WEBHOOK.refusal(Map.of(PERCENT, "99500m"), Map.of())).isEmpty();
        assertThat(WEBHOOK.refusal(Map.of(PERCENT, "100.5"), Map.of())).isPresent();
        assertThat(WEBHOOK.refusal(Map.of(PERCENT, "-0.5"), Map.of())).isPresent();
        assertThat(WEBHOOK.complete(Map.of(GPU, "1", PERCENT, "99500m"), Map.of()))
                .containsEntry(CORES, "100");
    }

    @Test
    void podsPutOnANodeByHand_andPrivilegedOnes_areRefused() {
        assertThat(HamiAdmission.podRefusal("n1", false)).isPresent();
        assertThat(HamiAdmission.podRefusal("", true)).isPresent();
        assertThat(HamiAdmission.podRefusal("", false)).isEmpty();
    }
}
