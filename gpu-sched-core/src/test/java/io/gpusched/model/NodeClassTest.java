package io.gpusched.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.testkit.Nodes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which nodes fall into one class. */
class NodeClassTest {
    private static Node.Builder plain(int number) {
        return Node.builder("n%03d".formatted(number)).capacity(96_000, 400_000).gpus(2, Nodes.BIG);
    }

    private static Cluster cluster(int nodes, BiFunction<Node.Builder, Integer, Node.Builder> change) {
        List<Node> machines = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            machines.add(change.apply(plain(i), i).build());
        }
        return Cluster.of(machines);
    }

    private static int classes(int nodes, BiFunction<Node.Builder, Integer, Node.Builder> change) {
        return cluster(nodes, change).classes().size();
    }

    @Test
    void nodesThatDifferByNameUuidHealthCordonAndPlace_areOfOneClass() {
        assertThat(classes(8, (node, i) -> node.cordoned(i == 1).topology(Topology.of("rack", "r" + i % 3))))
                .isEqualTo(1);
        Cluster sick = cluster(4, (node, i) -> node).withGpuHealth("n001", 0, false);
        assertThat(sick.withNode(plain(7).build()).classes()).hasSize(1);
    }

    @Test
    void nodesThatDifferByModePodsTaintsOrGpus_areOfDifferentClasses() {
        assertThat(classes(3, (node, i) -> node.mode(NodeMode.values()[i]))).isEqualTo(3);
        assertThat(classes(2, (node, i) -> node.maxPods(10 + i))).isEqualTo(2);
        assertThat(classes(2, (node, i) -> i == 0 ? node : node.taint(Taint.noSchedule("a", "b"))))
                .isEqualTo(2);
        assertThat(classes(2, (node, i) -> node.gpus(i, Nodes.BIG))).isEqualTo(2);
        assertThat(classes(2, (node, i) -> node.gpus(1, i == 0 ? Nodes.BIG : Nodes.SMALL)))
                .isEqualTo(2);
        assertThat(classes(2, (node, i) -> node.gpu(Gpu.of(2, "u", Nodes.BIG).withNumaNode(i))))
                .isEqualTo(2);
        assertThat(classes(2, (node, i) -> node.gpu(Gpu.of(2, "u", Nodes.BIG).withSlots(1 + i))))
                .isEqualTo(2);
        assertThat(classes(2, (node, i) -> node.gpu(Gpu.of(2, "u", Nodes.BIG).withMemoryMib(1 + i))))
                .isEqualTo(2);
        assertThat(classes(2, (node, i) -> node.gpu(Gpu.of(2, "u", Nodes.BIG).withComputeMillis(1 + i))))
                .isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource({"96000, 95000, 1", "96000, 94300, 1", "1000, 1024, 1", "96000, 90000, 2", "96000, 48000, 2", "0, 1, 2"})
    void capacitiesAFewPercentApart_fallTogether(long one, long other, int classes) {
        assertThat(classes(2, (node, i) -> node.capacity(i == 0 ? one : other, 1_000)))
                .isEqualTo(classes);
        assertThat(classes(2, (node, i) -> node.capacity(1_000, i == 0 ? one : other)))
                .isEqualTo(classes);
    }

    @Test
    void capacity_ofAClass_isTheGreatestOfEach() {
        NodeClass only = cluster(3, (node, i) -> node.capacity(95_000 + 10 * i, 400_000 - 10 * i))
                .classes()
                .get(0);
        assertThat(only.size()).isEqualTo(3);
        assertThat(only.capacity()).isEqualTo(Resources.of(95_020, 400_000));
        assertThat(only.mode()).isEqualTo(NodeMode.MIXED);
        assertThat(only.maxPods()).isEqualTo(110);
        assertThat(only.gpus()).hasSize(2);
        assertThat(only.taints()).isEmpty();
        assertThat(only.index()).isZero();
        assertThat(only).hasToString("class 0: 3 nodes of 95020m CPU, 400000 MiB, 2 gpus A100, MIXED");
    }

    @Test
    void hostNames_doNotSplitClasses() {
        Cluster cluster = cluster(300, (node, i) -> node.label("host", "h" + i));
        assertThat(cluster.classes()).hasSize(1);
        assertThat(cluster.classes().get(0).decidesLabel("host")).isFalse();
        assertThat(cluster.classes().get(0).labels()).isEmpty();
    }

    @Test
    void commonLabels_splitClasses_alsoBesideHostNamesAndWhereSomeNodesLackThem() {
        Cluster cluster = cluster(48, (node, i) -> {
            Node.Builder labelled = node.label("host", "h" + i).label("tier", i % 2 == 0 ? "gold" : "iron");
            return i % 4 == 0 ? labelled : labelled.label("spot", "yes");
        });
        assertThat(cluster.classes()).hasSize(3).allSatisfy(nodeClass -> {
            assertThat(nodeClass.decidesLabel("tier")).isTrue();
            assertThat(nodeClass.decidesLabel("spot")).isTrue();
            assertThat(nodeClass.decidesLabel("host")).isFalse();
            assertThat(nodeClass.decidesLabel("unheard of")).isFalse();
        });
        assertThat(cluster.classes().stream().map(NodeClass::labels))
                .containsExactlyInAnyOrder(
                        Map.of("tier", "gold"),
                        Map.of("tier", "gold", "spot", "yes"),
                        Map.of("tier", "iron", "spot", "yes"));
        for (NodeState state : cluster.nodes()) {
            NodeClass nodeClass = state.nodeClass();
            assertThat(state.node().labels()).containsAllEntriesOf(nodeClass.labels());
            assertThat(state.node().labels().containsKey("spot"))
                    .isEqualTo(nodeClass.labels().containsKey("spot"));
        }
    }

    @ParameterizedTest
    @CsvSource({"8, 8, 1", "16, 2, 2", "15, 2, 1", "16, 3, 1", "2400, 256, 256", "2400, 257, 1", "2047, 256, 1"})
    void labels_splitClasses_whileTheseStayFew(int nodes, int values, int classes) {
        assertThat(classes(nodes, (node, i) -> node.label("k", "v" + i % values)))
                .isEqualTo(classes);
    }

    @Test
    void labelsThatFollowFromOthers_areCommonWhateverTheNumberOfClasses() {
        Cluster cluster = cluster(
                16,
                (node, i) ->
                        node.label("a", "v" + i % 2).label("b", "w" + i % 2).label("same", "x"));
        assertThat(cluster.classes())
                .hasSize(2)
                .allSatisfy(nodeClass -> assertThat(nodeClass.labels()).containsOnlyKeys("a", "b", "same"));
    }

    @Test
    void slotsAndOrders_ofManyClasses_leadToTheSameNodes() {
        Cluster cluster = cluster(500, (node, i) -> node.maxPods(1 + i % 90));
        assertThat(cluster.classes()).hasSize(90);
        cluster.validate();
        for (NodeState state : cluster.nodes()) {
            assertThat(cluster.node(state.order())).isSameAs(state);
            assertThat(cluster.node(state.node().name())).containsSame(state);
        }
        assertThat(cluster.classes().stream().mapToInt(NodeClass::size).sum()).isEqualTo(500);
        assertThat(IntStream.range(0, 90).map(i -> cluster.classes().get(i).index()))
                .containsExactly(IntStream.range(0, 90).boxed().toArray(Integer[]::new));
    }
}
