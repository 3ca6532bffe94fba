package io.gpusched.internal.select;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.internal.access.NodeAccess;
import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Nodes that come, go and change places, found by name, by place and by number. */
class NodeTableProperties {
    private static final int NODES = 40;

    private static NodeSpot spot(NodeState node) {
        return new NodeSpot(node, node.nodeClass());
    }

    /** The same nodes in another order, so that each stands where another one stood. */
    private static Map<String, NodeState> shuffled(Random random) {
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < NODES; i++) {
            nodes.add(Node.builder("n" + i).build());
        }
        Collections.shuffle(nodes, random);
        Map<String, NodeState> byName = new TreeMap<>();
        Cluster.of(nodes).nodes().forEach(node -> byName.put(node.name(), node));
        return byName;
    }

    @Property(tries = 200)
    void nodesThatTakeEachOthersPlaces_areFoundAtTheirNewOnes(@ForAll Random random) {
        NodeTable table = new NodeTable();
        Set<String> there = new HashSet<>();
        for (int round = 0; round < 6; round++) {
            Map<String, NodeState> snapshot = shuffled(random);
            List<String> names = new ArrayList<>(snapshot.keySet());
            Collections.shuffle(names, random);
            for (String name : names) {
                KnownNode known = table.find(name);
                assertThat(known != null).isEqualTo(there.contains(name));
                if (known == null) {
                    table.add(spot(snapshot.get(name)));
                    there.add(name);
                } else if (random.nextInt(3) == 0) {
                    table.remove(known);
                    there.remove(name);
                } else {
                    table.move(known, spot(snapshot.get(name)));
                }
            }
            assertHolds(table, there, snapshot);
        }
    }

    private static void assertHolds(NodeTable table, Set<String> there, Map<String, NodeState> snapshot) {
        assertThat(table.size()).isEqualTo(there.size());
        Set<Integer> numbers = new HashSet<>();
        snapshot.forEach((name, state) -> {
            KnownNode found = table.find(name);
            long order = NodeAccess.order(state);
            assertThat(table.at(order)).as("at the place of " + name).isSameAs(found);
            if (found == null) {
                assertThat(table.id(order)).isNegative();
            } else {
                assertThat(found.spot().node()).isSameAs(state);
                assertThat(table.id(order)).isEqualTo(found.id());
                assertThat(table.get(found.id())).isSameAs(found);
                assertThat(numbers.add(found.id())).as("a number of its own").isTrue();
                assertThat(found.id()).as("numbers are used again").isLessThan(NODES);
            }
        });
        List<String> visited = new ArrayList<>();
        table.forEach(node -> visited.add(node.machine().name()));
        assertThat(visited).containsExactlyInAnyOrderElementsOf(there);
    }

    @Example
    void theNumberOfANodeThatLeft_isNobodys() {
        NodeTable table = new NodeTable();
        KnownNode gone = table.add(
                spot(Cluster.of(List.of(Node.builder("n").build())).node("n").orElseThrow()));
        table.remove(gone);
        assertThatThrownBy(() -> table.get(gone.id()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no node has the number 0");
    }
}
