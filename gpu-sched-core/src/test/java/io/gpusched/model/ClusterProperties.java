package io.gpusched.model;

import static io.gpusched.testkit.GpuAssertions.assertThat;

import io.gpusched.testkit.ClusterHistory;
import io.gpusched.testkit.ClusterModel;
import io.gpusched.testkit.Nodes;
import io.gpusched.testkit.Oracle;
import io.gpusched.testkit.Pods;
import io.gpusched.testkit.Step;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class ClusterProperties {
    @Provide
    Arbitrary<List<Node>> nodes() {
        return Nodes.lists(4);
    }

    @Provide
    Arbitrary<List<Step>> steps() {
        return Step.steps(Pods.pods()).list().ofMaxSize(15);
    }

    @Provide
    Arbitrary<Pod> pods() {
        return Pods.pods();
    }

    @Property(tries = 300)
    void aClusterShowsAfterEachStepWhatASimpleModelHolds(
            @ForAll("nodes") List<Node> nodes, @ForAll("steps") List<Step> steps) {
        ClusterHistory history = new ClusterHistory(nodes);
        assertThat(history.cluster()).shows(history.model());
        for (Step step : steps) {
            history.go(step);
            assertThat(history.cluster()).shows(history.model());
        }
    }

    @Property(tries = 180)
    void olderSnapshotsKeepTheirValue(@ForAll("nodes") List<Node> nodes, @ForAll("steps") List<Step> steps) {
        ClusterHistory history = new ClusterHistory(nodes);
        List<ClusterModel> models = new ArrayList<>(List.of(ClusterModel.of(history.cluster())));
        for (Step step : steps) {
            history.go(step);
            models.add(ClusterModel.of(history.cluster()));
        }
        for (int i = 0; i < models.size(); i++) {
            assertThat(history.past().get(i)).shows(models.get(i));
        }
    }

    @Property(tries = 180)
    void placingAndReleasingRestoresAnEqualSnapshot(
            @ForAll("nodes") List<Node> nodes, @ForAll("steps") List<Step> steps, @ForAll("pods") Pod shape) {
        ClusterHistory history = ClusterHistory.of(nodes, steps);
        Cluster before = history.cluster();
        Pod pod = history.named(shape);
        for (Placement placement : Oracle.placements(history.model(), pod)) {
            Cluster after = before.with(placement);
            assertThat(after).isNotEqualTo(before);
            for (Cluster back : List.of(
                    after.without(placement),
                    after.without(pod.id()),
                    after.batch().release(pod.id()).build(),
                    before.batch().place(placement).release(pod.id()).build())) {
                assertThat(back).isEqualTo(before).hasSameHashCodeAs(before);
                assertThat(back.totals()).isEqualTo(before.totals());
            }
        }
    }

    @Property(tries = 180)
    void theSameValueReachedInAnotherWayIsEqual(@ForAll("nodes") List<Node> nodes, @ForAll("steps") List<Step> steps) {
        Cluster cluster = ClusterHistory.of(nodes, steps).cluster();
        List<Node> machines =
                new ArrayList<>(cluster.nodes().stream().map(NodeState::node).toList());
        List<Node> healthy = machines.stream().map(ClusterProperties::healed).toList();
        Cluster rebuilt = Cluster.of(healthy).withAll(cluster.placements());
        for (Node node : machines) {
            rebuilt = rebuilt.withReplaced(node);
        }
        assertThat(rebuilt).isEqualTo(cluster).hasSameHashCodeAs(cluster);
        assertThat(rebuilt.nodes()).isEqualTo(cluster.nodes());
    }

    private static Node healed(Node node) {
        Node healthy = node;
        for (int gpu = 0; gpu < node.gpus().size(); gpu++) {
            healthy = healthy.withGpuHealth(gpu, true);
        }
        return healthy;
    }

    @Property(tries = 180)
    void changesBetweenAnyTwoSnapshotsAreAllReported(
            @ForAll("nodes") List<Node> nodes, @ForAll("steps") List<Step> steps) {
        List<Cluster> past = ClusterHistory.of(nodes, steps).past();
        Cluster last = past.get(past.size() - 1);
        for (Cluster older : past) {
            Map<String, NodeState> patched = new HashMap<>();
            older.nodes().forEach(node -> patched.put(node.name(), node));
            last.forEachChange(older, (before, after) -> {
                String name =
                        Objects.requireNonNull(before == null ? after : before).name();
                assertThat(patched.get(name)).isSameAs(before);
                patched.put(name, after);
            });
            patched.values().removeIf(Objects::isNull);
            assertThat(patched.values()).containsExactlyInAnyOrderElementsOf(last.nodes());
        }
    }
}
