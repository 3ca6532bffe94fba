package io.gpusched.internal.rank;

import static io.gpusched.testkit.GpuAssertions.assertThat;
import static io.gpusched.testkit.GpuAssertions.assertThatThrownBy;

import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.Resources;
import io.gpusched.model.Taint;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.testkit.CountingPolicy;
import io.gpusched.testkit.Nodes;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.Toleration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RememberedScoresTest {
    private static CountingPolicy counting() {
        return new CountingPolicy(PlacementPolicy.Scope.NODE);
    }

    private static CountingPolicy countingByOccupancy() {
        return new CountingPolicy(PlacementPolicy.Scope.OCCUPANCY);
    }

    private static Cluster cluster(int nodes) {
        List<Node> machines = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            machines.add(Node.builder("n%05d".formatted(i))
                    .capacity(8_000, 8_000)
                    .gpus(2, Nodes.BIG)
                    .build());
        }
        return Cluster.of(machines);
    }

    private static Pod pod(String name) {
        return Pod.of(name, Resources.NONE, GpuRequest.percent(10));
    }

    @Test
    void schedule_whenTheFirstPodOfAShapeRunsByNow_scoresItsNodeForTheOthers() {
        GpuScheduler scheduler = GpuScheduler.of(counting());
        Cluster cluster = cluster(3);
        cluster = cluster.with(assertThat(scheduler.schedule(cluster, pod("first")))
                .isPlacedOn("n00000")
                .placement());
        assertThat(scheduler.schedule(cluster, pod("second")))
                .isPlacedOn("n00000")
                .usingGpus(0);
    }

    @Test
    void schedule_ofAShapeSeenBefore_scoresOnlyWhatChanged() {
        CountingPolicy policy = counting();
        GpuScheduler scheduler = GpuScheduler.of(policy);
        Cluster cluster = cluster(1_000);
        var decision = scheduler.schedule(cluster, pod("a"));
        assertThat(policy.calls()).isBetween(1_000, 2_010);
        policy.reset();
        scheduler.schedule(cluster.with(assertThat(decision).placement()), pod("b"));
        assertThat(policy.calls()).isBetween(1, 6);
        policy.reset();
        scheduler.schedule(cluster, pod("c"));
        assertThat(policy.calls()).isBetween(1, 6);
    }

    @Test
    void schedule_afterLabelsOfNodesChanged_scoresNothingAnewAndReadsTheLabelsOfToday() {
        CountingPolicy policy = countingByOccupancy();
        GpuScheduler scheduler = GpuScheduler.of(policy);
        Cluster cluster = cluster(200);
        for (String node : List.of("n00000", "n00120", "n00121")) {
            cluster = cluster.with(GpuScheduler.create()
                    .place(cluster.node(node).orElseThrow(), pod("on-" + node))
                    .orElseThrow());
        }
        assertThat(scheduler.schedule(cluster, pod("a"))).isPlacedOn("n00000");
        for (String node : List.of("n00000", "n00120", "n00121", "n00150")) {
            Node machine = cluster.node(node).orElseThrow().node();
            cluster = cluster.withReplaced(
                    machine.toBuilder().label("colour", "blue").build());
        }
        policy.reset();
        var again = assertThat(scheduler.schedule(cluster, pod("b"))).isPlacedOn("n00000");
        assertThat(policy.calls()).isEqualTo(2); // the two ways to lay the pod out on the node that was found
        assertThat(cluster.with(again.placement()).size()).isEqualTo(200);
        Node first = cluster.node("n00000").orElseThrow().node();
        cluster = cluster.withReplaced(first.toBuilder().cordoned(true).build());
        assertThat(scheduler.schedule(cluster, pod("c"))).isPlacedOn("n00120");
    }

    @Test
    void schedule_byAPolicyThatReadsLabels_scoresNodesWhoseLabelsChanged() {
        PlacementPolicy blueFirst =
                (before, after, pod) -> "blue".equals(before.node().labels().get("colour")) ? 1 : 0;
        GpuScheduler scheduler = GpuScheduler.of(blueFirst);
        Cluster cluster = cluster(50);
        assertThat(scheduler.schedule(cluster, pod("a"))).isPlacedOn("n00000");
        Node machine = cluster.node(7).node();
        cluster =
                cluster.withReplaced(machine.toBuilder().label("colour", "blue").build());
        assertThat(scheduler.schedule(cluster, pod("b"))).isPlacedOn("n00007");
    }

    @Test
    void schedule_afterMoreChangesThanTheLogHolds_isStillRight() {
        GpuScheduler scheduler = GpuScheduler.of(counting());
        Cluster empty = cluster(17_000);
        assertThat(scheduler.schedule(empty, pod("a"))).isPlacedOn("n00000");
        Cluster busy = empty;
        var batch = busy.batch();
        for (int i = 0; i < 17_000; i++) {
            batch.place(GpuScheduler.create()
                    .place(empty.node(i), pod("filler" + i))
                    .orElseThrow());
        }
        batch.place(
                GpuScheduler.create().place(empty.node(16_500), pod("extra")).orElseThrow());
        busy = batch.build();
        assertThat(scheduler.schedule(busy, Pod.of("other shape", Resources.NONE, GpuRequest.percent(11))))
                .isPlacedOn("n16500");
        assertThat(scheduler.schedule(busy, pod("b"))).isPlacedOn("n16500");
        assertThat(scheduler.schedule(empty, pod("c"))).isPlacedOn("n00000");
    }

    @Test
    void schedule_onNodesInOneState_scoresTheStateOnce() {
        CountingPolicy policy = countingByOccupancy();
        GpuScheduler scheduler = GpuScheduler.of(policy);
        Cluster cluster = cluster(1_000);
        for (int i = 0; i < 20; i++) {
            cluster = cluster.with(assertThat(scheduler.schedule(cluster, pod("p" + i)))
                    .isPlacedOn("n00000")
                    .placement());
        }
        // One state of 1,000 nodes at first; then two for each decision: its own score and that of the state it leads
        // to.
        assertThat(policy.calls()).isLessThan(3 * 20 + 3);
    }

    @Test
    void schedule_afterCordonsAndChangesOfHealth_looksAtTheirNodesAlone() {
        CountingPolicy policy = counting();
        GpuScheduler scheduler = GpuScheduler.of(policy);
        Cluster cluster = cluster(1_000);
        scheduler.schedule(cluster, pod("a"));
        policy.reset();
        for (int i = 0; i < 100; i++) {
            cluster = i % 2 == 0
                    ? cluster.withCordoned("n%05d".formatted(i), true)
                    : cluster.withGpuHealth("n%05d".formatted(i), 0, false);
            assertThat(scheduler.schedule(cluster, pod("b"))).isPlacedOn("n00001");
        }
        assertThat(policy.calls()).isLessThan(4 * 100);
    }

    @Test
    void schedule_afterNodesJoinedLeftOrChanged_looksAtThemAlone() {
        CountingPolicy policy = counting();
        GpuScheduler scheduler = GpuScheduler.of(policy);
        Cluster cluster = cluster(1_000);
        scheduler.schedule(cluster, pod("a"));
        policy.reset();
        for (int i = 0; i < 50; i++) {
            String name = "n%05d".formatted(10 * i);
            Node node = cluster.node(name).orElseThrow().node();
            Node other = Node.builder(name)
                    .capacity(9_000 + i, 8_000)
                    .gpus(2, Nodes.BIG)
                    .label("rack", "r" + i)
                    .build();
            cluster = cluster.withReplaced(other);
            assertThat(scheduler.schedule(cluster, pod("b"))).isPlacedOn("n00000");
            cluster = cluster.withoutNode(name);
            assertThat(scheduler.schedule(cluster, pod("b"))).isPlacedOn(i == 0 ? "n00001" : "n00000");
            cluster = cluster.withNode(node);
            assertThat(scheduler.schedule(cluster, pod("b"))).isPlacedOn("n00000");
        }
        // Each change is scored once or twice, each decision lays its node out again.
        assertThat(policy.calls()).isLessThan(50 * 3 * 4);
    }

    @Test
    void schedule_afterManyNodesJoinedAtOnePlace_stillLooksAtFewOthers() {
        CountingPolicy policy = counting();
        GpuScheduler scheduler = GpuScheduler.of(policy);
        Cluster cluster = cluster(1_000);
        scheduler.schedule(cluster, pod("a"));
        policy.reset();
        for (int i = 0; i < 300; i++) {
            cluster = cluster.withNode(Node.builder("n00500-%03d".formatted(i))
                    .capacity(8_000, 8_000)
                    .gpus(2, Nodes.BIG)
                    .build());
            assertThat(scheduler.schedule(cluster, pod("b"))).isPlacedOn("n00000");
        }
        // Where slots run out between two nodes, their neighbours up to the next free slot move and count as changed.
        assertThat(policy.calls()).isLessThan(300 * 400);
    }

    @Test
    void schedule_withMoreEntriesThanMayBeHeld_keepsTheBestOfEachShape() {
        CountingPolicy policy = counting();
        GpuScheduler scheduler =
                GpuScheduler.builder().policy(policy).memory(2_000).build();
        Cluster cluster = cluster(1_000);
        for (int shape = 1; shape <= 40; shape++) {
            scheduler.schedule(cluster, Pod.of("p", Resources.NONE, GpuRequest.percent(shape)));
        }
        policy.reset();
        for (int i = 0; i < 200; i++) {
            Pod pod = Pod.of("p" + i, Resources.NONE, GpuRequest.percent(1 + i % 40));
            cluster = cluster.with(assertThat(scheduler.schedule(cluster, pod)).placement());
        }
        // Each shape has 16 entries or more left and is asked for five times; scoring anew would take 1,000 calls each.
        assertThat(policy.calls()).isLessThan(200 * 40 * 4);
    }

    @Test
    void schedule_byTheLeastScoreThereIs_placesThePod() {
        PlacementPolicy least = (before, after, pod) -> Long.MIN_VALUE;
        Cluster cluster = cluster(3);
        assertThat(GpuScheduler.of(least).schedule(cluster, pod("p"))).isPlacedOn("n00000");
        assertThat(GpuScheduler.builder().policy(least).memory(0).build().schedule(cluster, pod("p")))
                .isPlacedOn("n00000");
    }

    @Test
    void net_ofAPenaltyBelowTheLeastScore_isTheLeastScore() {
        assertThat(Scored.net(Long.MIN_VALUE + 5, 10)).isEqualTo(Long.MIN_VALUE);
        assertThat(Scored.net(-5, 10)).isEqualTo(-15);
        assertThatThrownBy(() -> Scored.net(0, -1)).hasMessageStartingWith("penalty must be at least 0, got -1\nMaybe");
    }

    @Test
    void of_withANegativeCache_isRefused() {
        assertThatThrownBy(() ->
                        GpuScheduler.builder().policy(counting()).memory(-1).build())
                .hasMessage("scheduler: memory must be at least 0 scores, got -1");
    }

    /** Nodes of 4 CPUs and more, each of another label value, so that all states differ. */
    private static Cluster unlike(int nodes, int pools) {
        List<Node> machines = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            machines.add(Node.builder("n%05d".formatted(i))
                    .capacity(4_000 + i, 8_000)
                    .gpus(2, Nodes.BIG)
                    .label("pool", "p" + i % pools)
                    .label("other", "o" + i * 31 % pools)
                    .taint(Taint.noSchedule("team", "t" + i % pools))
                    .build());
        }
        return Cluster.of(machines);
    }

    @Test
    void schedule_ofPodsThatSelectByManyLabelValues_scoresEachStateOnceForAllOfThem() {
        CountingPolicy policy = countingByOccupancy();
        GpuScheduler scheduler = GpuScheduler.of(policy);
        Cluster cluster = unlike(4_000, 40);
        for (int i = 0; i < 400; i++) {
            Pod pod = new Pod(
                    pod("p" + i).id(),
                    pod("p").containers(),
                    NodeSelector.labels(Map.of("pool", "p" + i % 40, "other", "o" + i * 31 % 40)),
                    List.of(Toleration.equal("team", "t" + i % 40)));
            cluster = cluster.with(assertThat(scheduler.schedule(cluster, pod)).placement());
        }
        assertThat(policy.calls()).isLessThan(2 * 4_000 + 400 * 10);
    }

    private static int calls(GpuScheduler scheduler, CountingPolicy policy, Cluster cluster, Pod pod) {
        policy.reset();
        scheduler.schedule(cluster, pod);
        return policy.calls();
    }

    @Test
    void schedule_byASchedulerThatRemembersNothing_scoresAllNodesEachTime() {
        CountingPolicy policy = counting();
        GpuScheduler scheduler = GpuScheduler.builder().policy(policy).memory(0).build();
        Cluster cluster = cluster(100);
        scheduler.schedule(cluster, pod("a"));
        assertThat(calls(scheduler, policy, cluster, pod("b"))).isGreaterThanOrEqualTo(100);
    }

    @Test
    void schedule_bySchedulerMadeOfAnother_remembersAsMuch() {
        CountingPolicy policy = counting();
        GpuScheduler scheduler = GpuScheduler.builder().policy(policy).memory(0).build();
        Cluster cluster = cluster(100);
        GpuScheduler forgetful = scheduler.toBuilder().build();
        GpuScheduler remembering = GpuScheduler.of(policy).toBuilder().build();
        forgetful.schedule(cluster, pod("a"));
        remembering.schedule(cluster, pod("a"));
        assertThat(calls(forgetful, policy, cluster, pod("b"))).isGreaterThanOrEqualTo(100);
        assertThat(calls(remembering, policy, cluster, pod("b"))).isLessThan(6);
    }

    @Test
    void schedule_onFewNodes_scoresOnlyWhatChangedToo() {
        CountingPolicy policy = counting();
        GpuScheduler scheduler = GpuScheduler.of(policy);
        Cluster cluster = cluster(12);
        scheduler.schedule(cluster, pod("a"));
        assertThat(calls(scheduler, policy, cluster, pod("b"))).isLessThan(6);
    }

    /** A pod that goes only to nodes with this label. */
    private static Pod selecting(String name, String label, String value) {
        return new Pod(
                pod(name).id(),
                pod(name).containers(),
                NodeSelector.labels(Map.of(label, value)),
                List.of(Toleration.everything()));
    }

    @Test
    void schedule_ofAPodThatSelectsFewNodes_scoresTheseAlone() {
        CountingPolicy policy = countingByOccupancy();
        // 10 of 100 nodes, 25 of 4,000
        assertThat(calls(GpuScheduler.of(policy), policy, unlike(100, 10), selecting("a", "pool", "p1")))
                .isBetween(10, 20);
        assertThat(calls(GpuScheduler.of(policy), policy, unlike(4_000, 160), selecting("a", "pool", "p1")))
                .isBetween(25, 50);
    }

    @Test
    void schedule_ofPodsThatSelectThousandsOfNodes_ranksTheseOnce() {
        CountingPolicy policy = counting();
        GpuScheduler scheduler = GpuScheduler.of(policy);
        Cluster cluster = unlike(3_000, 1);
        assertThat(calls(scheduler, policy, cluster, selecting("a", "pool", "p0")))
                .isGreaterThanOrEqualTo(3_000);
        assertThat(calls(scheduler, policy, cluster, selecting("b", "pool", "p0")))
                .isLessThan(6);
    }
}
