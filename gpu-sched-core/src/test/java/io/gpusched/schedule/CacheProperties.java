package io.gpusched.schedule;

import static io.gpusched.testkit.GpuAssertions.assertThat;

import io.gpusched.decision.Decision;
import io.gpusched.decision.Placed;
import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.Resources;
import io.gpusched.policy.BinPack;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.testkit.ClusterHistory;
import io.gpusched.testkit.Nodes;
import io.gpusched.testkit.Pods;
import io.gpusched.testkit.Step;
import io.gpusched.testkit.TestPolicies;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** What a scheduler remembers never changes an answer, wherever the snapshots come from. */
class CacheProperties {
    @Provide
    Arbitrary<List<Node>> nodes() {
        return Nodes.lists(5);
    }

    @Provide
    Arbitrary<List<Node>> herds() {
        return Nodes.herds(9, 40);
    }

    @Provide
    Arbitrary<List<Step>> steps() {
        return Step.steps(Pods.pods()).list().ofMaxSize(15);
    }

    @Provide
    Arbitrary<List<Pod>> pods() {
        return Pods.pods().list().ofMinSize(1).ofMaxSize(4);
    }

    @Provide
    Arbitrary<List<Pod>> plain() {
        return Pods.plain().list().ofMinSize(1).ofMaxSize(4);
    }

    @Provide
    Arbitrary<PlacementPolicy> policies() {
        return Arbitraries.of(TestPolicies.all());
    }

    @Provide
    Arbitrary<Long> entries() {
        return Arbitraries.of(1L, 10L, GpuScheduler.DEFAULT_MEMORY);
    }

    @Property(tries = 280)
    void rememberingChangesNoDecision_whenSnapshotsAndNodesAlternate(
            @ForAll("nodes") List<Node> nodes,
            @ForAll("herds") List<Node> others,
            @ForAll("steps") List<Step> steps,
            @ForAll("pods") List<Pod> shapes,
            @ForAll("policies") PlacementPolicy policy,
            @ForAll("entries") long entries) {
        List<Cluster> snapshots =
                new ArrayList<>(ClusterHistory.of(nodes, steps).past());
        snapshots.addAll(ClusterHistory.of(others, steps).past());
        snapshots.addAll(snapshots.subList(0, steps.size() / 2 + 1));
        GpuScheduler cached =
                GpuScheduler.builder().policy(policy).memory(entries).build();
        GpuScheduler plain = GpuScheduler.builder().policy(policy).memory(0).build();
        for (Cluster snapshot : snapshots) {
            for (Pod shape : shapes) {
                assertSame(cached.schedule(snapshot, shape), plain.schedule(snapshot, shape));
            }
        }
    }

    @Provide
    Arbitrary<List<Step>> stepsOfPodsAndNodes() {
        return Arbitraries.oneOf(Step.steps(Pods.pods()), Step.nodeSteps())
                .list()
                .ofMinSize(5)
                .ofMaxSize(25);
    }

    @Property(tries = 210)
    void rememberingChangesNoDecision_whenNodesJoinLeaveAndChange(
            @ForAll("herds") List<Node> nodes,
            @ForAll("stepsOfPodsAndNodes") List<Step> steps,
            @ForAll("pods") List<Pod> shapes,
            @ForAll("policies") PlacementPolicy policy,
            @ForAll("entries") long entries) {
        ClusterHistory history = new ClusterHistory(nodes);
        GpuScheduler cached =
                GpuScheduler.builder().policy(policy).memory(entries).build();
        for (Step step : steps) {
            for (Pod shape : shapes) {
                assertSame(
                        cached.schedule(history.cluster(), shape),
                        GpuScheduler.builder().policy(policy).memory(0).build().schedule(history.cluster(), shape));
            }
            history.go(step);
        }
    }

    @Property(tries = 70)
    void rememberingChangesNoDecision_whenMoreShapesAreInUseThanFit(
            @ForAll("herds") List<Node> nodes,
            @ForAll("steps") List<Step> steps,
            @ForAll("policies") PlacementPolicy policy,
            @ForAll("few") long entries) {
        ClusterHistory history = new ClusterHistory(nodes);
        GpuScheduler cached =
                GpuScheduler.builder().policy(policy).memory(entries).build();
        GpuScheduler plain = GpuScheduler.builder().policy(policy).memory(0).build();
        for (int round = 0; round < 60; round++) {
            Pod pod = history.named(
                    Pod.of("any", Resources.of(10L * (round % 12), 0), GpuRequest.percent(1 + round % 7)));
            Decision decision = plain.schedule(history.cluster(), pod);
            assertSame(cached.schedule(history.cluster(), pod), decision);
            if (decision instanceof Placed placed) {
                history.place(placed.placement());
            }
            if (!steps.isEmpty()) {
                history.go(steps.get(round % steps.size()));
            }
        }
    }

    @Provide
    Arbitrary<Long> few() {
        return Arbitraries.of(1L, 20L, 60L, 200L);
    }

    @Property(tries = 210)
    void treeCacheAndScanDecideAlike_inAHerdThatFillsUp(
            @ForAll("herds") List<Node> nodes, @ForAll("steps") List<Step> steps, @ForAll("plain") List<Pod> shapes) {
        ClusterHistory history = ClusterHistory.of(nodes, steps);
        GpuScheduler tree = GpuScheduler.of(BinPack.of());
        GpuScheduler cached = GpuScheduler.of(TestPolicies.hiddenBinPack());
        GpuScheduler scan = GpuScheduler.builder()
                .policy(TestPolicies.hiddenBinPack())
                .memory(0)
                .build();
        Cluster cluster = history.cluster();
        for (int round = 0; round < 12; round++) {
            Pod pod = history.named(shapes.get(round % shapes.size()));
            Decision decision = scan.schedule(cluster, pod);
            assertSame(cached.schedule(cluster, pod), decision);
            assertSame(tree.schedule(cluster, pod), decision);
            cluster = decision instanceof Placed placed ? cluster.with(placed.placement()) : cluster;
        }
        assertThat(cluster).isConsistent();
    }

    @Property(tries = 140)
    void theSameInputGivesTheSameDecision(
            @ForAll("nodes") List<Node> nodes,
            @ForAll("steps") List<Step> steps,
            @ForAll("pods") List<Pod> shapes,
            @ForAll("policies") PlacementPolicy policy) {
        Cluster cluster = ClusterHistory.of(nodes, steps).cluster();
        List<Node> reversed = new ArrayList<>(nodes);
        Collections.reverse(reversed);
        Cluster equivalent = ClusterHistory.of(reversed, steps).cluster();
        GpuScheduler used = GpuScheduler.of(policy);
        for (Pod shape : shapes) {
            Decision decision = used.schedule(cluster, shape);
            assertSame(GpuScheduler.of(policy).schedule(cluster, shape), decision);
            assertSame(GpuScheduler.of(policy).schedule(equivalent, shape), decision);
        }
    }

    private static void assertSame(Decision actual, Decision expected) {
        if (expected instanceof Placed placed) {
            assertThat(assertThat(actual).placement()).isEqualTo(placed.placement());
        } else {
            assertThat(actual).isRefused();
        }
    }
}
