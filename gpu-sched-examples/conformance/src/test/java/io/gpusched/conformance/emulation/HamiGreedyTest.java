package io.gpusched.conformance.emulation;

import static io.gpusched.conformance.emulation.Vgpus.ask;
import static io.gpusched.conformance.emulation.Vgpus.askPercent;
import static io.gpusched.conformance.emulation.Vgpus.gpu;
import static io.gpusched.conformance.emulation.Vgpus.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.dialect.hami.HamiPodRules;
import io.gpusched.dialect.hami.HamiQuota;
import io.gpusched.dialect.hami.HamiSettings;
import io.gpusched.dialect.vgpu.VgpuRequest;
import io.gpusched.dialect.vgpu.VgpuShare;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HamiGreedyTest {
    private static final HamiPodRules SPREAD = HamiPodRules.DEFAULT;
    private static final HamiPodRules BINPACK = Vgpus.rules("hami.io/gpu-scheduler-policy", "binpack");

    private static HamiGreedy.OnNode place(HamiPodRules rules, HamiNode node, VgpuRequest... containers) {
        List<Optional<VgpuRequest>> asked =
                Arrays.stream(containers).map(Optional::ofNullable).toList();
        return HamiGreedy.of(rules, HamiQuota.NONE).place(node, List.of(), asked);
    }

    private static List<List<String>> gpus(HamiGreedy.OnNode placed) {
        assertThat(placed.refusal()).isEmpty();
        return placed.containers().stream()
                .map(shares -> shares.stream().map(VgpuShare::gpu).toList())
                .toList();
    }

    @Test
    void spread_takesAnotherGpuForTheNextContainer_binpackTheSame() {
        HamiNode node = node(gpu("g0"), gpu("g1"));
        assertThat(gpus(place(SPREAD, node, ask(1, 8_000, 30), ask(1, 1_000, 30))))
                .containsExactly(List.of("g1"), List.of("g0"));
        assertThat(gpus(place(BINPACK, node, ask(1, 8_000, 30), ask(1, 1_000, 30))))
                .containsExactly(List.of("g1"), List.of("g1"));
    }

    @Test
    void aContainerWithoutGpu_getsNone() {
        assertThat(gpus(place(SPREAD, node(gpu("g0")), null, ask(1, 1, 1)))).containsExactly(List.of(), List.of("g0"));
    }

    @Test
    void whatAContainerGot_isGoneForTheNext() {
        assertThat(place(SPREAD, node(gpu("g0")), ask(1, 9_000, 30), ask(1, 9_000, 30))
                        .refusal())
                .isEqualTo("1/1 CardInsufficientMemory");
    }

    @Test
    void nothingIsTakenBack_soThatAFeasiblePodMayBeRefused() {
        HamiNode node = node(gpu("g0"), gpu("g1", 0, 1, 6_400, 40));
        assertThat(place(SPREAD, node, askPercent(1, 40, 40), askPercent(1, 100, 100))
                        .fits())
                .isFalse();
        assertThat(gpus(place(BINPACK, node, askPercent(1, 40, 40), askPercent(1, 100, 100))))
                .containsExactly(List.of("g1"), List.of("g0"));
    }

    @Test
    void initContainers_seeTheNodeAsItIs_andLeaveNothingBehind() {
        HamiGreedy.OnNode placed = HamiGreedy.of(BINPACK, HamiQuota.NONE)
                .place(
                        node(gpu("g0"), gpu("g1")),
                        List.of(Optional.of(ask(2, 16_000, 100)), Optional.empty(), Optional.of(ask(1, 1, 100))),
                        List.of(Optional.of(ask(2, 16_000, 100))));
        assertThat(gpus(placed)).containsExactly(List.of("g1", "g0"), List.of(), List.of("g1"), List.of("g1", "g0"));
    }

    @Test
    void moreGpusThanTheNodeHas_andOtherVendors_areRefusedAsANode() {
        assertThat(place(SPREAD, node(gpu("g0")), ask(2, 1, 1)).refusal()).isEqualTo("NodeInsufficientDevice");
        VgpuRequest other = new VgpuRequest(1, "MLU", 1, java.util.OptionalInt.empty(), 1);
        assertThat(place(SPREAD, node(gpu("g0")), other).refusal()).isEqualTo("Device type not found");
    }

    @Test
    void theQuota_countsWhatThePodTakesOnAllGpus_initContainersByTheirPeak() {
        HamiQuota quota = HamiQuota.of(Map.of("limits.nvidia.com/gpumem", 2_000L), HamiSettings.DEFAULT);
        HamiGreedy greedy = HamiGreedy.of(BINPACK, quota);
        HamiNode node = node(gpu("g0"), gpu("g1"));
        assertThat(greedy.place(node, List.of(), List.of(Optional.of(ask(2, 1_001, 1))))
                        .refusal())
                .isEqualTo("1/2 AllocatedCardsInsufficientRequest, 1/2 ResourceQuotaNotFit");
        assertThat(greedy.place(
                                node,
                                List.of(Optional.of(ask(1, 2_000, 1)), Optional.of(ask(1, 2_000, 1))),
                                List.of(Optional.of(ask(1, 1_000, 1)), Optional.of(ask(1, 1_000, 1))))
                        .fits())
                .isTrue();
    }

    @Test
    void choose_takesTheFullestNode_orTheEmptiest_theFirstOfEquals() {
        List<HamiGreedy.OnNode> nodes = List.of(
                new HamiGreedy.OnNode("no-room", 30, List.of(), "NodeInsufficientDevice"),
                new HamiGreedy.OnNode("a", 5, List.of(), ""),
                new HamiGreedy.OnNode("b", 5, List.of(), ""),
                new HamiGreedy.OnNode("c", 1, List.of(), ""),
                new HamiGreedy.OnNode("d", 1, List.of(), ""));
        HamiPodRules spreadNodes = Vgpus.rules("hami.io/node-scheduler-policy", "spread");
        assertThat(HamiGreedy.of(SPREAD, HamiQuota.NONE)
                        .choose(nodes)
                        .orElseThrow()
                        .node())
                .isEqualTo("a");
        assertThat(HamiGreedy.of(spreadNodes, HamiQuota.NONE)
                        .choose(nodes)
                        .orElseThrow()
                        .node())
                .isEqualTo("c");
        assertThat(HamiGreedy.of(SPREAD, HamiQuota.NONE).choose(nodes.subList(0, 1)))
                .isEmpty();
    }
}
