package io.gpusched.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.testkit.Nodes;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A placement remembers where its node stood; that must never decide where it goes. */
class PlacementHomeTest {
    private static final List<ContainerGrant> ONE_GPU =
            List.of(new ContainerGrant("main", false, new GpuGrant.Whole(List.of(0))));

    private static Node node(String name) {
        return Node.builder(name).capacity(4_000, 8_000).gpus(2, Nodes.BIG).build();
    }

    private static Placement on(Cluster cluster, String node) {
        NodeState state = cluster.node(node).orElseThrow();
        return Placement.on(state, PodId.of("p"), Resources.of(1_000, 1_000), ONE_GPU);
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
}
