package io.gpusched.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.gpusched.decision.Certainty;
import io.gpusched.decision.Diagnosis;
import io.gpusched.decision.Placed;
import io.gpusched.decision.Reason;
import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.PlacementConflictException;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.model.Taint;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.schedule.SearchBudget;
import io.gpusched.testkit.Nodes;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.Toleration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DrainTest {
    private static final GpuScheduler SCHEDULER = GpuScheduler.create();

    private static Node node(String name) {
        return builder(name).build();
    }

    private static Node.Builder builder(String name) {
        return Node.builder(name).capacity(8_000, 8_000).gpus(8, Nodes.BIG);
    }

    private static Pod pod(String name, int gpus) {
        return Pod.of(name, Resources.of(100, 100), GpuRequest.exclusive(gpus));
    }

    /** The cluster with a pod placed on this node. */
    static Cluster with(Cluster cluster, String node, Pod pod) {
        return cluster.with(
                SCHEDULER.place(cluster.node(node).orElseThrow(), pod).orElseThrow());
    }

    @Test
    void podsMoveTogether_andTheNodeIsLeftCordonedAndEmpty() {
        Cluster cluster = with(Cluster.of(List.of(node("n1"), node("n2"))), "n1", pod("a", 2));
        cluster = with(with(cluster, "n1", pod("b", 3)), "n2", pod("c", 3));
        Drain drain = Drain.of(cluster, List.of("n1"));
        assertThat(drain.isPossible()).isTrue();
        assertThat(drain.moves()).extracting(Placement::pod).containsExactly(PodId.of("b"), PodId.of("a"));
        assertThat(drain.moves()).extracting(Placement::node).containsOnly("n2");
        assertThat(drain.after().node("n1").orElseThrow().isEmpty()).isTrue();
        assertThat(drain.after().node("n1").orElseThrow().isCordoned()).isTrue();
        assertThat(drain.after().totals().pods()).isEqualTo(3);
    }

    @Test
    void aPodWithoutAnotherPlace_isNamedAndNothingMoves() {
        Cluster cluster = with(Cluster.of(List.of(node("n1"), node("n2"))), "n1", pod("a", 2));
        cluster = with(with(cluster, "n1", pod("b", 6)), "n2", pod("c", 3));
        Drain drain = Drain.of(cluster, List.of("n1"));
        assertThat(drain.isPossible()).isFalse();
        assertThat(drain.moves()).isEmpty();
        assertThat(drain.after()).isSameAs(cluster);
        assertThat(drain.obstacles()).hasSize(1);
        Drain.Obstacle obstacle = drain.obstacles().get(0);
        assertThat(obstacle.pods()).containsExactly(PodId.of("b"));
        assertThat(obstacle.refusal().orElseThrow().certainty()).isEqualTo(Certainty.PROVEN);
        assertThat(obstacle.refusal().orElseThrow().diagnosis().toString()).contains("5 GPUs idle");
        assertThat(drain).hasToString("cannot drain [n1]: [[b] have no place elsewhere]");
    }

    @Test
    void podsThatFitAloneButNotTogether_areOneObstacle() {
        Cluster cluster = with(Cluster.of(List.of(node("n1"), node("n2"))), "n1", pod("a", 3));
        cluster = with(with(cluster, "n1", pod("b", 4)), "n2", pod("c", 3));
        Drain drain = Drain.of(cluster, List.of("n1"));
        assertThat(drain.obstacles())
                .singleElement()
                .satisfies(obstacle -> assertThat(obstacle.pods()).containsExactly(PodId.of("b"), PodId.of("a")));
    }

    @Test
    void nodesDrainedTogether_doNotTakeEachOthersPods() {
        Cluster cluster = with(Cluster.of(List.of(node("n1"), node("n2"), node("n3"))), "n1", pod("a", 8));
        assertThat(Drain.of(cluster, List.of("n1", "n2")).moves())
                .extracting(Placement::node)
                .containsExactly("n3");
        assertThat(Drain.of(cluster, List.of("n3", "n2", "n1", "n2")).nodes()).containsExactly("n1", "n2", "n3");
        assertThat(Drain.of(cluster, List.of("n1", "n2", "n3")).isPossible()).isFalse();
    }

    @Test
    void cordonsTaintsAndSelectors_count() {
        Cluster cluster = Cluster.of(List.of(
                builder("n1").label("pool", "a").build(),
                builder("n2").label("pool", "a").cordoned(true).build(),
                builder("n3")
                        .label("pool", "a")
                        .taint(Taint.noSchedule("k", "v"))
                        .build(),
                builder("n4").label("pool", "b").build()));
        Pod picky = Pod.builder("p")
                .container(Container.of("main", Resources.of(1, 1), GpuRequest.exclusive(1)))
                .nodeSelector(NodeSelector.all(NodeRequirement.in("pool", "a")))
                .build();
        assertThat(Drain.of(with(cluster, "n1", picky), List.of("n1")).isPossible())
                .isFalse();
        Drain plain = Drain.of(with(cluster, "n1", pod("q", 1)), List.of("n1"));
        assertThat(plain.moves()).extracting(Placement::node).containsExactly("n4");
    }

    @Test
    void aPodWhoseRequestIsUnknown_isAnObstacle() {
        ContainerGrant grant = ContainerGrant.of("main", new GpuGrant.Whole(List.of(0)));
        Placement byHand = new Placement(PodId.of("p"), "n1", Resources.of(1, 1), List.of(grant));
        Cluster cluster = Cluster.of(List.of(node("n1"), node("n2")), List.of(byHand));
        assertThat(Drain.of(cluster, List.of("n1")).obstacles())
                .singleElement()
                .hasToString("[p] do not tell what they ask");
    }

    @Test
    void anUnknownNode_isRefusedByName() {
        assertThatExceptionOfType(PlacementConflictException.class)
                .isThrownBy(() -> Drain.of(Cluster.of(List.of(node("n1"))), List.of("n2")))
                .withMessage("there is no node \"n2\" among the 1 node");
    }

    @Test
    void removal_keepsTheTightestNode() {
        Cluster cluster = with(Cluster.of(List.of(node("n1"), node("n2"), node("n3"))), "n1", pod("a", 2));
        cluster = with(with(cluster, "n2", pod("b", 3)), "n3", pod("c", 6));
        ScaleDown plan = ScaleDown.of(cluster);
        assertThat(plan.nodes()).containsExactly("n1");
        assertThat(plan.moves())
                .singleElement()
                .satisfies(move -> assertThat(move.node()).isEqualTo("n3"));
        assertThat(plan.certainty()).isEqualTo(Certainty.PROVEN);
        assertThat(plan.after().size()).isEqualTo(2);
        assertThat(plan).hasToString("remove [n1]: 1 moves");
    }

    @Test
    void podsThatGoWithTheirNode_needNoOtherPlace_andHoldTheirGpusWhereTheNodeStays() {
        Cluster cluster = Cluster.of(List.of(node("n1"), node("n2"), node("n3")));
        for (String name : List.of("n1", "n2", "n3")) {
            cluster = with(cluster, name, pod("daemon-" + name, 2));
        }
        cluster = with(with(with(cluster, "n1", pod("a", 2)), "n2", pod("b", 4)), "n3", pod("c", 3));
        Set<PodId> bound = Set.of(PodId.of("daemon-n1"), PodId.of("daemon-n2"), PodId.of("daemon-n3"));
        SearchBudget enough = SearchBudget.ofSteps(1_000_000);

        ScaleDown none = ScaleDown.of(cluster, List.of("n1"), SCHEDULER, enough);
        ScaleDown plan = ScaleDown.of(cluster, List.of("n1", "n2", "n3"), bound, SCHEDULER, enough);

        assertThat(none.moves()).extracting(Placement::pod).contains(PodId.of("daemon-n1"));
        assertThat(plan.nodes()).containsExactly("n1");
        assertThat(plan.moves()).extracting(Placement::pod).containsExactly(PodId.of("a"));
        assertThat(plan.after().placement(PodId.of("daemon-n2"))).isPresent();
        assertThat(plan.after().placement(PodId.of("daemon-n1"))).isEmpty();
        plan.after().validate();
    }

    @Test
    void removal_placesAllAnewWhereOneAfterAnotherDoesNot() {
        Cluster cluster = Cluster.of(List.of(
                Node.builder("n1").capacity(9_000, 9_000).gpus(1, Nodes.BIG).build(),
                Node.builder("n2").capacity(9_000, 9_000).gpus(2, Nodes.BIG).build(),
                Node.builder("n3").capacity(3_000, 9_000).gpus(2, Nodes.BIG).build(),
                Node.builder("n4").capacity(8_000, 9_000).gpus(2, Nodes.BIG).build()));
        Pod light = Pod.of("light", Resources.of(1_000, 1), GpuRequest.exclusive(1));
        Pod heavy = Pod.of("heavy", Resources.of(7_000, 1), GpuRequest.exclusive(1));
        Pod stays = Pod.of("stays", Resources.of(1_000, 1), GpuRequest.exclusive(1));
        cluster = with(with(with(cluster, "n1", light), "n2", heavy), "n4", stays);
        List<String> candidates = List.of("n1", "n2");
        ScaleDown plan = ScaleDown.of(cluster, candidates, SCHEDULER);
        assertThat(plan.nodes()).containsExactly("n1", "n2");
        assertThat(plan.moves()).extracting(Placement::node).containsExactly("n3", "n4");
        plan.after().validate();
    }

    @Test
    void removal_placesAllAnew_whereAPodGetsAnotherOfItsShapes() {
        GpuModel h100 = GpuModel.of("nvidia", "H100", 100);
        Cluster cluster = Cluster.of(List.of(
                builder("n1").build(),
                Node.builder("n2").capacity(8_000, 8_000).gpus(1, Nodes.SMALL).build(),
                Node.builder("n3").capacity(8_000, 8_000).gpus(2, h100).build(),
                Node.builder("n4").capacity(8_000, 8_000).gpus(3, Nodes.SMALL).build()));
        GpuRequest either = GpuRequest.firstOf(
                GpuRequest.exclusive(2, GpuSelector.models("H100")),
                GpuRequest.exclusive(8, GpuSelector.models(Nodes.BIG.name())));
        ContainerGrant all = ContainerGrant.of("main", new GpuGrant.Whole(List.of(0, 1, 2, 3, 4, 5, 6, 7)));
        Pod choosy = Pod.of("choosy", Resources.of(1, 1), either);
        cluster = cluster.with(
                new Placement(choosy.id(), "n1", choosy.resources(), List.of(all)).withSpec(choosy.spec()));
        cluster = with(cluster, "n2", pod("a", 1));

        ScaleDown plan = ScaleDown.of(cluster, List.of("n1", "n2"), SCHEDULER);

        assertThat(plan.nodes()).as("a goes to n3 first, the tightest").containsExactly("n2", "n1");
        assertThat(plan.moves()).extracting(Placement::node).containsExactly("n4", "n3");
    }

    @Test
    void theRemedyOfAnObstacle_isNotToUncordonTheNodeThatIsDrained() {
        Cluster cluster = with(Cluster.of(List.of(node("n1"), node("n2"))), "n1", pod("a", 6));
        cluster = with(cluster, "n2", pod("b", 3));

        Diagnosis diagnosis = Drain.of(cluster, List.of("n1"))
                .obstacles()
                .get(0)
                .refusal()
                .orElseThrow()
                .diagnosis();

        assertThat(diagnosis.reasons()).extracting(Reason::code).contains(Reason.Code.CORDONED);
        assertThat(diagnosis.remedy()).hasToString("1 more idle GPU on n2 (has 5 of 6)");
    }

    @Test
    void scaleDown_movesNoPodToANodeThatGoesToo_thoughThePodToleratesCordons() {
        Cluster cluster = Cluster.of(List.of(node("a"), node("b"), node("c")));
        for (String name : List.of("b", "c")) {
            Pod daring = Pod.builder("on-" + name)
                    .container("main", Resources.NONE, GpuRequest.exclusive(1))
                    .toleration(Toleration.everything())
                    .build();
            cluster = with(cluster, name, daring);
        }

        ScaleDown down = ScaleDown.of(cluster);

        assertThat(down.nodes()).containsExactly("a", "b");
        assertThat(down.after().nodes()).hasSize(1);
        assertThat(down.after().totals().pods()).isEqualTo(2);
    }

    @Test
    void removal_ofAnEmptyCluster_takesAll() {
        assertThat(ScaleDown.of(Cluster.of(List.of(node("n2"), node("n1")))).nodes())
                .containsExactly("n1", "n2");
        assertThat(SCHEDULER.schedule(Cluster.of(List.of(node("n1"))), pod("p", 1)))
                .isInstanceOf(Placed.class);
    }

    @Test
    void aPodThatTheCordonDoesNotKeepAway_isNotMovedBackToANodeThatGoes() {
        Cluster cluster = Cluster.of(List.of(plain("a"), plain("b"), plain("c")));
        cluster = running(cluster, "a", 1_000, "t", Toleration.everything());
        cluster = running(running(cluster, "b", 1_000, "u"), "b", 1_000, "v");
        cluster = running(running(running(cluster, "c", 1_000, "w"), "c", 1, "w2"), "c", 1, "w3");

        ScaleDown down = ScaleDown.of(cluster);

        assertThat(down.nodes()).hasSize(1).doesNotContain("c");
        assertThat(down.after().placements()).hasSize(6);
    }

    @Test
    void aPodThatWasMovedToANode_isMovedOnWhenThatOneGoesToo() {
        Cluster cluster = Cluster.of(List.of(plain("a"), plain("b"), plain("c")));
        cluster = running(cluster, "a", 1_000, "t", Toleration.everything());
        cluster = running(running(cluster, "b", 1_000, "u"), "b", 500, "v");
        cluster = running(running(running(cluster, "c", 1_000, "w"), "c", 1, "w2"), "c", 1, "w3");

        ScaleDown down = ScaleDown.of(cluster);

        assertThat(down.nodes()).containsExactly("a", "b");
        assertThat(down.moves()).extracting(Placement::node).containsOnly("c");
        assertThat(down.after().size()).isEqualTo(1);
    }

    private static Node plain(String name) {
        return Node.builder(name).capacity(4_000, 1_000).build();
    }

    private static Cluster running(
            Cluster cluster, String node, long cpuMillis, String name, Toleration... tolerations) {
        Pod pod = new Pod(
                PodId.of(name),
                List.of(Container.of("main", Resources.of(cpuMillis, 1), GpuRequest.none())),
                NodeSelector.ANY,
                List.of(tolerations));
        return cluster.with(GpuScheduler.create()
                .place(cluster.node(node).orElseThrow(), pod)
                .orElseThrow());
    }
}
