package io.gpusched.conformance.emulation;

import static io.gpusched.conformance.emulation.Vgpus.ask;
import static io.gpusched.conformance.emulation.Vgpus.gpu;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.dialect.vgpu.VgpuDevice;
import io.gpusched.dialect.vgpu.VgpuRequest;
import io.gpusched.dialect.vgpu.VgpuShare;
import io.gpusched.dialect.volcano.VolcanoPodRules;
import io.gpusched.dialect.volcano.VolcanoPolicy;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VolcanoGreedyTest {
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
        assertThat(place(VolcanoPolicy.UNSET, none, List.of(gpu("g0").withHealthy(false)), ask(1, 1, 1))
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

    @ParameterizedTest
    @CsvSource({"'',hami-core,true", "mps,hami-core,true", "'',mig,false", "mig,mig,true", "mig,hami-core,false"})
    void aGpuIsSharedBySoftware_unlessItSaysThatItIsInMigMode(String mode, String asked, boolean fits) {
        VgpuDevice plain = gpu("g0");
        VgpuDevice gpu = new VgpuDevice(
                plain.id(),
                plain.index(),
                plain.numa(),
                plain.type(),
                mode,
                plain.healthy(),
                plain.slots(),
                plain.memoryMib(),
                plain.cores());
        VolcanoPodRules rules = VolcanoPodRules.of("other", Map.of("volcano.sh/vgpu-mode", asked));
        assertThat(place(VolcanoPolicy.UNSET, rules, List.of(gpu), ask(1, 1_000, 10))
                        .fits())
                .isEqualTo(fits);
    }
}
