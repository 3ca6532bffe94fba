package io.gpusched.decision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.decision.Amount.Quantity;
import io.gpusched.decision.Reason.Code;
import io.gpusched.model.Locality;
import io.gpusched.model.NodeMode;
import io.gpusched.model.PodId;
import io.gpusched.model.Taint;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.HostPort;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeSelector;
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

    private static final GpuRequest ONE = GpuRequest.exclusive(1);

    private static Reason reason(Code code, List<GpuRequest> asked, Amount... amounts) {
        return new Reason(code, List.of("n1", "n2"), List.of(amounts), List.of(), asked);
    }

    private static Reason reason(Code code, Amount... amounts) {
        return reason(code, List.of(), amounts);
    }

    private static Reason withFacts(Code code, List<GpuRequest> asked, Fact... facts) {
        return new Reason(code, List.of("n1", "n2"), List.of(), List.of(facts), asked);
    }

    private static Amount amount(Quantity quantity, long asked, long total, long greatest) {
        return new Amount(quantity, asked, total, greatest);
    }

    @Test
    void labelsTaintsAndModes_areNamed() {
        NodeSelector zone = NodeSelector.all(NodeRequirement.in("zone", "a", "b"));
        assertThat(withFacts(Code.NODE_SELECTOR, List.of(), new Fact.Labels(zone))
                        .detail())
                .isEqualTo("node selector does not match: zone in a|b");
        assertThat(withFacts(
                                Code.TAINT,
                                List.of(),
                                new Fact.Tainted(Taint.noSchedule("a", "b")),
                                new Fact.Tainted(new Taint("c", "", Taint.Effect.NO_EXECUTE)))
                        .detail())
                .isEqualTo("taint not tolerated: a=b:NoSchedule, c:NoExecute");
        assertThat(withFacts(
                                Code.NODE_MODE,
                                List.of(ONE),
                                new Fact.Mode(NodeMode.SHARED),
                                new Fact.Mode(NodeMode.EXCLUSIVE))
                        .detail())
                .isEqualTo("mode SHARED or EXCLUSIVE, asked 1 whole GPU");
    }

    @Test
    void topologyLevels_areNamedWithThoseThatNodesHave() {
        assertThat(withFacts(
                                Code.TOPOLOGY_LEVEL,
                                List.of(),
                                new Fact.Unknown(Fact.Unknown.Kind.TOPOLOGY_LEVEL, "row", List.of("rack", "zone")))
                        .detail())
                .isEqualTo("no node has the topology level \"row\"; known here are rack, zone");
        assertThat(withFacts(
                                Code.TOPOLOGY_LEVEL,
                                List.of(),
                                new Fact.Unknown(Fact.Unknown.Kind.TOPOLOGY_LEVEL, "row", List.of()))
                        .detail())
                .isEqualTo("no node has the topology level \"row\"; none is known here");
        assertThat(withFacts(Code.TOPOLOGY_LEVEL, List.of(), new Fact.NoDomain("row"))
                        .detail())
                .isEqualTo("no topology level \"row\"; the group must stay in one of its domains");
    }

    @Test
    void rulesBetweenPods_areNamed() {
        assertThat(withFacts(Code.NODE_NAME, List.of(), new Fact.OnlyNode("n7")).detail())
                .isEqualTo("not the one node that it may go to, n7");
        assertThat(withFacts(Code.HOST_PORT, List.of(), new Fact.TakenPort(HostPort.tcp(80), List.of()))
                        .detail())
                .isEqualTo("ports of the node that other pods take: 80/TCP");
        assertThat(withFacts(Code.TOPOLOGY_SPREAD, List.of(), new Fact.Spread("zone", 1, 2, List.of()))
                        .detail())
                .isEqualTo("too many pods in its domain, or in no domain at all, to spread over zone (max skew 1, the"
                        + " fewest 2)");
        assertThat(withFacts(Code.POD_AFFINITY, List.of(), new Fact.Near("rack"), new Fact.Near("zone"))
                        .detail())
                .isEqualTo("no pod that it must be near in the same rack, or the same zone");
        assertThat(withFacts(
                                Code.POD_ANTI_AFFINITY,
                                List.of(),
                                new Fact.Apart("rack", false, List.of()),
                                new Fact.Apart("zone", true, List.of()))
                        .detail())
                .isEqualTo("it stays away from pods in the same rack; running pods keep it away in the same zone");
    }

    @Test
    void sharesAndPartitions_thatGpusAreTooSmallFor() {
        Amount compute = amount(Quantity.GPU_COMPUTE_MILLIS, 0, 1_000, 1_000);
        Amount memory = amount(Quantity.GPU_MEMORY_MIB, 0, 80, 80);
        assertThat(reason(Code.GPU_TOO_SMALL, List.of(GpuRequest.partition("3g.20gb", 1)), compute, memory)
                        .detail())
                .isEqualTo("no GPU can hold it, even with nothing running, asked 1 partition 3g.20gb");
    }

    @Test
    void gpusThatAreTooFew_areCounted() {
        assertThat(reason(Code.TOO_FEW_GPUS, amount(Quantity.GPUS, 8, 6, 4)).detail())
                .isEqualTo("at most 4 GPUs on one node, asked 8");
        assertThat(reason(Code.TOO_FEW_GPUS, amount(Quantity.GPUS, 8, 2, 1)).detail())
                .isEqualTo("at most 1 GPU on one node, asked 8");
        assertThat(reason(
                                Code.GPU_SELECTOR,
                                List.of(GpuRequest.exclusive(2, GpuSelector.models("H100"))),
                                amount(Quantity.GPUS, 2, 1, 1))
                        .detail())
                .isEqualTo("at most 1 accepted GPU on one node, asked 2 whole GPUs of model H100");
        assertThat(reason(Code.GPU_SELECTOR, List.of(ONE), amount(Quantity.GPUS, 2, 0, 0))
                        .detail())
                .startsWith("at most 0 accepted GPUs");
        assertThat(reason(Code.GPU_UNHEALTHY, List.of(ONE), amount(Quantity.GPUS, 2, 1, 1))
                        .detail())
                .isEqualTo("1 unhealthy GPU, too few others, asked 1 whole GPU");
        assertThat(reason(Code.GPU_UNHEALTHY, List.of(ONE), amount(Quantity.GPUS, 2, 3, 2))
                        .detail())
                .startsWith("3 unhealthy GPUs");
        assertThat(reason(Code.IDLE_GPUS, List.of(GpuRequest.exclusive(4)), amount(Quantity.GPUS, 4, 5, 3))
                        .detail())
                .isEqualTo("5 GPUs idle in total, at most 3 on one node, asked 4 whole GPUs");
    }

    @Test
    void nodesThatAreTooSmall_sayWhatTheyHaveOfEachResource() {
        Amount cpu = amount(Quantity.CPU_MILLIS, 9_000, 16_000, 8_000);
        Amount memory = amount(Quantity.MEMORY_MIB, 1_024, 4_096, 2_048);
        Amount nics = new Amount(Quantity.RESOURCE, 4, 3, 2, "rdma/hca");

        assertThat(reason(Code.NODE_TOO_SMALL, cpu, memory).detail())
                .isEqualTo("at most 8 cores on one node, asked 9 cores");
        assertThat(reason(Code.NODE_TOO_SMALL, cpu, memory, nics).detail())
                .isEqualTo("at most 8 cores and 2 rdma/hca on one node, asked 9 cores, 4 rdma/hca");
    }

    @Test
    void whereEachAmountIsEnoughByItself_allAreNamed() {
        Amount cpu = amount(Quantity.CPU_MILLIS, 9_000, 16_000, 16_000);
        Amount memory = amount(Quantity.MEMORY_MIB, 2_048, 4_096, 4_096);

        assertThat(reason(Code.NODE_TOO_SMALL, cpu, memory).detail())
                .isEqualTo("at most 16 cores and 4 GiB of memory on one node, asked 9 cores, 2 GiB of memory");
    }

    @Test
    void nodesThatTakeNoPods_areSaidToTakeNone() {
        Amount none = amount(Quantity.CPU_MILLIS, 1_000, 0, 0);
        Amount some = amount(Quantity.CPU_MILLIS, 9_000, 8_000, 8_000);
        Amount memory = amount(Quantity.MEMORY_MIB, 0, 0, 0);

        assertThat(new Reason(
                                Code.NODE_TOO_SMALL,
                                List.of("n1"),
                                List.of(none, memory),
                                List.of(new Fact.NoPods()),
                                List.of())
                        .detail())
                .isEqualTo("take no pods: maxPods is 0");
        assertThat(new Reason(
                                Code.NODE_TOO_SMALL,
                                List.of("n1", "n2"),
                                List.of(some, memory),
                                List.of(new Fact.NoPods()),
                                List.of())
                        .detail())
                .isEqualTo("at most 8 cores on one node, or no pods at all (maxPods is 0), asked 9 cores");
    }

    @Test
    void whatIsNotFree_isGivenInTotalAndAtMost() {
        assertThat(reason(Code.CPU, amount(Quantity.CPU_MILLIS, 4_000, 5_000, 3_000))
                        .detail())
                .isEqualTo("too few free cores: at most 3 on one node, asked 4");
        assertThat(reason(Code.MEMORY, amount(Quantity.MEMORY_MIB, 40, 50, 30)).detail())
                .isEqualTo("too little free memory: at most 30 MiB on one node, asked 40 MiB");
        assertThat(reason(
                                Code.RESOURCE,
                                new Amount(Quantity.RESOURCE, 2, 3, 1, "rdma/hca"),
                                new Amount(Quantity.RESOURCE, 9, 8, 8, "ssd"))
                        .detail())
                .isEqualTo("3 rdma/hca free in total, at most 1 on one node, asked 2; 8 ssd free in total, at most 8 on"
                        + " one node, asked 9");
        assertThat(reason(
                                Code.GPU_SHARE,
                                List.of(GpuRequest.share(300, GpuMemory.mib(64))),
                                amount(Quantity.GPU_COMPUTE_MILLIS, 300, 1_400, 250),
                                amount(Quantity.GPU_MEMORY_MIB, 64, 90, 60))
                        .detail())
                .isEqualTo(
                        "1.4 GPUs free in total, at most 0.25 on one GPU; 90 MiB of GPU memory free in total, at most"
                                + " 60 MiB on one GPU; asked 0.3 GPUs, 64 MiB");
        assertThat(reason(
                                Code.GPU_TOO_SMALL,
                                List.of(ONE),
                                amount(Quantity.GPU_COMPUTE_MILLIS, 2_000, 1_000, 1_000),
                                amount(Quantity.GPU_MEMORY_MIB, 0, 80, 80))
                        .detail())
                .isEqualTo("at most 1 GPU on one GPU, not enough even with nothing running, asked 1 whole GPU");
        assertThat(reason(
                                Code.GPU_TOO_SMALL,
                                List.of(ONE),
                                amount(Quantity.GPU_COMPUTE_MILLIS, 0, 1_000, 1_000),
                                amount(Quantity.GPU_MEMORY_MIB, 0, 80, 80))
                        .detail())
                .as("each amount would do, all containers together do not fit")
                .isEqualTo("the GPUs of one node cannot hold all of it, even with nothing running, asked 1 whole GPU");
        assertThat(reason(
                                Code.GPU_TOO_SMALL,
                                List.of(ONE),
                                amount(Quantity.GPU_COMPUTE_MILLIS, 0, 0, 0),
                                amount(Quantity.GPU_MEMORY_MIB, 0, 0, 0))
                        .detail())
                .isEqualTo("the GPUs are cut into partitions for good, asked 1 whole GPU");
    }

    @Test
    void podsInTheWay_areCounted() {
        assertThat(reason(Code.POD_LIMIT, amount(Quantity.PODS, 0, 1, 1)).detail())
                .isEqualTo("1 pod in total, as many as the nodes take");
        assertThat(reason(Code.NOT_EMPTY, amount(Quantity.PODS, 0, 3, 2)).detail())
                .isEqualTo("3 pods in total run there, asked the whole node");
        assertThat(reason(Code.CORDONED).detail()).isEqualTo("cordoned");
        assertThat(reason(Code.HELD_WHOLE).detail()).isEqualTo("held as a whole by another pod");
    }

    @Test
    void layoutsLimitsAndGroups_sayWhatWasLookedFor() {
        Amount idle = amount(Quantity.GPUS, 2, 3, 2);
        assertThat(reason(Code.GPU_LAYOUT, List.of(ONE), idle).detail())
                .isEqualTo("the containers cannot be laid out together; 3 GPUs idle in total, at most 2 on one node,"
                        + " asked 1 whole GPU");
        assertThat(reason(Code.SEARCH_LIMIT, List.of(ONE), idle).detail())
                .isEqualTo("the search reached its limit; 3 GPUs idle in total, asked 1 whole GPU");
        assertThat(reason(Code.GROUP, List.of(ONE), idle).detail())
                .isEqualTo("a member alone would fit, 3 GPUs idle in total, at most 2 on one node");
        Reason group = new Reason(
                Code.GROUP,
                List.of("n1"),
                List.of(amount(Quantity.MEMBERS, 4, 3, 3)),
                List.of(new Fact.Members(PodId.of("m"), Locality.within("rack"), "worker", 1)),
                List.of(ONE));
        assertThat(group.detail())
                .isEqualTo("member \"m\" (1 whole GPU) alone would fit, but of 4 members needed together in one rack 3"
                        + " have room; role \"worker\" lacks 1");
        Reason one = new Reason(
                Code.GROUP,
                List.of("n1"),
                List.of(amount(Quantity.MEMBERS, 4, 1, 1)),
                List.of(new Fact.Members(PodId.of("m"), Locality.ANYWHERE, "worker", 0)),
                List.of(ONE));
        assertThat(one.detail()).endsWith("but of 4 members needed together 1 has room");
    }

    @Test
    void aReason_countsItsNodes() {
        assertThat(Reason.ofQuota(List.of("a"), "used up")).hasToString("1 node: used up");
        assertThat(Reason.ofQuota(List.of("a", "b"), "used up")).hasToString("2 nodes: used up");
        assertThatThrownBy(() -> Reason.ofQuota(List.of(), "used up"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("reason QUOTA: nodes must be at least 1, got none");
    }

    @Test
    void aReason_namesAllItsNodes_andFindsAnAmountByItsQuantity() {
        Reason reason = new Reason(
                Code.CPU,
                List.of("a", "b", "c", "d"),
                List.of(amount(Quantity.CPU_MILLIS, 9_000, 8_000, 8_000)),
                List.of(),
                List.of());
        assertThat(reason.nodeNames()).containsExactly("a", "b", "c", "d");
        assertThat(reason.amount(Quantity.CPU_MILLIS))
                .hasValueSatisfying(amount -> assertThat(amount.asked()).isEqualTo(9_000));
        assertThat(reason.amount(Quantity.GPUS)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void reasonsThatLieInTheNode_remainWhenAllPodsLeave(Code code) {
        assertThat(code.isTransient()).isNotEqualTo(LASTING.contains(code));
    }

    @ParameterizedTest
    @CsvSource({
        "CPU_MILLIS, 1500, 1.5 cores",
        "CPU_MILLIS, 1000, 1 core",
        "MEMORY_MIB, 1024, 1 GiB of memory",
        "MEMORY_MIB, 524287, 511.99 GiB of memory",
        "GPU_MEMORY_MIB, 1536, 1.5 GiB of GPU memory",
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
        "GPU_SLOTS, 1, 1 slot",
        "GPU_SLOTS, 3, 3 slots",
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
