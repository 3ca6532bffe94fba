package io.gpusched.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.testkit.Nodes;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Nodes that join together in a batch are where they would be had they joined one by one. */
class BatchAdditionsProperties {
    private static Node node(int number, Random random) {
        Node.Builder builder = Node.builder("n%05d".formatted(number))
                .capacity(64_000 + 1_000L * random.nextInt(random.nextInt(50) + 1), 64_000)
                .gpus(1 + random.nextInt(2), Nodes.BIG);
        int place = random.nextInt(6);
        return place == 0
                ? builder.build()
                : builder.topology(Topology.of("zone", "z" + place % 2, "rack", "r" + random.nextInt(4)))
                        .build();
    }

    private static List<Node> nodes(int from, int to, Random random) {
        List<Node> nodes = new ArrayList<>();
        for (int i = from; i < to; i++) {
            nodes.add(node(i, random));
        }
        java.util.Collections.shuffle(nodes, random);
        return nodes;
    }

    @Property(tries = 60)
    void addedTogether_isAsBuiltOfAll_andAsAddedOneByOne(
            @ForAll @IntRange(max = 300) int before, @ForAll @IntRange(max = 200) int more, @ForAll Random random) {
        List<Node> all = nodes(0, before + more, random);
        Cluster cluster = Cluster.of(all.subList(0, before));
        Cluster oneByOne = cluster;
        ClusterBatch batch = cluster.batch();
        for (Node node : all.subList(before, all.size())) {
            batch.addNode(node);
            oneByOne = oneByOne.withNode(node);
        }
        Cluster together = batch.build();
        together.validate();
        assertThat(together).isEqualTo(oneByOne).isEqualTo(Cluster.of(all));
        assertThat(together.nodes().stream().map(NodeState::name))
                .containsExactlyElementsOf(
                        oneByOne.nodes().stream().map(NodeState::name).toList());
        assertThat(together.classes()).isEqualTo(oneByOne.classes());
        cluster.validate();
        assertThat(cluster.size()).isEqualTo(before);
    }

    @Property(tries = 40)
    void additionsBetweenOtherChanges_areSeenByThem(@ForAll Random random) {
        Cluster cluster = Cluster.of(nodes(0, 40, random));
        ClusterBatch batch = cluster.batch();
        for (int i = 0; i < 120; i++) {
            String name = "n%05d".formatted(1_000 + i);
            Node node = node(1_000 + i, random);
            batch.addNode(node);
            switch (random.nextInt(6)) {
                case 0 -> batch.removeNode(name);
                case 1 -> batch.cordon(name, true);
                case 2 -> batch.place(new Placement(PodId.of("p" + i), name, Resources.of(1, 1), List.of()));
                case 3 ->
                    batch.replaceNode(node.toBuilder().label("seen", "yes").build());
                default -> {}
            }
        }
        Cluster after = batch.build();
        after.validate();
        after.nodes()
                .forEach(state -> state.placements()
                        .forEach(held -> assertThat(after.placement(held.pod())).contains(held)));
    }

    @Example
    void whereThereIsNoRoomBetweenTwoKeys_nodesJoinAllTheSame() {
        Random random = new Random(4);
        Cluster cluster = Cluster.of(nodes(0, 3, random));
        Topology first = Topology.of("rack", "a");
        for (int round = 0; round < 12; round++) {
            ClusterBatch batch = cluster.batch();
            for (int i = 0; i < 60; i++) {
                // each between the last one and all that came before
                batch.addNode(Node.builder("x%03d-%03d".formatted(500 - round, i))
                        .topology(first)
                        .build());
            }
            cluster = batch.build();
        }
        cluster.validate();
        assertThat(cluster.size()).isEqualTo(3 + 12 * 60);
    }

    @Example
    void aNameThatIsThereAlready_isRefused_andChangesNothing() {
        Random random = new Random(5);
        ClusterBatch batch = Cluster.of(nodes(0, 3, random)).batch().addNode(node(7, random));
        for (int number : new int[] {1, 7}) {
            assertThatThrownBy(() -> batch.addNode(node(number, random)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("cluster: two nodes have the name \"n%05d\"".formatted(number));
        }
        assertThat(batch.addNode(node(8, random)).build().size()).isEqualTo(5);
    }
}
