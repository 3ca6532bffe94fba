package io.gpusched.dialect;

import static io.gpusched.dialect.Vgpus.ask;
import static io.gpusched.dialect.Vgpus.gpu;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VolcanoTest {
    private static final List<VgpuDevice> MIXED =
            List.of(gpu("g0", 0, 2, 1_000, 0), gpu("g1", 0, 1, 9_000, 0), gpu("g2"), gpu("g3"));

    private static VolcanoGreedy.OnNode place(
            VolcanoPolicy policy, VolcanoPodRules rules, List<VgpuDevice> gpus, VgpuRequest... containers) {
        List<Optional<VgpuRequest>> asked =
                Arrays.stream(containers).map(Optional::ofNullable).toList();
        return VolcanoGreedy.of(policy, rules, Map.of("g0", Set.of("default/job")))
                .place("n1", gpus, asked);
    }

    private static String gpus(VolcanoGreedy.OnNode placed) {
        return String.join(
                " ",
                placed.containers().stream()
                        .flatMap(List::stream)
                        .map(VgpuShare::gpu)
                        .toList());
    }

    @ParameterizedTest
    @CsvSource({"BINPACK,g1 g0", "SPREAD,g2 g3", "UNSET,g3 g2"})
    void policies_takeTheFirstThatFitInTheirOrder(VolcanoPolicy policy, String expected) {
        assertThat(gpus(place(policy, VolcanoPodRules.DEFAULT, MIXED, ask(2, 1_000, 10))))
                .isEqualTo(expected);
    }

    @Test
    void theNodesScoreIsTakenAfterThePlacement_soThatSpreadScoresNothing() {
        List<VgpuDevice> empty = List.of(gpu("g0"), gpu("g1"));
        assertThat(place(VolcanoPolicy.BINPACK, VolcanoPodRules.DEFAULT, empty, ask(2, 4_000, 0))
                        .score())
                .isEqualTo(50.0);
        assertThat(place(VolcanoPolicy.SPREAD, VolcanoPodRules.DEFAULT, empty, ask(1, 4_000, 0))
                        .score())
                .isZero();
    }

    @Test
    void refusals_areInVolcanosWords() {
        List<VgpuDevice> one = List.of(gpu("g0", 0, 1, 0, 0));
        assertThat(place(VolcanoPolicy.UNSET, VolcanoPodRules.DEFAULT, one, ask(2, 1, 1))
                        .refusal())
                .isEqualTo("no enough gpu cards on node n1");
        assertThat(place(VolcanoPolicy.UNSET, VolcanoPodRules.DEFAULT, one, ask(1, 1, 100))
                        .refusal())
                .isEqualTo("not enough gpu fitted on this node");
        VolcanoPodRules other = VolcanoPodRules.of("default", Map.of("volcano.sh/vgpu-use-gpuuuid", "g7"));
        assertThat(place(VolcanoPolicy.UNSET, other, one, ask(1, 1, 1)).refusal())
                .contains("no GPU matches UUID constraints", "\"g7\"", "node n1");
    }

    @Test
    void fullCompute_unhealthyAndForeignGpus_takeNothing() {
        VolcanoPodRules none = VolcanoPodRules.DEFAULT;
        assertThat(place(VolcanoPolicy.UNSET, none, List.of(gpu("g0", 0, 2, 0, 100)), ask(1, 1, 0))
                        .fits())
                .isFalse();
        assertThat(place(VolcanoPolicy.UNSET, none, List.of(Vgpus.sick(gpu("g0"))), ask(1, 1, 1))
                        .fits())
                .isFalse();
        VolcanoPodRules types = VolcanoPodRules.of("default", Map.of("nvidia.com/nouse-gputype", "a100"));
        assertThat(place(VolcanoPolicy.UNSET, types, List.of(gpu("g0")), ask(1, 1, 1))
                        .fits())
                .isFalse();
    }

    @Test
    void groupsThatSpread_stayOffEachOthersGpus() {
        Map<String, String> job = Map.of("scheduling.k8s.io/group-name", "job");
        Map<String, String> spreading =
                Map.of("scheduling.volcano.sh/group-name", "job", VolcanoPodRules.GROUP_POLICY, "spread");
        List<VgpuDevice> one = List.of(gpu("g0"));
        assertThat(place(VolcanoPolicy.BINPACK, VolcanoPodRules.of("default", job), one, ask(1, 1, 1))
                        .fits())
                .isTrue();
        assertThat(place(VolcanoPolicy.BINPACK, VolcanoPodRules.of("default", spreading), one, ask(1, 1, 1))
                        .fits())
                .isFalse();
        assertThat(place(VolcanoPolicy.BINPACK, VolcanoPodRules.of("other", spreading), one, ask(1, 1, 1))
                        .fits())
                .isTrue();
    }

    @Test
    void aGpuWithoutUuid_matchesNoConstraint() {
        VolcanoPodRules deny = VolcanoPodRules.of("default", Map.of("volcano.sh/vgpu-nouse-gpuuuid", "g7,"));
        assertThat(deny.acceptsUuid("")).isFalse();
        assertThat(deny.acceptsUuid("g1")).isTrue();
        assertThat(VolcanoPodRules.DEFAULT.acceptsUuid("")).isTrue();
    }

    @Test
    void requests_percentWinsOverMemory_andMemoryAloneAsksForOneGpu() {
        assertThat(VolcanoRequests.parse(Map.of(VolcanoRequests.MEMORY, "3000"), Map.of()))
                .hasValue(ask(1, 3_000, 0));
        assertThat(VolcanoRequests.parse(
                        Map.of(VolcanoRequests.NUMBER, "2", VolcanoRequests.MEMORY, "3000"),
                        Map.of(VolcanoRequests.PERCENTAGE, "40", VolcanoRequests.CORES, "20")))
                .hasValue(new VgpuRequest(2, "NVIDIA", 0, OptionalInt.of(40), 20));
        assertThat(VolcanoRequests.parse(
                        Map.of(VolcanoRequests.NUMBER, "1", VolcanoRequests.PERCENTAGE, "101"), Map.of()))
                .hasValue(new VgpuRequest(1, "NVIDIA", 0, OptionalInt.of(100), 0));
        assertThat(VolcanoRequests.parse(Map.of("cpu", "1"), Map.of(VolcanoRequests.NUMBER, "1")))
                .isEmpty();
        assertThatThrownBy(() -> VolcanoRequests.parse(Map.of(VolcanoRequests.NUMBER, "1.5"), Map.of()))
                .hasMessageContaining(VolcanoRequests.NUMBER);
    }

    @Test
    void exclusiveRules_keepPodsOfTheSameRuleApart_andNoOthers() {
        VolcanoExclusiveRules rules = new VolcanoExclusiveRules(
                List.of(Map.of("app", "train", "team", "ml"), Map.of("workload", "serve"), Map.of()));
        Map<Integer, Set<Integer>> occupied = Map.of(0, Set.of(0), 1, Set.of(2));
        assertThat(rules.matching(Map.of("app", "train", "team", "ml", "env", "prod")))
                .containsExactly(0);
        assertThat(rules.matching(Map.of("app", "train"))).isEmpty();
        assertThat(rules.available(Map.of("app", "train", "team", "ml"), 3, occupied))
                .containsExactly(1, 2);
        assertThat(rules.available(Map.of("x", "y"), 3, occupied)).containsExactly(0, 1, 2);
    }

    @Test
    void ledger_repeatedEventsChangeNothing_andOverBookingLeavesNothing() {
        VgpuShare share = new VgpuShare("g0", "NVIDIA", 10_000, 40);
        VgpuLedger once = VgpuLedger.EMPTY.with("a", share);
        assertThat(once.with("a", share)).isEqualTo(once);
        assertThat(once.without("b")).isEqualTo(once);
        assertThat(once.without("a")).isEqualTo(VgpuLedger.EMPTY);
        VgpuDevice over = once.with("b", share).on(gpu("g0", 0, 9, 9, 9));
        assertThat(over.slots().used()).isEqualTo(2);
        assertThat(over.memoryMib().used()).isEqualTo(20_000);
        assertThat(over.memoryMib().free()).isZero();
    }

    @Test
    void gpushare_takesTheFirstGpuWithRoom_orIdleOnes() {
        List<VgpuDevice> gpus = List.of(gpu("g0", 0, 1, 20_000, 0), gpu("g1", 0, 1, 10_000, 0), gpu("g2"), gpu("g3"));
        assertThat(VolcanoGpuShare.byMemory(gpus, 500)).containsExactly(1);
        assertThat(VolcanoGpuShare.byMemory(gpus, 16_001)).isEmpty();
        assertThat(VolcanoGpuShare.byNumber(gpus, 2)).containsExactly(2, 3);
        assertThat(VolcanoGpuShare.byNumber(gpus, 3)).isEmpty();
        assertThat(VolcanoGpuShare.podDemand(List.of(1L, 5L), List.of(2L, 2L))).isEqualTo(5);
        assertThat(VolcanoGpuShare.index(List.of(2, 3))).isEqualTo("2,3");
    }

    @Test
    void registration_isRead_orRefusedWithTheRecord() {
        List<VgpuDevice> gpus = VolcanoRegistration.parse("u0,10,12288,NVIDIA-TITAN Xp,true:u1,10,1,NVIDIA,false,mig:");
        assertThat(gpus).extracting(VgpuDevice::id).containsExactly("u0", "u1");
        assertThat(gpus.get(0).memoryMib().total()).isEqualTo(12_288);
        assertThat(gpus.get(1).mode()).isEqualTo("mig");
        assertThatThrownBy(() -> VolcanoRegistration.parse("u0,10,x,NVIDIA,true:"))
                .hasMessageContaining("u0,10,x");
    }
}
