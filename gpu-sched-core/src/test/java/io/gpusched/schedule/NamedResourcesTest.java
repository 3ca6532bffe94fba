package io.gpusched.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.gpusched.analysis.Headroom;
import io.gpusched.decision.Amount;
import io.gpusched.decision.Diagnosis;
import io.gpusched.decision.GroupPlaced;
import io.gpusched.decision.Placed;
import io.gpusched.decision.Reason;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PlacementConflictException;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.policy.BinPack;
import io.gpusched.policy.FragmentationGradient;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.policy.RandomFit;
import io.gpusched.policy.Spread;
import io.gpusched.testkit.Nodes;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import io.gpusched.workload.WorkloadProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Resources that are counted by name: they are taken, given back and looked at like CPU and memory. */
class NamedResourcesTest {
    private static final String NIC = "example.com/nic";
    private static final GpuScheduler SCHEDULER = GpuScheduler.create();

    private static Node node(String name, long nics) {
        return Node.builder(name)
                .capacity(8_000, 8_000)
                .gpus(4, Nodes.BIG)
                .resource(NIC, nics)
                .build();
    }

    private static Pod pod(String name, long nics) {
        return Pod.of(name, Resources.of(100, 100).with(NIC, nics), GpuRequest.exclusive(1));
    }

    private static Placement placed(Cluster cluster, Pod pod) {
        return ((Placed) SCHEDULER.schedule(cluster, pod)).placement();
    }

    static Stream<PlacementPolicy> policies() {
        WorkloadProfile profile = WorkloadProfile.of(List.of(pod("usual", 1)));
        return Stream.of(BinPack.of(), Spread.of(), RandomFit.of(7), FragmentationGradient.of(profile));
    }

    @ParameterizedTest
    @MethodSource("policies")
    void podsTakeWhatThereIsAndNoMore(PlacementPolicy policy) {
        Cluster cluster = Cluster.of(List.of(node("n1", 3), node("n2", 0), node("n3", 1), node("n4", 2)));
        GpuScheduler scheduler = GpuScheduler.of(policy);
        List<String> used = new ArrayList<>();
        for (int i = 0; scheduler.schedule(cluster, pod("p" + i, 1)) instanceof Placed found; i++) {
            cluster = cluster.with(found.placement());
            used.add(found.placement().node());
        }
        assertThat(used).containsExactlyInAnyOrder("n1", "n1", "n1", "n3", "n4", "n4");
        assertThat(cluster.nodes()).allMatch(node -> node.free(NIC) == 0);
        cluster.validate();
    }

    @Test
    void whatAPodHeld_isFreeAgainWhenItLeaves() {
        Cluster empty = Cluster.of(List.of(node("n1", 3)));
        Placement placement = placed(empty, pod("p", 2));
        Cluster used = empty.with(placement);
        assertThat(used.node(0).free(NIC)).isEqualTo(1);
        assertThat(used.node(0).free("rdma/hca")).isZero();
        assertThat(used.without(placement)).isEqualTo(empty);
        assertThat(used.without(placement).node(0).freeNamed())
                .isEqualTo(empty.node(0).freeNamed());
    }

    @Test
    void theClusterKnowsTheirSums() {
        Cluster empty = Cluster.of(List.of(node("n1", 3), node("n2", 0), node("n3", 4)));
        assertThat(empty.totals().capacity().named()).hasToString("7 example.com/nic");
        assertThat(empty.totals().used().named().isEmpty()).isTrue();
        Placement placement = placed(empty, pod("p", 2));
        Cluster used = empty.with(placement);
        assertThat(used.totals().used().named()).hasToString("2 example.com/nic");
        assertThat(used.withNode(node("n4", 5)).totals().capacity().named()).hasToString("12 example.com/nic");
        assertThat(used.without(placement).totals()).isEqualTo(empty.totals());
        Placement whole = placed(empty, Pod.of("w", Resources.NONE.with(NIC, 4), GpuRequest.wholeNode()));
        assertThat(empty.with(whole).totals().used().named())
                .as("a whole node holds all that there is")
                .hasToString("4 example.com/nic");
        used.validate();
    }

    @Test
    void overhead_countsInFitDiagnosisAndRemedy() {
        Cluster cluster = Cluster.of(List.of(node("n1", 3)));
        Pod pod = Pod.builder("p")
                .container("a", Resources.NONE.with(NIC, 2), GpuRequest.none())
                .overhead(Resources.NONE.with(NIC, 1).with("hugepages-2Mi", 1L << 21))
                .build();
        Diagnosis never = ((Unschedulable) SCHEDULER.schedule(cluster, pod)).diagnosis();
        assertThat(never.couldFitLater()).isFalse();
        assertThat(never.reasons().get(0).detail()).contains("2 MiB hugepages-2Mi");
        Node both = Node.builder("n2")
                .capacity(8_000, 8_000)
                .resource(NIC, 3)
                .resource("hugepages-2Mi", 1L << 21)
                .build();
        Cluster wider = cluster.withNode(both);
        Placement placement = placed(wider, pod);
        assertThat(placement.node()).isEqualTo("n2");
        assertThat(wider.with(placement).node("n2").orElseThrow().freeNamed().isEmpty())
                .isTrue();
        Cluster full = wider.with(placement);
        Diagnosis later = ((Unschedulable) SCHEDULER.schedule(full, pod.withId(PodId.of("q")))).diagnosis();
        assertThat(later.couldFitLater()).isTrue();
        assertThat(later.remedy().toString()).contains("hugepages-2Mi").contains(NIC);
    }

    @Test
    void aWholeNode_takesAll() {
        Cluster empty = Cluster.of(List.of(node("n1", 3)));
        Pod all = Pod.of("p", Resources.of(0, 0).with(NIC, 2), GpuRequest.wholeNode());
        Placement placement = placed(empty, all);
        NodeState held = empty.with(placement).node(0);
        assertThat(held.free(NIC)).isZero();
        assertThat(held.without(placement).free(NIC)).isEqualTo(3);
        assertThat(SCHEDULER.schedule(empty, pod("too-much", 4)).isPlaced()).isFalse();
    }

    @Test
    void aPlacementThatTakesMoreThanIsFree_isAConflict() {
        Cluster cluster = Cluster.of(List.of(node("n1", 1)));
        Placement two = new Placement(PodId.of("p"), "n1", Resources.of(0, 0).with(NIC, 2), List.of());
        assertThatExceptionOfType(PlacementConflictException.class)
                .isThrownBy(() -> cluster.with(two))
                .withMessageContaining("example.com/nic must be in 0..1 (what is free), got 2");
    }

    @Test
    void initContainersAndSidecars_countAsForCpu() {
        Resources one = Resources.NONE.with(NIC, 1);
        Pod pod = Pod.builder("p")
                .container(Container.sidecar("s", one, GpuRequest.none()))
                .container(Container.init("i", Resources.NONE.with(NIC, 3), GpuRequest.none()))
                .container(Container.of("a", one, GpuRequest.none()))
                .container(Container.of("b", Resources.NONE.with("rdma/hca", 1), GpuRequest.none()))
                .overhead(one)
                .build();
        assertThat(pod.resources()).isEqualTo(Resources.NONE.with(NIC, 5).with("rdma/hca", 1));
    }

    @Test
    void aSumOfAPodBeyondTheRange_isRefusedWithItsName() {
        Resources most = Resources.NONE.with(NIC, 1L << 62);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Pod.builder("p")
                        .container("a", most, GpuRequest.none())
                        .container("b", most, GpuRequest.none())
                        .build())
                .withMessageStartingWith("pod \"p\": resources: sum of example.com/nic must be in 0..");
    }

    @Test
    void tooLittleFree_isAReasonWithWhatWasAskedAndIsFree_andARemedy() {
        Cluster cluster = Cluster.of(List.of(node("n1", 3), node("n2", 2)));
        cluster = cluster.with(placed(cluster, pod("p", 2).withId(PodId.of("first"))));
        cluster = cluster.with(placed(cluster, pod("q", 2)));
        Diagnosis diagnosis = ((Unschedulable) SCHEDULER.schedule(cluster, pod("r", 2))).diagnosis();
        Reason reason = diagnosis.reasons().get(0);
        assertThat(reason.code()).isEqualTo(Reason.Code.RESOURCE);
        assertThat(reason.amounts()).containsExactly(new Amount(Amount.Quantity.RESOURCE, 2, 1, 1, NIC));
        assertThat(reason.detail()).isEqualTo("1 example.com/nic free in total, at most 1 on one node, asked 2");
        assertThat(diagnosis.remedy()).hasToString("free 1 example.com/nic on n1");
        assertThat(diagnosis.couldFitLater()).isTrue();
    }

    @Test
    void aNodeThatNeverHasEnough_isTooSmall() {
        Cluster cluster = Cluster.of(List.of(node("n1", 3), node("n2", 0)));
        Diagnosis diagnosis = ((Unschedulable) SCHEDULER.schedule(cluster, pod("r", 4))).diagnosis();
        assertThat(diagnosis.couldFitLater()).isFalse();
        assertThat(diagnosis.reasons().get(0).detail())
                .isEqualTo("at most 3 example.com/nic on one node, asked 4 example.com/nic");
    }

    @Test
    void headroomCountsThem() {
        Cluster cluster = Cluster.of(List.of(node("n1", 3), node("n2", 0), node("n3", 100)));
        assertThat(Headroom.of(cluster, pod("p", 2)).byNode())
                .containsOnly(
                        org.assertj.core.api.Assertions.entry("n1", 1L),
                        org.assertj.core.api.Assertions.entry("n3", 4L));
        assertThat(Headroom.whyNoMore(cluster, pod("p", 2)).remedy()).hasToString("free 1 example.com/nic on n1");
    }

    @Test
    void aGangIsPlacedWhereTheyAre_orNotAtAll() {
        Cluster cluster = Cluster.of(List.of(node("n1", 3), node("n2", 2), node("n3", 1)));
        PodGroup three = PodGroup.of("g", List.of(pod("a", 2), pod("b", 3), pod("c", 1)));
        assertThat(SCHEDULER.schedule(cluster, three)).isInstanceOf(GroupPlaced.class);
        PodGroup tooMany = PodGroup.of(
                "g", IntStream.range(0, 4).mapToObj(i -> pod("m" + i, 2)).toList());
        assertThat(SCHEDULER.schedule(cluster, tooMany)).isInstanceOf(Unschedulable.class);
    }

    @Test
    void twoHundredKindsOfResources_areFoundThroughNodesThatShareATree() {
        List<Node> nodes = IntStream.range(0, 200)
                .mapToObj(i -> Node.builder("n" + i)
                        .capacity(8_000, 8_000)
                        .gpus(4, Nodes.BIG)
                        .resource("example.com/of-" + i, 1)
                        .build())
                .toList();
        Cluster cluster = Cluster.of(nodes);
        for (int i = 0; i < 200; i += 7) {
            Pod pod = Pod.of("p", Resources.NONE.with("example.com/of-" + i, 1), GpuRequest.percent(10));
            assertThat(placed(cluster, pod).node()).isEqualTo("n" + i);
        }
    }
}
