package io.gpusched.conformance.emulation;

import static io.gpusched.conformance.emulation.Vgpus.ask;
import static io.gpusched.conformance.emulation.Vgpus.gpu;
import static io.gpusched.conformance.emulation.Vgpus.node;
import static io.gpusched.conformance.emulation.Vgpus.rules;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.dialect.hami.HamiPodRules;
import io.gpusched.dialect.hami.HamiTopology;
import io.gpusched.dialect.vgpu.VgpuDevice;
import io.gpusched.dialect.vgpu.VgpuRequest;
import io.gpusched.dialect.vgpu.VgpuShare;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class HamiFitTest {
    private static HamiAnswer fit(HamiNode node, HamiPodRules rules, VgpuRequest request) {
        return HamiFit.fit(node, rules, request, HamiFit.QuotaCheck.NONE);
    }

    private static List<String> gpus(HamiAnswer answer) {
        assertThat(answer).isInstanceOf(HamiAnswer.Chosen.class);
        return ((HamiAnswer.Chosen) answer)
                .shares().stream().map(VgpuShare::gpu).toList();
    }

    private static String reason(HamiAnswer answer) {
        assertThat(answer).isInstanceOf(HamiAnswer.Refused.class);
        return ((HamiAnswer.Refused) answer).reason();
    }

    @Test
    void theLastGpusThatFitAreTaken() {
        HamiNode node = node(gpu("g0"), gpu("g1"), gpu("g2", 0, 1, 15_000, 0), gpu("g3"));
        assertThat(gpus(fit(node, HamiPodRules.DEFAULT, ask(2, 2_000, 10)))).containsExactly("g3", "g1");
    }

    static Stream<Arguments> refusals() {
        HamiPodRules none = HamiPodRules.DEFAULT;
        return Stream.of(
                Arguments.of(gpu("g0").withHealthy(false), none, ask(1, 1, 1), "CardNotHealth"),
                Arguments.of(gpu("cordoned0"), none, ask(1, 1, 1), "CardCordoned"),
                Arguments.of(gpu("g0"), rules("nvidia.com/use-gputype", "H100"), ask(1, 1, 1), "CardTypeMismatch"),
                Arguments.of(gpu("g0"), rules("nvidia.com/vgpu-mode", "mps"), ask(1, 1, 1), "CardTypeMismatch"),
                Arguments.of(gpu("g0"), rules("nvidia.com/nouse-gpuuuid", "x, g0"), ask(1, 1, 1), "CardUuidMismatch"),
                Arguments.of(gpu("g0", 0, 10, 0, 0), none, ask(1, 1, 1), "CardTimeSlicingExhausted"),
                Arguments.of(
                        gpu("g0", 0, 1, 0, 0),
                        rules("hami.io/gpu-scheduler-policy", "binpack,mutex"),
                        ask(1, 1, 1),
                        "ExclusiveDeviceAllocateConflict"),
                Arguments.of(gpu("g0", 0, 1, 15_500, 0), none, ask(1, 501, 1), "CardInsufficientMemory"),
                Arguments.of(gpu("g0", 0, 1, 0, 80), none, ask(1, 1, 21), "CardInsufficientCore"),
                Arguments.of(gpu("g0", 0, 1, 0, 0), none, ask(1, 1, 100), "ExclusiveDeviceAllocateConflict"),
                Arguments.of(gpu("g0", 0, 2, 0, 100), none, ask(1, 1, 0), "CardComputeUnitsExhausted"),
                Arguments.of(gpu("g0"), none, ask(2, 1, 1), "AllocatedCardsInsufficientRequest"));
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void aGpuThatDoesNotDo_isCountedUnderItsReason(
            VgpuDevice gpu, HamiPodRules rules, VgpuRequest request, String word) {
        HamiNode node = new HamiNode("n1", List.of(gpu), Set.of("cordoned0"), HamiTopology.UNKNOWN);
        assertThat(reason(fit(node, rules, request))).isEqualTo("1/1 " + word);
    }

    @Test
    void reasonsAreCounted_andJoinedInTheOrderOfTheirTexts() {
        HamiNode node = node(
                gpu("g0"),
                gpu("g1", 0, 1, 0, 95),
                gpu("g2").withHealthy(false),
                gpu("g3").withHealthy(false));
        assertThat(reason(fit(node, HamiPodRules.DEFAULT, ask(2, 1, 10))))
                .isEqualTo("1/4 AllocatedCardsInsufficientRequest, 1/4 CardInsufficientCore, 2/4 CardNotHealth");
    }

    @Test
    void theQuotaIsAskedWithWhatWasFoundSoFar() {
        HamiFit.QuotaCheck one = (found, next) -> found.isEmpty();
        HamiAnswer answer = HamiFit.fit(node(gpu("g0"), gpu("g1")), HamiPodRules.DEFAULT, ask(2, 1, 1), one);
        assertThat(reason(answer)).isEqualTo("1/2 AllocatedCardsInsufficientRequest, 1/2 ResourceQuotaNotFit");
    }

    @Test
    void numaBind_startsOverWhenTheNumaNodeChanges() {
        HamiPodRules bound = rules("nvidia.com/numa-bind", "1");
        HamiNode grouped = node(gpu("g0", 1, 0, 0, 0), gpu("g1", 1, 0, 0, 0), gpu("g2", 0, 0, 0, 0));
        assertThat(gpus(fit(grouped, bound, ask(2, 1, 1)))).containsExactly("g1", "g0");
        HamiNode mixed = node(gpu("g0", 0, 0, 0, 0), gpu("g1", 1, 0, 0, 0), gpu("g2", 0, 0, 0, 0));
        assertThat(reason(fit(mixed, bound, ask(2, 1, 1))))
                .isEqualTo("1/3 AllocatedCardsInsufficientRequest, 2/3 NumaNotFit");
    }

    @Test
    void topologyAware_takesTheBestConnectedSet_orTheWorstConnectedGpu() {
        HamiTopology scores = new HamiTopology(Map.of(
                "g0", Map.of("g1", 100, "g2", 200),
                "g1", Map.of("g0", 100, "g2", 150),
                "g2", Map.of("g0", 200, "g1", 150)));
        HamiNode node = new HamiNode("n1", List.of(gpu("g0"), gpu("g1"), gpu("g2")), Set.of(), scores);
        HamiPodRules aware = rules("hami.io/gpu-scheduler-policy", "topology-aware");
        assertThat(gpus(fit(node, aware, ask(1, 1, 1)))).containsExactly("g1");
        assertThat(gpus(fit(node, aware, ask(2, 1, 1)))).containsExactlyInAnyOrder("g0", "g2");
        assertThat(gpus(fit(node, aware, ask(3, 1, 1)))).containsExactlyInAnyOrder("g0", "g1", "g2");
        assertThat(reason(fit(node, aware, ask(4, 1, 1)))).isEqualTo("3/3 AllocatedCardsInsufficientRequest");
    }

    @Test
    void percentOfTheChosenGpu_isRoundedDown() {
        HamiAnswer answer = fit(node(gpu("g0")), HamiPodRules.DEFAULT, Vgpus.askPercent(1, 33, 5));
        assertThat(((HamiAnswer.Chosen) answer).shares())
                .containsExactly(new VgpuShare("g0", "NVIDIA", 16_000 * 33 / 100, 5));
    }
}
