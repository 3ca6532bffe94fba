package io.gpusched.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.testkit.Nodes;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A placement remembers where its node stood; that must never decide where it goes. */
class PlacementLocationTest {
    private static final List<ContainerGrant> ONE_GPU =
            List.of(ContainerGrant.of("main", new GpuGrant.Whole(List.of(0))));

    private static Node node(String name) {
        return Node.builder(name).capacity(4_000, 8_000).gpus(2, Nodes.BIG).build();
    }

    private static Placement on(Cluster cluster, String node) {
        String name = cluster.node(node).orElseThrow().name();
        return new Placement(PodId.of("p"), name, Resources.of(1_000, 1_000), ONE_GPU);
    }

    @Test
    void placementOnANode_equalsTheOneThatNamesIt() {
        Placement named = new Placement(PodId.of("p"), "b", Resources.of(1_000, 1_000), ONE_GPU);
        Placement on = on(Cluster.of(List.of(node("a"), node("b"))), "b");
        assertThat(on).isEqualTo(named).hasSameHashCodeAs(named).hasToString(named.toString());
    }

    @Test
    void placementFromAnotherCluster_goesToTheNodeOfItsName() {
        Placement placement = on(Cluster.of(List.of(node("b"))), "b");
        Cluster other = Cluster.of(List.of(node("a"), node("b"), node("c")));
        Cluster placed = other.with(placement);
        assertThat(placed.node("a").orElseThrow().isEmpty()).isTrue();
        assertThat(placed.node("b").orElseThrow().placements()).containsExactly(placement);
        assertThat(placed.without(placement)).isEqualTo(other);
    }

    @Test
    void placementFromALargerCluster_findsItsNodeOrIsRefusedByName() {
        Cluster large = Cluster.of(List.of(node("a"), node("b"), node("c")));
        Cluster small = Cluster.of(List.of(node("c")));
        assertThat(small.with(on(large, "c")).node("c").orElseThrow().podCount())
                .isEqualTo(1);
        assertThatThrownBy(() -> small.with(on(large, "b")))
                .isInstanceOf(PlacementConflictException.class)
                .hasMessageContaining("there is no node \"b\"");
    }

    @Test
    void placementOfAnotherClass_goesToTheNodeOfItsName() {
        Node shared = Node.builder("s")
                .mode(NodeMode.SHARED)
                .capacity(4_000, 8_000)
                .gpus(2, Nodes.BIG)
                .build();
        Placement placement = on(Cluster.of(List.of(shared, node("z"))), "z");
        Cluster alone = Cluster.of(List.of(node("y"), node("z")));
        assertThat(alone.with(placement).node("z").orElseThrow().podCount()).isEqualTo(1);
    }

    @Test
    void snapshots_knowTheirNodesWhateverWasMadeOfThemSince() {
        Cluster empty = Cluster.of(List.of(node("a"), node("b")));
        Placement placement = on(empty, "b");
        Cluster placed = empty.with(placement);
        Cluster released = placed.without(placement);
        assertThat(placed.without(placement)).isEqualTo(released).isEqualTo(empty);
        assertThatThrownBy(() -> released.without(placement)).isInstanceOf(PlacementConflictException.class);
        assertThatThrownBy(() -> placed.with(placement)).isInstanceOf(PlacementConflictException.class);
        assertThat(empty.with(placement)).isEqualTo(placed);
        assertThat(empty.batch().place(placement).build()).isEqualTo(placed);
        assertThat(placed.batch().release(placement.pod()).build()).isEqualTo(empty);
    }

    @Test
    void releaseOfAWholeNode_givesBackWhatThisNodeHas() {
        Node larger =
                Node.builder("b").capacity(3_999, 7_999).gpus(2, Nodes.BIG).build();
        Cluster empty = Cluster.of(List.of(node("a"), larger, node("c")));
        assertThat(empty.classes()).hasSize(1);
        for (String name : List.of("a", "b", "c")) {
            NodeState node = empty.node(name).orElseThrow();
            List<ContainerGrant> all = List.of(ContainerGrant.of("main", new GpuGrant.WholeNode(2)));
            Placement placement = new Placement(PodId.of("p"), name, Resources.of(1_000, 1_000), all);
            NodeState back = empty.with(placement).without(placement).node(name).orElseThrow();
            assertThat(back.freeCpuMillis()).isEqualTo(node.node().capacity().cpuMillis());
            assertThat(back.freeMemoryMib()).isEqualTo(node.node().capacity().memoryMib());
        }
    }

    @Test
    void placement_isOfThePodItWasMadeFor() {
        PodId pod = new PodId("team", "p");
        Placement placement = new Placement(pod, "b", Resources.of(1_000, 1_000), ONE_GPU);
        assertThat(placement.pod()).isEqualTo(pod).hasSameHashCodeAs(pod).hasToString("team/p");
        assertThat(placement.isOf(new PodId("team", "p"))).isTrue();
        assertThat(placement.isOf(new PodId("team", "q"))).isFalse();
        assertThat(placement.isOf(new PodId("other", "p"))).isFalse();
    }

    @Test
    void placementOnANodeOfAnyOfManyClasses_goesThere() {
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            nodes.add(Node.builder("n" + i)
                    .capacity(4_000, 8_000)
                    .maxPods(10 + i)
                    .gpus(2, Nodes.BIG)
                    .build());
        }
        Cluster empty = Cluster.of(nodes);
        assertThat(empty.classes()).hasSize(200);
        for (Node node : nodes) {
            Placement placement = on(empty, node.name());
            Cluster placed = empty.with(placement);
            assertThat(placed.node(node.name()).orElseThrow().placements()).containsExactly(placement);
            assertThat(placed.without(placement)).isEqualTo(empty);
        }
    }
}
