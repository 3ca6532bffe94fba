package io.gpusched.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.gpusched.decision.GroupPlaced;
import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.Locality;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.PlacementConflictException;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.model.Topology;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.testkit.Nodes;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RepairTest {
    private static Pod pod(String name, int gpus) {
        return Pod.of(name, Resources.of(100, 100), GpuRequest.exclusive(gpus));
    }

    private static Cluster nodes(int count, int gpus) {
        List<Node> nodes = new ArrayList<>();
        for (int n = 1; n <= count; n++) {
            nodes.add(Node.builder("n" + n)
                    .capacity(8_000, 8_000)
                    .gpus(gpus, Nodes.BIG)
                    .topology(Topology.of("rack", "r" + (n + 1) / 2))
                    .build());
        }
        return Cluster.of(nodes);
    }

    private static Cluster with(Cluster cluster, String node, String pod, int gpus) {
        return DrainTest.with(cluster, node, pod(pod, gpus));
    }

    @Test
    void aGpuIsEmptied_ontoAnotherOfTheSameNode() {
        Cluster cluster = with(with(nodes(1, 3), "n1", "a", 1), "n1", "b", 1);
        Repair repair = Repair.plan(cluster, "n1", 0, MoveLimits.NONE);
        assertThat(repair).hasToString("empty gpu 0 of n1: 1 pod moved");
        assertThat(repair.after().placement(PodId.of("a")).orElseThrow().gpus()).containsExactly(2);
        assertThat(repair.after().node("n1").orElseThrow().isHealthy(0)).isFalse();
    }

    @Test
    void anIdleGpu_isEmptyAlready() {
        assertThat(Repair.plan(nodes(1, 2), "n1", 1, MoveLimits.NONE)).hasToString("empty gpu 1 of n1: 0 pods moved");
    }

    @Test
    void anotherPodMakesRoom_whereThatHelps() {
        Cluster cluster = with(with(with(nodes(3, 4), "n1", "a", 3), "n2", "b", 2), "n3", "c", 2);
        Repair repair = Repair.plan(cluster, "n1", MoveLimits.NONE);
        assertThat(repair.isPossible()).isTrue();
        assertThat(repair.moves()).hasToString("[[b] from [n2] to [n3], [a] from [n1] to [n2]]");
        MoveLimits alone = MoveLimits.NONE.keeping(
                held -> held.node().equals("n2") || held.node().equals("n3"));
        assertThat(Repair.plan(cluster, "n1", alone))
                .hasToString("empty n1: 0 pods moved, [[a] have no place elsewhere]");
        assertThat(Repair.plan(cluster, "n1", MoveLimits.of(1)).pods()).isZero();
    }

    @Test
    void whoMayNotMove_isNamed_andTheOthersGo() {
        Cluster cluster = with(with(nodes(2, 4), "n1", "a", 1), "n1", "b", 1);
        MoveLimits limits = MoveLimits.NONE.within(List.of(new DisruptionBudget("pdb", Set.of(PodId.of("a")), 0)));
        Repair repair = Repair.plan(cluster, "n1", limits);
        assertThat(repair).hasToString("empty n1: 1 pod moved, [a] must stay");
        assertThat(repair.isPossible()).isFalse();
        assertThat(repair.kept()).containsExactly(PodId.of("a"));
    }

    @Test
    void aMemberTakesItsGroupAlong_whereTheGroupHasToBeCloseAndItsRackIsFull() {
        PodGroup pair =
                PodGroup.of("pair", List.of(pod("a-0", 4), pod("a-1", 4))).withLocality(Locality.within("rack"));
        Cluster cluster = nodes(4, 4).withCordoned("n3", true).withCordoned("n4", true);
        cluster = cluster.withAll(((GroupPlaced) GpuScheduler.create().schedule(cluster, pair)).placements());
        cluster = cluster.withCordoned("n3", false).withCordoned("n4", false);
        Repair repair = Repair.plan(cluster, "n1", MoveLimits.NONE);
        assertThat(repair.isPossible()).isTrue();
        assertThat(repair.moves()).hasSize(1);
        assertThat(repair.moves().get(0).pods()).containsExactly(PodId.of("a-0"), PodId.of("a-1"));
        assertThat(repair.after().placements()).extracting(Placement::node).containsExactly("n3", "n4");
    }

    @Test
    void withWholeGroups_allMembersMove() {
        PodGroup pair = PodGroup.of("pair", List.of(pod("a-0", 3), pod("a-1", 3)));
        Cluster cluster = nodes(2, 4);
        cluster = cluster.withAll(((GroupPlaced) GpuScheduler.create().schedule(cluster, pair)).placements());
        assertThat(Repair.plan(cluster, "n1", 0, MoveLimits.NONE).moves()).hasToString("[[a-0] from [n1] to [n1]]");
        Repair whole = Repair.plan(cluster, "n1", 0, MoveLimits.NONE.wholeGroups());
        assertThat(whole.isPossible()).isTrue();
        MoveLimits one =
                MoveLimits.NONE.wholeGroups().within(List.of(new DisruptionBudget("pdb", Set.of(PodId.of("a-1")), 0)));
        assertThat(Repair.plan(cluster, "n1", 0, one).kept()).containsExactly(PodId.of("a-0"));
    }

    @Test
    void aPodThatDoesNotTellWhatItAsks_isAnObstacle() {
        Placement unknown = new Placement(
                PodId.of("a"),
                "n1",
                Resources.NONE,
                List.of(ContainerGrant.of("main", new GpuGrant.Whole(List.of(0)))));
        Repair repair = Repair.plan(nodes(2, 2).with(unknown), "n1", 0, MoveLimits.NONE);
        assertThat(repair).hasToString("empty gpu 0 of n1: 0 pods moved, [[a] do not tell what they ask]");
    }

    @Test
    void aNodeOrGpuThatIsNotThere_isNamed() {
        assertThatExceptionOfType(PlacementConflictException.class)
                .isThrownBy(() -> Repair.plan(nodes(1, 2), "n9", MoveLimits.NONE))
                .withMessage("there is no node \"n9\" among the 1 node");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Repair.plan(nodes(1, 2), "n1", 2, MoveLimits.NONE))
                .withMessage("repair of node \"n1\": gpu must be in 0..1, got 2");
    }
}
