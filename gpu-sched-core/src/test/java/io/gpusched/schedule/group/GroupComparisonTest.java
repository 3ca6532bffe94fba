package io.gpusched.schedule.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Certainty;
import io.gpusched.decision.GroupPlaced;
import io.gpusched.model.Cluster;
import io.gpusched.model.ClusterBatch;
import io.gpusched.model.Locality;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Resources;
import io.gpusched.policy.BestFit;
import io.gpusched.policy.BinPack;
import io.gpusched.policy.FirstFit;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.policy.RandomFit;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.schedule.SearchBudget;
import io.gpusched.testkit.CountingPolicy;
import io.gpusched.testkit.Nodes;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.LabelSelector;
import io.gpusched.workload.NodePreference;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodAffinity;
import io.gpusched.workload.PodGroup;
import io.gpusched.workload.PodRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How many nodes the members of a group are compared with. */
class GroupComparisonTest {
    private static final int NODES = 400;
    private static final int MEMBERS = 300;

    /** What a score counts, in steps. */
    private static final int EFFORT = 10;

    private static final long STEPS = 100_000;

    private final Cluster cluster = Cluster.of(IntStream.range(0, NODES)
            .mapToObj(n -> Node.builder("n%03d".formatted(n))
                    .capacity(8_000, 8_000)
                    .label("pool", "p" + n)
                    .gpus(1, Nodes.BIG)
                    .build())
            .toList());
    private final CountingPolicy policy = new CountingPolicy(PlacementPolicy.Scope.NODE);

    private static PodGroup group(IntFunction<Pod> pod) {
        return PodGroup.of("group", IntStream.range(0, MEMBERS).mapToObj(pod).toList());
    }

    private static Pod ofItsOwnShape(int number) {
        return Pod.of("p" + number, Resources.of(100 + number, 100), GpuRequest.percent(1 + number % 50));
    }

    private GroupPlaced placed(long entries, long steps, PodGroup group) {
        policy.reset();
        GpuScheduler scheduler = GpuScheduler.builder()
                .policy(policy)
                .memory(entries)
                .budget(SearchBudget.ofSteps(steps))
                .build();
        return (GroupPlaced) scheduler.schedule(cluster, group);
    }

    @Test
    void membersOfManyShapes_areScoredNoMoreOftenThanTheStepsAllow_andAllPlaced() {
        GroupPlaced placed = placed(10_000, STEPS, group(GroupComparisonTest::ofItsOwnShape));
        assertThat(placed.certainty()).isEqualTo(Certainty.FOUND);
        assertThat(placed.placements()).hasSize(MEMBERS);
        assertThat(policy.calls()).isBetween(2 * NODES, 2 * NODES + (int) (STEPS / EFFORT) + 3 * MEMBERS);
    }

    @Test
    void withStepsEnough_everyMemberIsComparedWithAllNodesWithRoom() {
        GroupPlaced placed = placed(10_000, 1_000L * NODES * MEMBERS, group(GroupComparisonTest::ofItsOwnShape));
        assertThat(placed.certainty()).isEqualTo(Certainty.PROVEN);
        assertThat(policy.calls()).isGreaterThanOrEqualTo(NODES * MEMBERS * 9 / 10);
    }

    @Test
    void theFirstMember_isComparedWithAllNodes_howeverFewTheSteps() {
        placed(10_000, 1, group(i -> Pod.of("p" + i, Resources.of(100 + i % 2, 100), GpuRequest.percent(10))));
        assertThat(policy.calls()).isBetween(NODES, NODES + 6 * MEMBERS);
    }

    @Test
    void aMemberThatOnlyOneNodeAdmits_findsIt_howeverFewTheSteps() {
        PodGroup group = group(i -> Pod.builder("p" + i)
                .container("main", Resources.of(100, 100), GpuRequest.exclusive(1))
                .nodeSelector(NodeSelector.labels(Map.of("pool", "p" + (NODES - 1 - i))))
                .build());
        for (long entries : new long[] {0, 10_000}) {
            GroupPlaced placed = placed(entries, 1, group);
            assertThat(placed.placements()).hasSize(MEMBERS);
            assertThat(policy.calls()).isLessThan(2 * NODES + 4 * MEMBERS);
        }
    }

    @Test
    void membersThatPreferNodesByWhoRunsThere_areWeighedOnSomeNodes() {
        PodRules near = PodRules.NONE
                .withLabels(Map.of("app", "x"))
                .withAffinity(PodAffinity.preferred(
                        new PodAffinity.Weighted(1, PodAffinity.Term.of(LabelSelector.label("app", "x"), "pool")),
                        new PodAffinity.Weighted(2, PodAffinity.Term.of(LabelSelector.label("app", "y"), "pool"))))
                .withAntiAffinity(PodAffinity.preferred(
                        new PodAffinity.Weighted(3, PodAffinity.Term.of(LabelSelector.label("app", "z"), "pool"))));
        GroupPlaced placed = placed(
                10_000,
                STEPS,
                group(i -> Pod.of("p" + i, Resources.of(100, 100), GpuRequest.percent(10))
                        .withRules(near)));
        assertThat(placed.placements()).hasSize(MEMBERS);
        assertThat(policy.calls()).isLessThan(2 * NODES + (int) (STEPS / EFFORT) + 3 * MEMBERS);
        for (NodeState node : cluster.withAll(placed.placements()).nodes()) {
            assertThat(node.podCount()).isIn(0, 10);
        }
    }

    @Test
    void podsThatAreHardToLayOut_startOnManyUnlikeNodes_eachWithItsPartOfTheSteps() {
        GpuScheduler first = GpuScheduler.of(FirstFit.of());
        Cluster used = Cluster.of(IntStream.range(0, 1_500)
                .mapToObj(n -> Node.builder("n%04d".formatted(n))
                        .capacity(64_000, 64_000)
                        .gpus(4, Nodes.BIG)
                        .build())
                .toList());
        ClusterBatch batch = used.batch();
        for (NodeState node : used.nodes()) {
            int n = Integer.parseInt(node.name().substring(1));
            Pod running = Pod.of("running-" + n, Resources.of(100 + n, 100 + n), GpuRequest.percent(1 + n % 90));
            batch.place(first.place(node, running).orElseThrow());
        }
        used = batch.build();
        PodGroup group = group(i -> Pod.builder("p" + i)
                .container("main", Resources.of(100 + i, 100), GpuRequest.percent(20 + i % 30))
                .container("other", Resources.of(100, 100), GpuRequest.percent(15 + i % 40))
                .build());
        for (PlacementPolicy policy : List.of(BinPack.of(), BestFit.of(), RandomFit.of(1))) {
            assertThat(GpuScheduler.of(policy).schedule(used, group))
                    .as("%s", policy)
                    .isInstanceOfSatisfying(
                            GroupPlaced.class,
                            placed -> assertThat(placed.placements()).hasSize(MEMBERS));
        }
    }

    private static Pod ofTwo(String id, int percent, int other) {
        return Pod.builder(id)
                .container("main", Resources.of(10, 10), GpuRequest.percent(percent))
                .container("other", Resources.of(10, 10), GpuRequest.percent(other))
                .build();
    }

    @Test
    void podsThatAreHardToLayOut_areTriedOnAllNodes_whereTheStepsSuffice() {
        Cluster nodes = Cluster.of(IntStream.range(0, 520)
                .mapToObj(n -> Node.builder("n%03d".formatted(n))
                        .capacity(8_000, 8_000)
                        .gpus(1, Nodes.BIG)
                        .build())
                .toList());
        List<Pod> pods = new ArrayList<>();
        for (int i = 0; i < 520; i++) {
            pods.add(ofTwo("large" + i, 40, 11 + i % 30));
        }
        for (int i = 0; i < 520; i++) {
            pods.add(ofTwo("small" + i, 10, 39 - i * 7 % 30));
        }
        for (PlacementPolicy policy : List.of(BinPack.of(), BestFit.of())) {
            assertThat(GpuScheduler.of(policy).schedule(nodes, PodGroup.of("group", pods)))
                    .as("%s", policy)
                    .isInstanceOf(GroupPlaced.class);
        }
        Pod running = Pod.of("running", Resources.of(10, 10), GpuRequest.percent(40));
        Cluster used =
                nodes.with(GpuScheduler.create().place(nodes.node(519), running).orElseThrow());
        PodGroup equal = group(i -> ofTwo("p" + i, 30, 20));
        for (PlacementPolicy policy : List.of(BinPack.of(), BestFit.of())) {
            GroupPlaced placed = (GroupPlaced) GpuScheduler.of(policy).schedule(used, equal);
            assertThat(placed.placements().get(0).node()).as("%s", policy).isEqualTo("n519");
        }
    }

    @Test
    void membersThatPreferLabels_areOfOneShape_howeverManyTermsTheyHave() {
        Cluster labelled = Cluster.of(IntStream.range(0, NODES)
                .mapToObj(n -> Node.builder("n%03d".formatted(n))
                        .capacity(8_000, 8_000)
                        .label("c", "x")
                        .gpus(1, Nodes.BIG)
                        .build())
                .toList());
        Pod running = Pod.of("running", Resources.of(10, 10), GpuRequest.percent(40));
        Cluster used = labelled.with(
                GpuScheduler.create().place(labelled.node(NODES - 1), running).orElseThrow());
        PodRules likes = PodRules.NONE.withPreferredNodes(
                new NodePreference(
                        1, NodeSelector.labels(Map.of("c", "x")).terms().get(0)),
                new NodePreference(
                        2, NodeSelector.labels(Map.of("b", "x")).terms().get(0)),
                new NodePreference(
                        4, NodeSelector.labels(Map.of("a", "x")).terms().get(0)));
        PodGroup group = group(i ->
                Pod.of("p" + i, Resources.of(10, 10), GpuRequest.percent(10)).withRules(likes));
        GroupPlaced placed = (GroupPlaced) GpuScheduler.builder()
                .policy(BestFit.of())
                .budget(SearchBudget.ofSteps(1))
                .build()
                .schedule(used, group);
        assertThat(placed.placements().get(0).node()).isEqualTo("n399");
    }

    @Test
    void aGroupThatDoesNotStartOnFewNodesCompared_isPackedTightly() {
        Cluster tight = Cluster.of(
                cluster.nodes().stream().limit(60).map(NodeState::node).toList());
        // shares of 51 to 80 percent, and then what is left of their GPUs, in another order
        List<Pod> pods = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            pods.add(Pod.of("large" + i, Resources.of(10, 10), GpuRequest.percent(51 + i % 30)));
        }
        for (int i = 0; i < 60; i++) {
            pods.add(Pod.of("small" + i, Resources.of(10, 10), GpuRequest.percent(49 - i * 7 % 30)));
        }
        for (PlacementPolicy policy : List.of(this.policy, BestFit.of())) {
            assertThat(GpuScheduler.builder()
                            .policy(policy)
                            .budget(SearchBudget.ofSteps(1))
                            .build()
                            .schedule(tight, PodGroup.of("group", pods)))
                    .as("%s", policy)
                    .isInstanceOf(GroupPlaced.class);
        }
    }

    @Test
    void aGroupForOneNode_isTriedOnAsManyNodesAsTheStepsAllow_butOnOneThatTakesItAtLeast() {
        PodGroup group = PodGroup.of(
                        "group",
                        IntStream.range(0, 5)
                                .mapToObj(i -> Pod.of("p" + i, Resources.of(100, 100), GpuRequest.percent(10)))
                                .toList())
                .withLocality(Locality.oneNode());
        assertThat(placed(0, 1_000_000, group).placements()).hasSize(5);
        int all = policy.calls();
        assertThat(placed(0, NODES + 1, group).placements()).hasSize(5);
        int some = policy.calls();
        assertThat(all).isGreaterThanOrEqualTo(5 * NODES);
        assertThat(some).isBetween(5, all / 50);
    }
}
