package io.gpusched.internal.select;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.internal.access.NodeAccess;
import io.gpusched.internal.index.ClassIndex;
import io.gpusched.internal.index.ClusterIndex;
import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Nodes by slot as they come and go. */
class SlotTableProperties {
    private static Cluster cluster(int nodes) {
        List<Node> all = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            all.add(Node.builder("n%04d".formatted(10 * i))
                    .capacity(1_000L * (1 + i % 3), 1_000)
                    .build());
        }
        return Cluster.of(all);
    }

    @Property(tries = 60)
    void slotsAscendInNodeOrderWithinATree_butForNodesThatCameLater(@ForAll Random random) {
        Cluster cluster = cluster(1 + random.nextInt(200));
        SlotTable table = new SlotTable(cluster);
        Set<String> later = new HashSet<>();
        for (int step = 0; step < 60; step++) {
            NodeState node = cluster.node(random.nextInt(cluster.size()));
            if (cluster.size() > 1 && random.nextBoolean()) {
                table.remove(table.slot(node));
                later.remove(node.name());
                cluster = cluster.withoutNode(node.name());
            } else {
                String name = node.name().substring(0, 5) + "-" + step;
                cluster = cluster.withNode(
                        Node.builder(name).capacity(1_000, 1_000).build());
                table.add(cluster.node(name).orElseThrow());
                later.add(name);
            }
        }
        assertHolds(table, cluster, later);
        assertThat(new SlotTable(cluster).isWorn()).isFalse();
    }

    private static void assertHolds(SlotTable table, Cluster cluster, Set<String> later) {
        assertThat(table.size()).isEqualTo(cluster.size());
        for (ClassIndex tree : ClusterIndex.of(cluster).classes()) {
            int[] next = {table.start(tree.position(), 0)};
            tree.forEach(node -> {
                int slot = table.slot(node);
                assertThat(table.state(slot)).isSameAs(node);
                assertThat(table.order(slot)).isEqualTo(NodeAccess.order(node));
                if (!later.contains(node.name())) {
                    assertThat(slot).isBetween(next[0], table.end(tree.position()) - 1);
                    assertThat(table.next(table.start(tree.position(), NodeAccess.order(node))))
                            .isEqualTo(slot);
                    next[0] = slot + 1;
                }
            });
        }
        List<NodeState> late = new ArrayList<>();
        table.late().forEach((int slot) -> late.add(table.state(slot)));
        assertThat(late).isSortedAccordingTo(Comparator.comparingLong(NodeAccess::order));
        assertThat(late).extracting(NodeState::name).containsExactlyInAnyOrderElementsOf(later);
    }

    @Example
    void aTableIsWorn_onceManyNodesCameLater() {
        Cluster cluster = cluster(640);
        SlotTable table = new SlotTable(cluster);
        int added = 0;
        while (!table.isWorn()) {
            String name = "x%04d".formatted(added++);
            cluster = cluster.withNode(Node.builder(name).capacity(1_000, 1_000).build());
            table.add(cluster.node(name).orElseThrow());
        }
        // 64, and a 64th of all
        assertThat(added).isEqualTo(64 + 640 / 64 + 2);
    }

    @Example
    void theSlotOfANodeThatLeft_isNobodys() {
        Cluster cluster = cluster(1);
        SlotTable table = new SlotTable(cluster);
        table.remove(table.slot(cluster.node(0)));
        assertThatThrownBy(() -> table.state(0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no node has the slot 0");
    }
}
