package io.gpusched.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TopologyTest {
    private static final Topology Z1 = Topology.of("zone", "z1");
    private static final Topology Z1R1 = Topology.of("zone", "z1", "rack", "r1");
    private static final Topology Z1R2 = Topology.of("zone", "z1", "rack", "r2");
    private static final Topology Z2R1 = Topology.of("zone", "z2", "rack", "r1");

    private static Node node(String name, Topology topology) {
        return Node.builder(name).topology(topology).build();
    }

    private static List<String> names(List<NodeState> nodes) {
        return nodes.stream().map(state -> state.node().name()).toList();
    }

    @Test
    void nodes_areOrderedByPathThenByName() {
        List<Node> nodes = new ArrayList<>(List.of(
                node("b", Topology.NONE),
                node("c", Topology.NONE),
                node("a", Z1),
                node("z", Z1R1),
                node("d", Z1R2),
                node("e", Z1R2),
                node("0", Z2R1)));
        Collections.shuffle(nodes, new Random(5));
        Cluster cluster = Cluster.of(nodes);
        assertThat(names(cluster.nodes())).containsExactly("b", "c", "a", "z", "d", "e", "0");
        assertThat(cluster.domains("zone")).containsExactly(Map.entry(Z1, 4), Map.entry(Topology.of("zone", "z2"), 1));
        assertThat(cluster.domains("rack")).containsExactly(Map.entry(Z1R1, 1), Map.entry(Z1R2, 2), Map.entry(Z2R1, 1));
        assertThat(cluster.domains("row")).isEmpty();
    }

    @Test
    void domains_ofTheSameNameInDifferentZones_areDifferent() {
        Cluster cluster = Cluster.of(List.of(node("a", Z1R1), node("b", Z2R1)));
        assertThat(cluster.domains("rack")).containsOnlyKeys(Z1R1, Z2R1);
    }

    @Test
    void upTo_cutsThePathBelowTheLevel() {
        assertThat(Z1R1.upTo("zone")).isEqualTo(Z1);
        assertThat(Z1R1.upTo("rack")).isEqualTo(Z1R1);
        assertThat(Z1.upTo("rack")).isEqualTo(Topology.NONE);
    }

    @Test
    void compareTo_ordersByLevelThenNameStepByStep() {
        assertThat(Z1).isLessThan(Z1R1).isGreaterThan(Topology.NONE);
        assertThat(Z1R1)
                .isLessThan(Z1R2)
                .isLessThan(Z2R1)
                .isEqualByComparingTo(Topology.of("zone", "z1", "rack", "r1"));
        assertThat(Topology.of("cell", "z9")).isLessThan(Z1);
        assertThat(Z2R1).isGreaterThan(Z1R2);
    }

    @Test
    void toString_isAPath() {
        assertThat(Z1R2).hasToString("zone=z1/rack=r2");
        assertThat(Topology.NONE).hasToString("nowhere");
    }
}
