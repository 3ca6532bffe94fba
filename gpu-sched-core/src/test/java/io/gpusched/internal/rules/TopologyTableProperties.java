package io.gpusched.internal.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** The nodes by value of each label in use, against counting them anew. */
class TopologyTableProperties {
    private static final List<String> KEYS = List.of("zone", "rack", "row");

    private static Node node(int number, Random random) {
        Node.Builder builder = Node.builder("n" + number);
        for (String key : KEYS) {
            if (random.nextInt(3) > 0) {
                builder.label(key, key + random.nextInt(4));
            }
        }
        return builder.build();
    }

    @Property(tries = 200)
    void whateverComesAndGoes_everyLabelInUse_isCountedAsAnew(@ForAll Random random) {
        List<Node> nodes = new ArrayList<>();
        Map<String, Integer> users = new HashMap<>();
        TopologyTable table = TopologyTable.EMPTY;
        for (int i = 0; i < 60; i++) {
            String key = KEYS.get(random.nextInt(KEYS.size()));
            switch (random.nextInt(4)) {
                case 0 -> {
                    table = table.used(key, Cluster.of(nodes).nodes());
                    users.merge(key, 1, Integer::sum);
                }
                case 1 -> {
                    table = table.unused(key);
                    users.computeIfPresent(key, (name, count) -> count == 1 ? null : count - 1);
                }
                case 2 -> {
                    Node node = node(i, random);
                    nodes.add(node);
                    table = table.plus(node, 1);
                }
                default -> {
                    if (!nodes.isEmpty()) {
                        table = table.plus(nodes.remove(random.nextInt(nodes.size())), -1);
                    }
                }
            }
            assertHolds(table, users, nodes);
        }
    }

    private static void assertHolds(TopologyTable table, Map<String, Integer> users, List<Node> nodes) {
        assertThat(table.isEmpty()).isEqualTo(users.isEmpty());
        assertThat(table.toMap()).containsOnlyKeys(users.keySet());
        for (String key : KEYS) {
            DomainCounts counts = table.get(key);
            assertThat(counts == null).as(key).isEqualTo(!users.containsKey(key));
            if (counts != null) {
                Map<String, Integer> expected = new HashMap<>();
                for (Node node : nodes) {
                    if (node.labels().containsKey(key)) {
                        expected.merge(node.labels().get(key), 1, Integer::sum);
                    }
                }
                assertThat(counts.toMap()).as(key).isEqualTo(expected);
            }
        }
    }
}
