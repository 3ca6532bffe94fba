package io.gpusched.internal.fit;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuShare;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.testkit.Nodes;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Nodes are told apart by what is free and held, not by names. */
class OccupancyTest {
    private static final Cluster CLUSTER = Cluster.of(List.of(node("a"), node("b")));
    private static final NodeState A = CLUSTER.node(0);
    private static final NodeState B = CLUSTER.node(1);

    private static Node node(String name) {
        return Node.builder(name).capacity(4_000, 8_000).gpus(3, Nodes.BIG).build();
    }

    private static Placement placement(String pod, String node, GpuGrant grant) {
        return new Placement(PodId.of(pod), node, Resources.of(1, 2), List.of(ContainerGrant.of("c", grant)));
    }

    private static GpuGrant part(int gpu) {
        return new GpuGrant.Shared(List.of(new GpuShare(gpu, 100, 50, 1)));
    }

    private static boolean areSame(NodeState one, NodeState other) {
        boolean same = Occupancy.STRATEGY.equals(one, other);
        assertThat(same && Occupancy.STRATEGY.hashCode(one) != Occupancy.STRATEGY.hashCode(other))
                .isFalse();
        return same;
    }

    @Test
    void nodesInEqualUse_areTheSame_whoeverRunsThere() {
        assertThat(areSame(A, B)).isTrue();
        NodeState used = A.with(placement("p", "a", part(0)));
        assertThat(areSame(used, B)).isFalse();
        assertThat(areSame(used, B.with(placement("q", "b", part(0))))).isTrue();
        assertThat(areSame(used, B.with(placement("q", "b", part(1))))).isFalse();
    }

    @Test
    void cordonsAndHealth_tellNodesApart() {
        assertThat(areSame(CLUSTER.withCordoned("a", true).node(0), B)).isFalse();
        assertThat(areSame(CLUSTER.withGpuHealth("a", 1, false).node(0), B)).isFalse();
        NodeState unhealthyInUse = CLUSTER.with(placement("p", "a", part(0)))
                .withGpuHealth("a", 0, false)
                .node(0);
        assertThat(areSame(unhealthyInUse, B.with(placement("q", "b", part(0)))))
                .isFalse();
    }

    @Test
    void statesInDifferentUse_haveDifferentHashes() {
        Set<Integer> hashes = new HashSet<>();
        List<NodeState> states = List.of(
                A,
                A.with(placement("p", "a", GpuGrant.none())),
                A.with(placement("p", "a", part(0))),
                A.with(placement("p", "a", part(1))),
                A.with(placement("p", "a", new GpuGrant.Whole(List.of(0)))));
        states.forEach(state -> hashes.add(Occupancy.STRATEGY.hashCode(state)));
        assertThat(hashes).hasSameSizeAs(states);
    }
}
