package io.gpusched.schedule.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.analysis.Drain;
import io.gpusched.analysis.Headroom;
import io.gpusched.decision.Certainty;
import io.gpusched.decision.Change;
import io.gpusched.decision.Decision;
import io.gpusched.decision.Diagnosis;
import io.gpusched.decision.GroupPlaced;
import io.gpusched.decision.Placed;
import io.gpusched.decision.Reason;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.ContainerKind;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PlacementConflictException;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.model.partition.GpuPartition;
import io.gpusched.model.partition.MigGeometry;
import io.gpusched.model.partition.PartitionGeometry;
import io.gpusched.policy.BinPack;
import io.gpusched.policy.LookAhead;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.schedule.SearchBudget;
import io.gpusched.testkit.StaticCuts;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import io.gpusched.workload.WorkloadProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Partitions as users meet them. */
class PartitionSchedulingTest {
    private static final GpuModel A100 = GpuModel.of("nvidia", "A100-SXM4-40GB", 40_960);
    private static final PartitionGeometry MIG = MigGeometry.A100_40GB.geometry();
    private final GpuScheduler scheduler = GpuScheduler.of(BinPack.of());

    private static Node node(String name, int gpus, PartitionGeometry geometry) {
        Node.Builder node = Node.builder(name).capacity(64_000, 262_144);
        for (int g = 0; g < gpus; g++) {
            node.gpu(Gpu.of(g, name + "-" + g, A100).withPartitions(geometry));
        }
        return node.build();
    }

    private static Pod pod(String id, String profile, int instances) {
        return Pod.of(id, Resources.of(1_000, 1_024), GpuRequest.partition(profile, instances));
    }

    private static List<Pod> members(int count) {
        List<Pod> members = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            members.add(pod("member-" + i, "2g.10gb", 1));
        }
        return members;
    }

    private Cluster place(Cluster cluster, Pod pod) {
        Decision decision = scheduler.schedule(cluster, pod);
        assertThat(decision).isInstanceOf(Placed.class);
        return cluster.with(((Placed) decision).placement());
    }

    private static List<GpuPartition> held(Cluster cluster) {
        List<GpuPartition> held = new ArrayList<>();
        cluster.placements()
                .forEach(placement -> placement.containers().forEach(grant -> {
                    if (grant.gpus() instanceof GpuGrant.Partitions partitions) {
                        held.addAll(partitions.partitions());
                    }
                }));
        return held;
    }

    @Test
    void idleGpu_isCutOnDemand_andIsWholeAgainWhenItsLastPartitionLeaves() {
        Cluster empty = Cluster.of(List.of(node("n", 1, MIG)));
        Cluster cut = place(empty, pod("a", "3g.20gb", 1));
        NodeState node = cut.node(0);
        assertThat(node.isCut(0)).isTrue();
        assertThat(node.isIdle(0)).isFalse();
        assertThat(node.freeComputeMillis(0)).isEqualTo(1_000 - 428);
        assertThat(node.freeMemoryMib(0)).isEqualTo(40_960 - 19_968);
        assertThat(scheduler.schedule(cut, Pod.of("whole", Resources.NONE, GpuRequest.exclusive(1))))
                .isInstanceOf(Unschedulable.class);
        assertThat(scheduler.schedule(cut, Pod.of("share", Resources.NONE, GpuRequest.percent(1))))
                .isInstanceOf(Unschedulable.class);
        Cluster whole = cut.without(PodId.of("a"));
        assertThat(whole.nodes()).isEqualTo(empty.nodes());
        assertThat(whole.node(0).isIdle(0)).isTrue();
    }

    @Test
    void smallPartitions_areLaidSoThatLargeOnesStillFit() {
        Cluster cluster = Cluster.of(List.of(node("n", 1, MIG)));
        for (int i = 0; i < 3; i++) {
            cluster = place(cluster, pod("small-" + i, "1g.5gb", 1));
        }
        assertThat(scheduler.schedule(cluster, pod("large", "4g.20gb", 1))).isInstanceOf(Placed.class);
    }

    @Test
    void cutGpuWithLeastRoom_isTakenBeforeAnIdleOne() {
        Cluster cluster = Cluster.of(List.of(node("a", 2, MIG), node("b", 2, MIG)));
        cluster = place(cluster, pod("one", "4g.20gb", 1));
        cluster = place(cluster, pod("two", "2g.10gb", 1));
        assertThat(held(cluster)).extracting(GpuPartition::gpu).containsOnly(0);
        assertThat(cluster.node("b").orElseThrow().isEmpty()).isTrue();
    }

    @Test
    void partition_leavesTheGpuThatAnotherContainerOfItsPodAskedForByUuid() {
        Cluster cluster = Cluster.of(List.of(node("n", 2, MIG)));
        GpuSelector first = GpuSelector.ANY.withAllowedUuids(Set.of("n-0"));
        for (GpuRequest other :
                List.of(GpuRequest.exclusive(1, first), GpuRequest.percent(10).withSelector(first))) {
            Pod pod = Pod.builder("both")
                    .container("cut", Resources.NONE, GpuRequest.partition("1g.5gb", 1))
                    .container("other", Resources.NONE, other)
                    .build();
            assertThat(held(place(cluster, pod))).extracting(GpuPartition::gpu).containsExactly(1);
        }
    }

    @Test
    void severalPartitions_mayLieOnOneGpuOrOnMany() {
        Cluster cluster = place(Cluster.of(List.of(node("n", 2, MIG))), pod("many", "2g.10gb", 5));
        assertThat(held(cluster)).hasSize(5).doesNotHaveDuplicates();
        assertThat(scheduler.schedule(cluster, pod("more", "2g.10gb", 2))).isInstanceOf(Unschedulable.class);
    }

    @Test
    void staticPartitions_areTheOnlyOnes_andNothingElseIsHadOfTheGpu() {
        PartitionGeometry cut = StaticCuts.of(MIG, "3g.20gb@0", "3g.20gb@4");
        Cluster cluster = Cluster.of(List.of(node("n", 1, cut)));
        assertThat(cluster.node(0).idleGpus()).isZero();
        assertThat(scheduler.schedule(cluster, pod("small", "1g.5gb", 1))).isInstanceOf(Unschedulable.class);
        assertThat(scheduler.schedule(cluster, Pod.of("whole", Resources.NONE, GpuRequest.exclusive(1))))
                .isInstanceOf(Unschedulable.class);
        cluster = place(place(cluster, pod("a", "3g.20gb", 1)), pod("b", "3g.20gb", 1));
        assertThat(held(cluster)).extracting(GpuPartition::start).containsExactlyInAnyOrder(0, 4);
    }

    @Test
    void recutGpu_keepsItsLayoutWhileAnythingOfItIsHeld() {
        PartitionGeometry geometry = StaticCuts.oneOf(
                MIG, Map.of("halves", List.of("3g.20gb@0", "3g.20gb@4"), "full", List.of("7g.40gb@0")));
        Cluster empty = Cluster.of(List.of(node("n", 1, geometry)));
        Cluster cluster = place(empty, pod("a", "3g.20gb", 1));
        assertThat(held(cluster)).extracting(GpuPartition::mode).containsExactly("halves");
        assertThat(scheduler.schedule(cluster, pod("big", "7g.40gb", 1))).isInstanceOf(Unschedulable.class);
        assertThat(scheduler.schedule(empty, pod("big", "7g.40gb", 1))).isInstanceOf(Placed.class);
    }

    @Test
    void refusal_countsThePlacesThatAreFree_andItsRemedyIsTrue() {
        Cluster cluster = place(Cluster.of(List.of(node("n", 1, MIG))), pod("holder", "4g.20gb", 1));
        Unschedulable refused = (Unschedulable) scheduler.schedule(cluster, pod("big", "7g.40gb", 1));
        Reason reason = refused.diagnosis().reasons().get(0);
        assertThat(reason.code()).isEqualTo(Reason.Code.PARTITION);
        assertThat(reason.detail())
                .isEqualTo("0 places free for such a partition in total, at most 0 on one node; asked 1 partition"
                        + " 7g.40gb");
        assertThat(refused.diagnosis().remedy().toString()).contains("release pod \"holder\" on n");
        assertThat(scheduler.schedule(cluster.without(PodId.of("holder")), pod("big", "7g.40gb", 1)))
                .isInstanceOf(Placed.class);
    }

    @Test
    void profileThatNoGpuKnows_isRefusedForGood() {
        Cluster cluster = Cluster.of(List.of(node("n", 1, MIG)));
        Unschedulable refused = (Unschedulable) scheduler.schedule(cluster, pod("p", "3g.40gb", 1));
        assertThat(refused.diagnosis().reasons().get(0).code().isTransient()).isFalse();
    }

    @Test
    void gang_startsWithAllItsPartitionsOrNot() {
        Cluster cluster = Cluster.of(List.of(node("a", 1, MIG), node("b", 1, MIG)));
        PodGroup six = PodGroup.of("six", members(6));
        assertThat(scheduler.schedule(cluster, six)).isInstanceOf(GroupPlaced.class);
        PodGroup seven = PodGroup.of("seven", members(7));
        assertThat(scheduler.schedule(cluster, seven)).isInstanceOf(Unschedulable.class);
    }

    @Test
    void headroom_countsHowManyMoreFit() {
        Cluster cluster = place(Cluster.of(List.of(node("a", 1, MIG), node("b", 1, MIG))), pod("p", "3g.20gb", 1));
        assertThat(Headroom.of(cluster, pod("x", "3g.20gb", 1)).pods()).isEqualTo(3);
        assertThat(Headroom.of(cluster, pod("x", "7g.40gb", 1)).pods()).isEqualTo(1);
    }

    @Test
    void drain_movesPartitionsToOtherNodes() {
        Cluster cluster = place(Cluster.of(List.of(node("a", 1, MIG), node("b", 1, MIG))), pod("p", "3g.20gb", 1));
        cluster = place(cluster, pod("q", "4g.20gb", 1));
        String busy = cluster.placements().get(0).node();
        Drain drain = Drain.of(cluster, List.of(busy));
        assertThat(drain.isPossible()).isTrue();
        assertThat(drain.moves()).hasSize(2).noneMatch(move -> move.node().equals(busy));
        drain.after().validate();
    }

    @Test
    void knownMix_decidesWhereASmallPartitionGoes() {
        List<Pod> mostlyLarge = List.of(pod("l1", "3g.20gb", 1), pod("l2", "3g.20gb", 1), pod("s", "1g.5gb", 1));
        GpuScheduler knowing = GpuScheduler.of(LookAhead.of(WorkloadProfile.of(mostlyLarge)));
        Cluster cluster = Cluster.of(List.of(node("n", 1, MIG)));
        for (int i = 0; i < 3; i++) {
            Placed placed = (Placed) knowing.schedule(cluster, pod("small-" + i, "1g.5gb", 1));
            cluster = cluster.with(placed.placement());
        }
        assertThat(knowing.schedule(cluster, pod("large", "3g.20gb", 1))).isInstanceOf(Placed.class);
        assertThat(WorkloadProfile.of(mostlyLarge).partitions()).containsEntry("3g.20gb", 2L);
    }

    @Test
    void partitionsThatOverlap_areAConflictThatNamesTheGpu() {
        NodeState node = place(Cluster.of(List.of(node("n", 1, MIG))), pod("a", "4g.20gb", 1))
                .node(0);
        Placement other = new Placement(
                PodId.of("b"),
                "n",
                Resources.NONE,
                List.of(ContainerGrant.of("main", new GpuGrant.Partitions(List.of(GpuPartition.of(0, "1g.5gb", 1))))));
        assertThatThrownBy(() -> node.with(other))
                .isInstanceOf(PlacementConflictException.class)
                .hasMessageContaining("gpu 0 do not go with the partitions that are held there");
        Placement unknown = new Placement(
                PodId.of("b"),
                "n",
                Resources.NONE,
                List.of(ContainerGrant.of("main", new GpuGrant.Partitions(List.of(GpuPartition.of(0, "2g.10gb", 1))))));
        assertThatThrownBy(() -> node.with(unknown))
                .isInstanceOf(PlacementConflictException.class)
                .hasMessageContaining("is no partition of such a device");
    }

    @Test
    void whatFitsNowhereBesidePartitions_isRefusedForCertain_inFewSteps() {
        Cluster cluster = Cluster.of(List.of(node("n", 8, MIG)));
        List<Container> containers = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            containers.add(Container.of(
                    "cut-" + i, Resources.of(100, 100), GpuRequest.partition(i % 2 == 0 ? "1g.5gb" : "2g.10gb", 1)));
        }
        for (int i = 0; i < 3; i++) {
            containers.add(Container.of("whole-" + i, Resources.of(100, 100), GpuRequest.exclusive(3)));
        }
        Decision decision = scheduler.toBuilder()
                .budget(SearchBudget.ofSteps(20_000))
                .build()
                .schedule(cluster, new Pod(PodId.of("p"), containers, NodeSelector.ANY, List.of()));
        assertThat(decision)
                .isInstanceOfSatisfying(
                        Unschedulable.class,
                        refused -> assertThat(refused.certainty()).isEqualTo(Certainty.PROVEN));
    }

    @Test
    void partitionsThatLeaveTooFewGpusForTheOthers_areRefusedForGood_andNoRemedyPromisesElse() {
        Cluster cluster = Cluster.of(List.of(node("n", 3, MigGeometry.A30_24GB.geometry())));
        GpuRequest threeOfFour = GpuRequest.partition("1g.6gb", 3);
        Pod pod = Pod.builder("p")
                .container(new Container("cut", ContainerKind.SIDECAR, Resources.of(100, 100), threeOfFour))
                .container("share", Resources.of(100, 100), GpuRequest.percent(10))
                .container(new Container("whole", ContainerKind.SIDECAR, Resources.NONE, GpuRequest.exclusive(1)))
                .container(new Container("first", ContainerKind.INIT, Resources.NONE, threeOfFour))
                .build();
        // the init container and the sidecar before it need two GPUs cut, the others one each
        for (long steps : List.of(20_000L, 2_000_000L)) {
            Unschedulable refused = (Unschedulable) scheduler.toBuilder()
                    .budget(SearchBudget.ofSteps(steps))
                    .build()
                    .schedule(cluster, pod);
            assertThat(refused.certainty()).isEqualTo(Certainty.PROVEN);
            assertThat(refused.couldFitLater()).isFalse();
            assertThat(refused.diagnosis().remedy().changes()).singleElement().isInstanceOf(Change.AddNodes.class);
        }
    }

    @Test
    void aProfileThatNoGpuHereHas_isToldWithThoseKnown_andOtherNodesMayHaveIt() {
        Cluster cluster = Cluster.of(List.of(node("n", 1, MigGeometry.A30_24GB.geometry())));
        Pod pod = Pod.of("p", Resources.of(100, 100), GpuRequest.partition("7g.80gb", 1));
        Diagnosis diagnosis = ((Unschedulable) scheduler.schedule(cluster, pod)).diagnosis();
        assertThat(diagnosis)
                .hasToString("pod \"p\": can never fit on any of 1 node\n"
                        + "  1 node: no GPU can hold it, even with nothing running, asked 1 partition 7g.80gb;"
                        + " no node has the partition profile \"7g.80gb\"; known here are 1g.6gb, 1g.6gb+me, 2g.12gb,"
                        + " 2g.12gb+me, 4g.24gb\n"
                        + "  nearest remedy: ask for a partition profile that nodes have: 1g.6gb, 1g.6gb+me, 2g.12gb,"
                        + " 2g.12gb+me, 4g.24gb");
        assertThat(diagnosis.remedy().nodes())
                .singleElement()
                .satisfies(add ->
                        assertThat(add).hasToString("add a node with 0.1 cores, 100 MiB, for 1 partition 7g.80gb"));
    }
}
