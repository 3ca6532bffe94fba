package io.gpusched.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.gpusched.decision.GroupPlaced;
import io.gpusched.model.Cluster;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Locality;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.model.Taint;
import io.gpusched.model.Topology;
import io.gpusched.model.partition.MigGeometry;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.schedule.SearchBudget;
import io.gpusched.testkit.Nodes;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import io.gpusched.workload.WorkloadProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DefragmenterTest {
    private static final List<WantedRoom> WHOLE = List.of(WantedRoom.wholeNodes());

    private static Node.Builder node(String name) {
        return Node.builder(name).capacity(8_000, 8_000).gpus(8, Nodes.BIG);
    }

    private static Pod pod(String name, int gpus) {
        return Pod.of(name, Resources.of(100, 100), GpuRequest.exclusive(gpus));
    }

    private static Cluster nodes(int count) {
        List<Node> nodes = new ArrayList<>();
        for (int n = 1; n <= count; n++) {
            nodes.add(node("n" + n)
                    .topology(Topology.of("rack", "r" + (n + 1) / 2))
                    .build());
        }
        return Cluster.of(nodes);
    }

    /** A pod of 2, one of 6 and one of 5 on three nodes. */
    private static Cluster scattered() {
        Cluster cluster = DrainTest.with(nodes(3), "n1", pod("a", 2));
        return DrainTest.with(DrainTest.with(cluster, "n2", pod("b", 6)), "n3", pod("c", 5));
    }

    @Test
    void theSmallPodMoves_andNothingMoreHelps() {
        DefragPlan plan = Defragmenter.plan(scattered(), WHOLE, MoveLimits.NONE);
        assertThat(plan).hasToString("1 pod moved: from [0] to [1]");
        assertThat(plan.stages()).hasToString("[1 pod moved for [+1 whole nodes at n1]]");
        assertThat(plan.moves()).hasToString("[[a] from [n1] to [n2]]");
        assertThat(plan.extent()).isEqualTo(Extent.COMPLETE);
    }

    @Test
    void whatBuysMostAMoveComesFirst_andNoMoreMoveThanMay() {
        Cluster cluster = DrainTest.with(nodes(4), "n1", pod("a", 1));
        cluster = DrainTest.with(DrainTest.with(cluster, "n1", pod("b", 1)), "n2", pod("c", 3));
        cluster = DrainTest.with(DrainTest.with(cluster, "n3", pod("d", 4)), "n4", pod("e", 7));
        DefragPlan all = Defragmenter.plan(cluster, WHOLE, MoveLimits.NONE);
        assertThat(all.stages()).extracting(DefragPlan.Stage::pods).containsExactly(1, 2);
        assertThat(all.after()).containsExactly(2L);
        assertThat(Defragmenter.plan(cluster, WHOLE, MoveLimits.of(2)).pods()).isEqualTo(1);
        assertThat(Defragmenter.plan(cluster, WHOLE, MoveLimits.of(0)).stages()).isEmpty();
    }

    private static MoveLimits only(String pod) {
        return MoveLimits.NONE.keeping(held -> !held.pod().equals(PodId.of(pod)));
    }

    @Test
    void whoMustStay_orIsProtected_doesNotMove() {
        Cluster cluster = scattered();
        Set<PodId> a = Set.of(PodId.of("a"));
        MoveLimits fixed = only("a").keeping(held -> a.contains(held.pod()));
        MoveLimits protectedBy0 = only("a").within(List.of(new DisruptionBudget("pdb", a, 0)));
        MoveLimits protectedBy1 = only("a").within(List.of(new DisruptionBudget("pdb", a, 1)));
        assertThat(Defragmenter.plan(cluster, WHOLE, fixed).stages()).isEmpty();
        assertThat(Defragmenter.plan(cluster, WHOLE, protectedBy0).stages()).isEmpty();
        assertThat(Defragmenter.plan(cluster, WHOLE, protectedBy1).pods()).isEqualTo(1);
    }

    @Test
    void aGroupMovesAtOneTimeIfTold_asManyAsItsBudgetAllows() {
        Cluster cluster = DrainTest.with(nodes(2), "n2", pod("b", 6));
        PodGroup pair =
                PodGroup.of("pair", List.of(pod("a-0", 1), pod("a-1", 1))).withLocality(Locality.oneNode());
        cluster = placed(cluster.withCordoned("n2", true), pair).withCordoned("n2", false);
        MoveLimits whole = MoveLimits.NONE
                .keeping(held -> held.pod().equals(PodId.of("b")))
                .wholeGroups();
        assertThat(Defragmenter.plan(cluster, WHOLE, whole).moves()).hasToString("[[a-0, a-1] from [n1] to [n2]]");
        Set<PodId> members = Set.of(PodId.of("a-0"), PodId.of("a-1"));
        assertThat(Defragmenter.plan(cluster, WHOLE, whole.within(List.of(new DisruptionBudget("pdb", members, 1))))
                        .moves())
                .isEmpty();
        assertThat(Defragmenter.plan(cluster, WHOLE, whole.within(List.of(new DisruptionBudget("pdb", members, 2))))
                        .moves())
                .hasSize(1);
    }

    private static Cluster placed(Cluster cluster, PodGroup group) {
        GroupPlaced placed = (GroupPlaced) GpuScheduler.create().schedule(cluster, group);
        return cluster.withAll(placed.placements());
    }

    @Test
    void aWholeRackIsMade_thoughNoNodeOfItAloneIsWanted() {
        Cluster cluster = DrainTest.with(DrainTest.with(nodes(4), "n1", pod("a", 4)), "n2", pod("b", 4));
        cluster = DrainTest.with(DrainTest.with(cluster, "n3", pod("c", 1)), "n4", pod("d", 2));
        DefragPlan plan = Defragmenter.plan(cluster, List.of(WantedRoom.wholeDomains("rack")), MoveLimits.NONE);
        assertThat(plan.stages())
                .hasToString("[2 pods moved for [+1 domains of level rack of whole nodes at rack=r1]]");
        assertThat(plan.cluster().node("n3").orElseThrow().idleGpus()
                        + plan.cluster().node("n4").orElseThrow().idleGpus())
                .isEqualTo(5);
    }

    @Test
    void roomForAGroupInARack_isMadeByMovingOutWhatIsInTheWay() {
        Cluster cluster = DrainTest.with(DrainTest.with(nodes(4), "n1", pod("a", 1)), "n3", pod("b", 1));
        cluster = DrainTest.with(cluster, "n4", pod("c", 1));
        WantedRoom pairs = WantedRoom.groups(pod("whole", 8), 2, "rack");
        DefragPlan plan = Defragmenter.plan(cluster, List.of(pairs), MoveLimits.NONE);
        assertThat(plan.before()).containsExactly(0L);
        assertThat(plan.after()).containsExactly(1L);
        assertThat(plan.moves()).hasToString("[[a] from [n1] to [n3]]");
    }

    @Test
    void slicesMoveTogether_whereTheProfileAsksForLargeOnes() {
        Node.Builder node = Node.builder("n1").capacity(8_000, 8_000);
        for (int g = 0; g < 2; g++) {
            node.gpu(Gpu.of(g, "gpu-" + g, GpuModel.of("nvidia", "A100-SXM4-40GB", 40_960))
                    .withPartitions(MigGeometry.A100_40GB.geometry()));
        }
        Cluster cluster = Cluster.of(List.of(node.build()));
        for (int p = 0; p < 8; p++) {
            Pod slice = Pod.of("s" + p, Resources.NONE, GpuRequest.partition("1g.5gb", 1));
            cluster = DrainTest.with(cluster, "n1", slice);
        }
        for (int p = 1; p < 7; p++) {
            cluster = cluster.without(PodId.of("s" + p));
        }
        WorkloadProfile profile =
                new WorkloadProfile(List.of(new WorkloadProfile.Demand(0, 0, 0, Set.of(), 1)), Map.of("7g.40gb", 1L));
        DefragPlan plan = Defragmenter.plan(cluster, WantedRoom.of(profile), MoveLimits.NONE);
        assertThat(plan.before()).containsExactly(0L);
        assertThat(plan.after()).containsExactly(1L);
        assertThat(plan.pods()).isEqualTo(1);
    }

    @Test
    void aProfileIsTurnedIntoItsKindsOfPods_eachWorthWhatItTakes() {
        WorkloadProfile profile = new WorkloadProfile(
                List.of(
                        new WorkloadProfile.Demand(1_000, 1_000, 8, Set.of("A100"), 3),
                        new WorkloadProfile.Demand(1_000, 500, 1, Set.of(), 2),
                        new WorkloadProfile.Demand(1_000, 0, 0, Set.of(), 9)),
                Map.of());
        List<WantedRoom> wanted = WantedRoom.of(profile);
        assertThat(wanted).extracting(WantedRoom::weight).containsExactly(24_000L, 1_000L);
        assertThat(nodes(1))
                .satisfies(cluster -> assertThat(
                                Headroom.of(cluster, wanted.get(1).pod().orElseThrow())
                                        .pods())
                        .isEqualTo(8));
    }

    @Test
    void aPodThatWouldMoveTwice_goesToItsLastPlaceAtOnce() {
        Cluster cluster = DrainTest.with(nodes(3).withGpuHealth("n2", 7, false), "n1", pod("a", 4));
        cluster = DrainTest.with(DrainTest.with(cluster, "n3", pod("b", 2)), "n3", pod("c", 1));
        DefragPlan plan = Defragmenter.plan(cluster, WHOLE, MoveLimits.NONE);
        assertThat(plan.after()).containsExactly(2L);
        assertThat(plan.moves()).hasToString("[[a] from [n1] to [n2], [b] from [n3] to [n2], [c] from [n3] to [n2]]");
    }

    @Test
    void aBudgetThatEnds_isSaid() {
        DefragPlan plan = Defragmenter.plan(scattered(), WHOLE, MoveLimits.NONE, SearchBudget.ofSteps(5));
        assertThat(plan.extent()).isEqualTo(Extent.BUDGET_ENDED);
        assertThat(plan).hasToString("0 pods moved: from [0] to [0] (more may be had)");
    }

    @Test
    void aNodeThatIsCordonedOrBroken_isNoWholeNode() {
        Cluster cluster = scattered();
        assertThat(Defragmenter.plan(cluster.withCordoned("n1", true), WHOLE, only("a"))
                        .stages())
                .isEmpty();
        Taint notReady = new Taint("node.kubernetes.io/not-ready", "", Taint.Effect.NO_EXECUTE);
        Node tainted = node("n1").taint(notReady).build();
        assertThat(Defragmenter.plan(cluster.withReplaced(tainted), WHOLE, only("a"))
                        .stages())
                .isEmpty();
        NodeState first = cluster.node("n1").orElseThrow();
        assertThat(Defragmenter.plan(cluster.withGpuHealth(first.name(), 7, false), WHOLE, only("a"))
                        .stages())
                .isEmpty();
    }

    @Test
    void numbersThatMeanNothing_areRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> WantedRoom.groups(pod("a", 1), -1, "rack"))
                .withMessage("wanted room: members must be in 0..2147483647, got -1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> WantedRoom.wholeNodes().withWeight(0))
                .withMessage("wanted room: weight must be in 1..1099511627776, got 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MoveLimits.of(-1))
                .withMessage("move limits: most must be in 0..2147483647, got -1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Move(List.of(), List.of()))
                .withMessage("move: must be of the same pods, got [] and []");
    }
}
