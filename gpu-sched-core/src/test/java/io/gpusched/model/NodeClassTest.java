package io.gpusched.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.testkit.Nodes;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
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
        Cluster unhealthy = cluster(4, (node, i) -> node).withGpuHealth("n001", 0, false);
        assertThat(unhealthy.withNode(plain(7).build()).classes()).hasSize(1);
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
    @CsvSource({"96000, 95000, 1", "96000, 94300, 1", "66000, 67000, 1", "96000, 90000, 2", "96000, 48000, 2", "0, 1, 2"
    })
    void capacitiesAFewPercentApart_fallTogether(long one, long other, int classes) {
        assertThat(classes(2, (node, i) -> node.capacity(i == 0 ? one : other, 1_000)))
                .isEqualTo(classes);
        assertThat(classes(2, (node, i) -> node.capacity(1_000, i == 0 ? one : other)))
                .isEqualTo(classes);
    }

    @Test
    void class_tellsWhatItsNodesAre() {
        NodeClass only = NodeClass.of(plain(1).capacity(95_020, 399_990).build());
        assertThat(only.capacity()).isEqualTo(Resources.of(96_000, 409_600));
        assertThat(only.mode()).isEqualTo(NodeMode.MIXED);
        assertThat(only.maxPods()).isEqualTo(110);
        assertThat(only.gpus()).hasSize(2).allMatch(Gpu::healthy);
        assertThat(only.taints()).isEmpty();
        assertThat(only).hasToString("nodes of 96 cores, 400 GiB, 2 gpus A100, MIXED");
        NodeClass equal =
                NodeClass.of(plain(2).capacity(94_000, 400_000).build().withGpuHealth(1, false));
        assertThat(only).isEqualTo(equal).hasSameHashCodeAs(equal);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "1, 1",
        "15, 15",
        "17, 17",
        "33, 33",
        "2001, 2125",
        "1000, 1000",
        "64000, 64000",
        "63500, 64000",
        "1000000000000, 1000000000000"
    })
    void capacities_areRoundedUpByLessThanASixteenth_wholeNumbersOfCoresStay(long cpuMillis, long rounded) {
        assertThat(NodeClass.of(plain(1).capacity(cpuMillis, 0).build())
                        .capacity()
                        .cpuMillis())
                .isEqualTo(rounded)
                .isLessThanOrEqualTo(cpuMillis + cpuMillis / 16);
    }

    @Test
    void labels_makeNoClasses() {
        assertThat(classes(300, (node, i) -> node.label("host", "h" + i).label("rank", "t" + i % 2)))
                .isEqualTo(1);
    }

    @Test
    void classes_areCountedInTheOrderOfTheirFirstNodes_howeverTheClusterCameToBe() {
        Cluster built = cluster(500, (node, i) -> node.maxPods(1 + i % 90).mode(NodeMode.values()[i % 3]));
        Cluster grown = Cluster.of(List.of());
        for (int i = 499; i >= 0; i--) {
            grown = grown.withNode(built.node(i).node());
        }
        grown.validate();
        built.validate();
        assertThat(List.copyOf(built.classes().entrySet()))
                .isEqualTo(List.copyOf(grown.classes().entrySet()));
        assertThat(built.classes()).hasSize(90);
        assertThat(built.classes().keySet().iterator().next())
                .isEqualTo(built.node(0).nodeClass());
        assertThat(built.classes().values().stream().mapToInt(Integer::intValue).sum())
                .isEqualTo(500);
        assertThat(built).isEqualTo(grown);
        for (int i = 0; i < 500; i++) {
            NodeState state = built.node(i);
            assertThat(built.node(state.name())).containsSame(state);
            assertThat(state.name()).isEqualTo("n%03d".formatted(i));
        }
    }
}
