package io.gpusched.model;

import static io.gpusched.testkit.GpuAssertions.assertThat;

import io.gpusched.testkit.ClusterModel;
import io.gpusched.testkit.Life;
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
class ClusterLifeProperties {
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
        Life life = new Life(nodes);
        for (Step step : steps) {
            life.go(step);
            assertThat(life.cluster()).shows(life.model());
            assertThat(life.cluster().nodes().stream().map(NodeState::name).toList())
                    .isEqualTo(names(life.model()));
            for (int i = 0; i < life.cluster().size(); i++) {
                assertThat(life.cluster().node(i).name())
                        .isEqualTo(names(life.model()).get(i));
            }
            assertDomains(life.cluster(), life.model());
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
            cluster.domains(level).forEach(domain -> found.put(domain.path(), domain.size()));
            assertThat(List.copyOf(found.entrySet())).isEqualTo(List.copyOf(expected.entrySet()));
        }
    }

    @Property(tries = 150)
    void aClusterRestoredFromItsNodesAndPlacementsIsEqual(
            @ForAll("nodes") List<Node> nodes, @ForAll("steps") List<Step> steps) {
        Cluster cluster = Life.of(nodes, steps).cluster();
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
        List<Cluster> past = Life.of(nodes, steps).past();
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
                Life.of(nodes, steps).cluster(), Life.of(otherNodes, otherSteps).cluster());
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
        Life life = new Life(nodes);
        List<ClusterModel> models = new ArrayList<>(List.of(ClusterModel.of(life.cluster())));
        for (Step step : steps) {
            life.go(step);
            models.add(ClusterModel.of(life.cluster()));
        }
        for (int i = 0; i < models.size(); i++) {
            assertThat(life.past().get(i)).shows(models.get(i));
        }
    }
}
