package io.gpusched.decision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.decision.Amount.Quantity;
import io.gpusched.decision.Reason.Code;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ReasonTest {
    private static final Set<Code> LASTING = EnumSet.of(
            Code.TOPOLOGY_LEVEL,
            Code.NODE_NAME,
            Code.TAINT,
            Code.NODE_SELECTOR,
            Code.NODE_MODE,
            Code.TOO_FEW_GPUS,
            Code.GPU_SELECTOR,
            Code.NODE_TOO_SMALL,
            Code.GPU_TOO_SMALL);

    private static Reason reason(Code code, String asked, Amount... amounts) {
        return new Reason(code, 2, List.of("n1"), List.of(amounts), List.of(), asked);
    }

    private static Reason withFacts(Code code, String asked, String... facts) {
        return new Reason(code, 2, List.of("n1"), List.of(), List.of(facts), asked);
    }

    private static Amount amount(Quantity quantity, long asked, long total, long greatest) {
        return new Amount(quantity, asked, total, greatest);
    }

    @Test
    void labelsTaintsAndModes_areNamed() {
        assertThat(reason(Code.NODE_SELECTOR, "zone in a|b").detail())
                .isEqualTo("labels not accepted, asked zone in a|b");
        assertThat(withFacts(Code.TAINT, "", "a=b:NoSchedule", "c:NoExecute").detail())
                .isEqualTo("taint not tolerated: a=b:NoSchedule, c:NoExecute");
        assertThat(withFacts(Code.NODE_MODE, "1 whole gpu", "SHARED", "EXCLUSIVE")
                        .detail())
                .isEqualTo("mode SHARED or EXCLUSIVE, asked 1 whole gpu");
        assertThat(withFacts(Code.TOPOLOGY_LEVEL, "", "no node has it", "levels are rack")
                        .detail())
                .isEqualTo("no node has it; levels are rack");
    }

    @Test
    void gpusThatAreTooFew_areCounted() {
        assertThat(reason(Code.TOO_FEW_GPUS, "", amount(Quantity.GPUS, 8, 6, 4)).detail())
                .isEqualTo("at most 4 GPUs on one node, asked 8");
        assertThat(reason(Code.TOO_FEW_GPUS, "", amount(Quantity.GPUS, 8, 2, 1)).detail())
                .isEqualTo("at most 1 GPU on one node, asked 8");
        assertThat(reason(Code.GPU_SELECTOR, "2 whole gpus of model H100", amount(Quantity.GPUS, 2, 1, 1))
                        .detail())
                .isEqualTo("at most 1 accepted GPU on one node, asked 2 whole gpus of model H100");
        assertThat(reason(Code.GPU_SELECTOR, "it", amount(Quantity.GPUS, 2, 0, 0))
                        .detail())
                .startsWith("at most 0 accepted GPUs");
        assertThat(reason(Code.GPU_UNHEALTHY, "it", amount(Quantity.GPUS, 2, 1, 1))
                        .detail())
                .isEqualTo("1 unhealthy GPU, too few others, asked it");
        assertThat(reason(Code.GPU_UNHEALTHY, "it", amount(Quantity.GPUS, 2, 3, 2))
                        .detail())
                .startsWith("3 unhealthy GPUs");
        assertThat(reason(Code.IDLE_GPUS, "4 whole gpus", amount(Quantity.GPUS, 4, 5, 3))
                        .detail())
                .isEqualTo("5 GPUs idle in total, at most 3 on one node, asked 4 whole gpus");
    }

    @Test
    void nodesThatAreTooSmall_sayWhatTheyHaveOfEachResource() {
        Amount cpu = amount(Quantity.CPU_MILLIS, 9_000, 16_000, 8_000);
        Amount memory = amount(Quantity.MEMORY_MIB, 1_024, 4_096, 2_048);
        Amount nics = new Amount(Quantity.RESOURCE, 4, 3, 2, "rdma/hca");

        assertThat(reason(Code.NODE_TOO_SMALL, "9 cores", cpu, memory).detail())
                .isEqualTo("at most 8000m CPU and 2048 MiB of memory on one node, asked 9 cores");
        assertThat(reason(Code.NODE_TOO_SMALL, "9 cores", cpu, memory, nics).detail())
                .isEqualTo("at most 8000m CPU and 2048 MiB of memory and 2 rdma/hca on one node, asked 9 cores");
    }

    @Test
    void nodesThatTakeNoPods_areSaidToTakeNone() {
        Amount none = amount(Quantity.CPU_MILLIS, 1_000, 0, 0);
        Amount some = amount(Quantity.CPU_MILLIS, 9_000, 8_000, 8_000);
        Amount memory = amount(Quantity.MEMORY_MIB, 0, 0, 0);

        assertThat(new Reason(Code.NODE_TOO_SMALL, 1, List.of(), List.of(none, memory), List.of("maxPods is 0"), "it")
                        .detail())
                .isEqualTo("take no pods: maxPods is 0");
        assertThat(new Reason(Code.NODE_TOO_SMALL, 2, List.of(), List.of(some, memory), List.of("maxPods is 0"), "it")
                        .detail())
                .isEqualTo("at most 8000m CPU and 0 MiB of memory on one node, or no pods at all (maxPods is 0),"
                        + " asked it");
    }

    @Test
    void whatIsNotFree_isGivenInTotalAndAtMost() {
        assertThat(reason(Code.CPU, "", amount(Quantity.CPU_MILLIS, 4_000, 5_000, 3_000))
                        .detail())
                .isEqualTo("5000m CPU free in total, at most 3000m on one node, asked 4000m");
        assertThat(reason(Code.MEMORY, "", amount(Quantity.MEMORY_MIB, 40, 50, 30))
                        .detail())
                .isEqualTo("50 MiB of memory free in total, at most 30 MiB on one node, asked 40 MiB");
        assertThat(reason(
                                Code.RESOURCE,
                                "",
                                new Amount(Quantity.RESOURCE, 2, 3, 1, "rdma/hca"),
                                new Amount(Quantity.RESOURCE, 9, 8, 8, "ssd"))
                        .detail())
                .isEqualTo("3 rdma/hca free in total, at most 1 on one node, asked 2; 8 ssd free in total, at most 8 on"
                        + " one node, asked 9");
        assertThat(reason(
                                Code.GPU_SHARE,
                                "0.3 GPUs and 64 MiB",
                                amount(Quantity.GPU_COMPUTE_MILLIS, 300, 1_400, 250),
                                amount(Quantity.GPU_MEMORY_MIB, 64, 90, 60))
                        .detail())
                .isEqualTo(
                        "1.4 GPUs free in total, at most 0.25 on one GPU; 90 MiB of GPU memory free in total, at most"
                                + " 60 MiB on one GPU; asked 0.3 GPUs and 64 MiB");
        assertThat(reason(
                                Code.GPU_TOO_SMALL,
                                "2 GPUs",
                                amount(Quantity.GPU_COMPUTE_MILLIS, 2_000, 1_000, 1_000),
                                amount(Quantity.GPU_MEMORY_MIB, 0, 80, 80))
                        .detail())
                .isEqualTo("at most 1 GPU and 80 MiB of GPU memory on one GPU, not enough even with nothing running,"
                        + " asked 2 GPUs");
    }

    @Test
    void podsInTheWay_areCounted() {
        assertThat(reason(Code.POD_LIMIT, "", amount(Quantity.PODS, 0, 1, 1)).detail())
                .isEqualTo("1 pod in total, as many as the nodes take");
        assertThat(reason(Code.NOT_EMPTY, "", amount(Quantity.PODS, 0, 3, 2)).detail())
                .isEqualTo("3 pods in total run there, asked the whole node");
        assertThat(reason(Code.CORDONED, "").detail()).isEqualTo("cordoned");
        assertThat(reason(Code.HELD_WHOLE, "").detail()).isEqualTo("held as a whole by another pod");
    }

    @Test
    void layoutsLimitsAndGroups_sayWhatWasLookedFor() {
        Amount idle = amount(Quantity.GPUS, 2, 3, 2);
        assertThat(reason(Code.GPU_LAYOUT, "it", idle).detail())
                .isEqualTo("the containers cannot be laid out together; 3 GPUs idle in total, at most 2 on one node,"
                        + " asked it");
        assertThat(reason(Code.SEARCH_LIMIT, "it", idle).detail())
                .isEqualTo("the search reached its limit; 3 GPUs idle in total, asked it");
        assertThat(reason(Code.GROUP, "it", idle).detail())
                .isEqualTo("a member alone would fit, 3 GPUs idle in total, at most 2 on one node");
        Reason group = new Reason(
                Code.GROUP,
                1,
                List.of(),
                List.of(amount(Quantity.MEMBERS, 4, 3, 3)),
                List.of("\"m\" (1 whole gpu)", " in one rack", "; role \"worker\" lacks 1"),
                "it");
        assertThat(group.detail())
                .isEqualTo("member \"m\" (1 whole gpu) alone would fit, but of 4 members needed together in one rack 3"
                        + " have room; role \"worker\" lacks 1");
        Reason one = new Reason(
                Code.GROUP,
                1,
                List.of(),
                List.of(amount(Quantity.MEMBERS, 4, 1, 1)),
                List.of("\"m\" (1 whole gpu)", "", ""),
                "it");
        assertThat(one.detail()).endsWith("but of 4 members needed together 1 has room");
    }

    @Test
    void aReason_countsItsNodes() {
        assertThat(Reason.of(Code.QUOTA, 1, "used up")).hasToString("1 node: used up");
        assertThat(Reason.of(Code.QUOTA, 2, "used up")).hasToString("2 nodes: used up");
        assertThatThrownBy(() -> Reason.of(Code.QUOTA, 0, "used up"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("reason QUOTA: nodes must be at least 1, got 0");
    }

    @Test
    void atMostThreeNodes_areNamed_andNotMoreThanThereAre() {
        assertThat(new Reason(Code.CORDONED, 4, List.of("a", "b", "c"), List.of(), List.of(), "").firstNodes())
                .hasSize(3);
        assertThatThrownBy(() -> new Reason(Code.CORDONED, 4, List.of("a", "b", "c", "d"), List.of(), List.of(), ""))
                .hasMessage("reason CORDONED: at most 3 nodes may be named, got [a, b, c, d]");
        assertThatThrownBy(() -> new Reason(Code.CORDONED, 1, List.of("a", "b"), List.of(), List.of(), ""))
                .hasMessage("reason CORDONED: at most 1 nodes may be named, got [a, b]");
    }

    @ParameterizedTest
    @EnumSource
    void reasonsThatLieInTheNode_remainWhenAllPodsLeave(Code code) {
        assertThat(code.isTransient()).isNotEqualTo(LASTING.contains(code));
    }

    @ParameterizedTest
    @CsvSource({
        "CPU_MILLIS, 1500, 1500m CPU",
        "MEMORY_MIB, 7, 7 MiB of memory",
        "RESOURCE, 7, 7",
        "GPUS, 1, 1 GPU",
        "GPUS, 0, 0 GPUs",
        "GPU_COMPUTE_MILLIS, 1000, 1 GPU",
        "GPU_COMPUTE_MILLIS, 0, 0 GPUs",
        "GPU_COMPUTE_MILLIS, 1050, 1.05 GPUs",
        "GPU_COMPUTE_MILLIS, 5, 0.005 GPUs",
        "GPU_COMPUTE_MILLIS, 12500, 12.5 GPUs",
        "GPU_MEMORY_MIB, 7, 7 MiB of GPU memory",
        "PODS, 1, 1 pod",
        "PODS, 2, 2 pods",
        "MEMBERS, 1, 1 member",
        "MEMBERS, 2, 2 members"
    })
    void aQuantity_isSaidInWords(Quantity quantity, long amount, String words) {
        assertThat(quantity.inWords(amount)).isEqualTo(words);
    }

    @Test
    void anAmount_saysHowMuchThereIsAndWasAsked() {
        assertThat(amount(Quantity.GPUS, 4, 3, 2)).hasToString("3 GPUs, at most 2, asked 4");
        assertThat(new Amount(Quantity.RESOURCE, 4, 3, 2, "ssd")).hasToString("3 ssd, at most 2, asked 4");
    }
}
