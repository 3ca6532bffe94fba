package io.gpusched.schedule;

import static io.gpusched.testkit.GpuAssertions.assertThat;

import io.gpusched.decision.Decision;
import io.gpusched.decision.GroupDecision;
import io.gpusched.decision.GroupPlaced;
import io.gpusched.decision.Placed;
import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.testkit.ClusterHistory;
import io.gpusched.testkit.Nodes;
import io.gpusched.testkit.Pods;
import io.gpusched.testkit.Step;
import io.gpusched.testkit.TestPolicies;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Equal snapshots give equal decisions, whatever came before: pods, nodes that join and leave, snapshots that the scheduler saw. */
class HistoryProperties {
    @Provide
    Arbitrary<List<Node>> nodes() {
        return Arbitraries.oneOf(Nodes.lists(5), Nodes.herds(9, 40));
    }

    @Provide
    Arbitrary<List<Step>> steps() {
        return Arbitraries.oneOf(Step.steps(Pods.pods()), Step.nodeSteps())
                .list()
                .ofMinSize(5)
                .ofMaxSize(25);
    }

    @Provide
    Arbitrary<List<Pod>> pods() {
        return Pods.pods().list().ofMinSize(1).ofMaxSize(3);
    }

    @Provide
    Arbitrary<PlacementPolicy> policies() {
        return Arbitraries.of(TestPolicies.all());
    }

    @Property(tries = 150)
    void equalSnapshots_giveEqualDecisions(
            @ForAll("nodes") List<Node> nodes,
            @ForAll("steps") List<Step> steps,
            @ForAll("pods") List<Pod> shapes,
            @ForAll("policies") PlacementPolicy policy,
            @ForAll long seed) {
        Random random = new Random(seed);
        ClusterHistory history = new ClusterHistory(nodes);
        GpuScheduler experienced = GpuScheduler.of(policy);
        for (Step step : steps) {
            Cluster cluster = history.cluster();
            Cluster anew = rebuilt(cluster, random);
            assertThat(anew.equals(cluster)).isTrue();
            for (Pod shape : shapes) {
                Pod pod = history.named(shape);
                assertSame(
                        experienced.schedule(cluster, pod),
                        GpuScheduler.of(policy).schedule(anew, pod));
            }
            PodGroup group = PodGroup.of("g", List.of(history.named(shapes.get(0))));
            assertSame(
                    experienced.schedule(cluster, group),
                    GpuScheduler.of(policy).schedule(anew, group));
            history.go(step);
        }
    }

    /** An equal snapshot that shares nothing with it, of nodes in any order. */
    private static Cluster rebuilt(Cluster cluster, Random random) {
        List<Node> nodes =
                new ArrayList<>(cluster.nodes().stream().map(NodeState::node).toList());
        Collections.shuffle(nodes, random);
        // in their order on each node, at which a policy of the tests looks
        Cluster anew = Cluster.of(nodes, cluster.placements());
        for (Map.Entry<String, Map<String, String>> namespace :
                cluster.namespaces().entrySet()) {
            anew = anew.withNamespace(namespace.getKey(), namespace.getValue());
        }
        return anew;
    }

    private static void assertSame(Decision one, Decision other) {
        assertThat(one instanceof Placed).isEqualTo(other instanceof Placed);
        if (one instanceof Placed placed && other instanceof Placed expected) {
            assertThat(placed.placement()).isEqualTo(expected.placement());
            assertThat(placed.certainty()).isEqualTo(expected.certainty());
        }
    }

    private static void assertSame(GroupDecision one, GroupDecision other) {
        assertThat(one instanceof GroupPlaced).isEqualTo(other instanceof GroupPlaced);
        if (one instanceof GroupPlaced placed && other instanceof GroupPlaced expected) {
            assertThat(placed.placements()).isEqualTo(expected.placements());
        }
    }
}
