package io.gpusched.model;

import static io.gpusched.testkit.GpuAssertions.assertThat;

import io.gpusched.testkit.ClusterHistory;
import io.gpusched.testkit.ClusterModel;
import io.gpusched.testkit.ModelNode;
import io.gpusched.testkit.Nodes;
import io.gpusched.testkit.Pods;
import io.gpusched.testkit.Step;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;

/** Clusters whose nodes come, go and change while pods run, one by one and in batches, against a simple model. */
class ClusterHistoryProperties {
    @Provide
    Arbitrary<List<Node>> nodes() {
        return Nodes.lists(4);
    }

    @Provide
    Arbitrary<List<Step>> steps() {
        return Step.steps(Pods.pods(), Nodes.nodes()).list().ofMaxSize(20);
    }

    @Property(tries = 300)
    void aClusterShowsAfterEachStepWhatTheModelHolds_inTheModelsOrder(
            @ForAll("nodes") List<Node> nodes, @ForAll("steps") List<Step> steps) {
        ClusterHistory history = new ClusterHistory(nodes);
        for (Step step : steps) {
            history.go(step);
            assertThat(history.cluster()).shows(history.model());
            assertThat(history.cluster().nodes().stream().map(NodeState::name).toList())
                    .isEqualTo(names(history.model()));
            for (int i = 0; i < history.cluster().size(); i++) {
                assertThat(history.cluster().node(i).name())
                        .isEqualTo(names(history.model()).get(i));
            }
            assertDomains(history.cluster(), history.model());
        }
    }

    private static List<String> names(ClusterModel model) {
        return model.nodes().stream().map(ModelNode::name).toList();
    }

    private static void assertDomains(Cluster cluster, ClusterModel model) {
        for (String level : List.of("zone", "rack", "unheard-of")) {
            Map<Topology, Integer> expected = new LinkedHashMap<>();
            model.nodes().forEach(node -> expected.merge(node.node().topology().upTo(level), 1, Integer::sum));
            expected.remove(Topology.NONE);
            Map<Topology, Integer> found = new LinkedHashMap<>();
            found.putAll(cluster.domains(level));
            assertThat(List.copyOf(found.entrySet())).isEqualTo(List.copyOf(expected.entrySet()));
        }
    }

    @Property(tries = 150)
    void aClusterRestoredFromItsNodesAndPlacementsIsEqual(
            @ForAll("nodes") List<Node> nodes, @ForAll("steps") List<Step> steps) {
        Cluster cluster = ClusterHistory.of(nodes, steps).cluster();
        Cluster restored =
                Cluster.of(cluster.nodes().stream().map(NodeState::node).toList(), cluster.placements());
        assertThat(restored).isEqualTo(cluster).hasSameHashCodeAs(cluster).isConsistent();
        assertThat(restored.nodes()).isEqualTo(cluster.nodes());
        assertThat(restored.totals()).isEqualTo(cluster.totals());
        assertThat(List.copyOf(restored.classes().entrySet()))
                .isEqualTo(List.copyOf(cluster.classes().entrySet()));
        assertThat(changes(cluster, restored).values())
                .allSatisfy(pair -> assertThat(pair[0]).isEqualTo(pair[1]));
    }

    @Property(tries = 150)
    void changesBetweenAnyTwoSnapshotsOfAHistoryAreToldOncePerName(
            @ForAll("nodes") List<Node> nodes, @ForAll("steps") List<Step> steps) {
        List<Cluster> past = ClusterHistory.of(nodes, steps).past();
        for (int i = 0; i < past.size(); i += 3) {
            for (int j = past.size() - 1; j >= 0; j -= 4) {
                assertPatched(past.get(i), past.get(j));
            }
        }
    }

    @Property(tries = 60)
    void changesBetweenSnapshotsOfDifferentHistoriesAreToldToo(
            @ForAll("nodes") List<Node> nodes,
            @ForAll("steps") List<Step> steps,
            @ForAll("nodes") List<Node> otherNodes,
            @ForAll("steps") List<Step> otherSteps) {
        assertPatched(
                ClusterHistory.of(nodes, steps).cluster(),
                ClusterHistory.of(otherNodes, otherSteps).cluster());
    }

    private static void assertPatched(Cluster from, Cluster to) {
        Map<String, NodeState> patched = new HashMap<>();
        from.nodes().forEach(node -> patched.put(node.name(), node));
        changes(from, to).forEach((name, pair) -> {
            assertThat(pair[0]).isSameAs(patched.get(name));
            patched.put(name, pair[1]);
        });
        patched.values().removeIf(Objects::isNull);
        List<NodeState> expected = to.nodes();
        assertThat(patched.values()).hasSize(expected.size());
        expected.forEach(node -> assertThat(patched.get(node.name())).isSameAs(node));
    }

    private static Map<String, @Nullable NodeState[]> changes(Cluster from, Cluster to) {
        Map<String, @Nullable NodeState[]> changes = new HashMap<>();
        to.forEachChange(from, (before, after) -> {
            String name =
                    Objects.requireNonNull(before == null ? after : before).name();
            assertThat(changes.put(name, new NodeState[] {before, after})).isNull();
        });
        return changes;
    }

    @Property(tries = 100)
    void olderSnapshotsKeepTheirValueWhileNodesComeAndGo(
            @ForAll("nodes") List<Node> nodes, @ForAll("steps") List<Step> steps) {
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
}
