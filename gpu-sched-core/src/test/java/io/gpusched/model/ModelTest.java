package io.gpusched.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.testkit.Nodes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** How the values of the model read, compare and are built. */
class ModelTest {
    private static final Node NODE = Node.builder("n")
            .capacity(4_000, 8_000)
            .label("b", "2")
            .label("a", "1")
            .label("b", "3")
            .taint(Taint.noSchedule("k", "v"))
            .topology(Topology.of("zone", "z"))
            .gpus(2, Nodes.BIG)
            .gpu(Gpu.of(2, "special", Nodes.SMALL))
            .build();

    private static Placement placement(String pod, GpuGrant... grants) {
        List<ContainerGrant> containers = new ArrayList<>();
        for (GpuGrant grant : grants) {
            containers.add(ContainerGrant.of("c" + containers.size(), grant));
        }
        return new Placement(PodId.of(pod), "n", Resources.of(1, 2), containers);
    }

    private static GpuGrant part(int... gpus) {
        return new GpuGrant.Shared(Arrays.stream(gpus)
                .mapToObj(gpu -> new GpuShare(gpu, 100, 50, 1))
                .toList());
    }

    @Test
    void toString_isForAPerson() {
        assertThat(Nodes.BIG).hasToString("nvidia A100 (1000 MiB)");
        assertThat(Gpu.of(1, "u", Nodes.BIG).withHealthy(false))
                .hasToString("gpu 1 u: nvidia A100 (1000 MiB), unhealthy");
        assertThat(NODE).hasToString("node n: MIXED, 4 cores, 8000 MiB, 3 gpus A100");
        assertThat(Node.builder("m").cordoned(true).build())
                .hasToString("node m: MIXED, 0 cores, 0 MiB, 0 gpus, cordoned");
        assertThat(Taint.noSchedule("k", "v")).hasToString("k=v:NoSchedule");
        assertThat(PodId.of("p")).hasToString("p");
        assertThat(PodId.of("team/p")).hasToString("team/p");
        assertThat(GpuGrant.none()).hasToString("no GPU");
        assertThat(new GpuGrant.WholeNode(8)).hasToString("the whole node (8 GPUs)");
        assertThat(placement("p", new GpuGrant.Whole(List.of(0, 1)), GpuGrant.none(), part(2)))
                .hasToString("pod p on n, container c0: whole GPUs [0, 1], container c2: shares [GPU 2 (10 %, 50 MiB)],"
                        + " 0.001 cores, 2 MiB");
        assertThat(new ContainerGrant("c", ContainerKind.INIT, GpuGrant.none()))
                .hasToString("init container c: no GPU");
        assertThat(Cluster.of(List.of(NODE)).with(placement("p", part(0))))
                .hasToString(
                        "cluster of 1 nodes, 3 gpus (2 idle), 1 pods; used 0.001 cores, 2 MiB of 4 cores, 8000 MiB, "
                                + "100m of 3000m gpu compute");
        assertThat(Cluster.of(List.of(Node.builder("m").capacity(1, 2).build())).node(0))
                .hasToString("m: free 0.001 cores, 2 MiB, 0 pods");
    }

    @Test
    void builder_keepsTheLastValueAndMayBeUsedAgain() {
        Node.Builder builder = NODE.toBuilder();
        assertThat(builder.build()).isEqualTo(NODE);
        assertThat(NODE.labels()).containsExactly(Map.entry("a", "1"), Map.entry("b", "3"));
        Node other = builder.mode(NodeMode.SHARED)
                .maxPods(3)
                .cordoned(true)
                .gpus(1, Nodes.BIG)
                .build();
        assertThat(other.mode()).isEqualTo(NodeMode.SHARED);
        assertThat(other.maxPods()).isEqualTo(3);
        assertThat(other.cordoned()).isTrue();
        assertThat(other.gpus().get(3).uuid()).isEqualTo("n-gpu-3");
        assertThat(NODE.gpus()).hasSize(3);
        assertThat(Node.builder("x").maxPods(0).build().toBuilder().build().maxPods())
                .isZero();
    }

    @Test
    void withHealthAndCordon_changeNothingElse() {
        Node unhealthy = NODE.withGpuHealth(1, false);
        assertThat(unhealthy.gpus().get(1).healthy()).isFalse();
        assertThat(unhealthy).isNotEqualTo(NODE);
        assertThat(unhealthy.withGpuHealth(1, true)).isEqualTo(NODE);
        assertThat(NODE.withCordoned(false)).isSameAs(NODE);
        assertThat(NODE.withCordoned(true).withCordoned(false)).isEqualTo(NODE);
    }

    @Test
    void gpus_ofAPlacement_areListedOnce() {
        Placement placement = placement("p", part(2), new GpuGrant.Whole(List.of(0)), part(1, 2));
        assertThat(placement.gpus()).containsExactly(0, 1, 2);
        assertThat(placement.holdsWholeNode()).isFalse();
        assertThat(placement("p", GpuGrant.none(), new GpuGrant.WholeNode(2)).holdsWholeNode())
                .isTrue();
        assertThat(placement("p", new GpuGrant.WholeNode(2)).gpus()).containsExactly(0, 1);
    }

    @Test
    void podIds_orderByNamespaceThenName() {
        assertThat(Stream.of("x/a", "b", "a", "a/z").map(PodId::of).sorted().map(PodId::toString))
                .containsExactly("a/z", "a", "b", "x/a");
    }

    @Test
    void nodeStates_areEqualWhateverTheOrderOfTheirPods() {
        NodeState empty = Cluster.of(List.of(NODE)).node(0);
        NodeState one = empty.with(placement("p", part(0))).with(placement("q", part(1)));
        NodeState other = empty.with(placement("q", part(1))).with(placement("p", part(0)));
        assertThat(one).isEqualTo(other).hasSameHashCodeAs(other).isNotEqualTo(empty);
        assertThat(one).isNotEqualTo(empty.with(placement("p", part(0))).with(placement("r", part(1))));
        assertThat(one.equals("no node")).isFalse();
        assertThat(one.placement(PodId.of("q"))).contains(placement("q", part(1)));
        assertThat(one.placement(PodId.of("r"))).isEmpty();
    }

    @Test
    void interchangeable_areEqualGpusInEqualUse() {
        NodeState state = Cluster.of(List.of(NODE)).node(0);
        assertThat(state.isInterchangeable(0, 1)).isTrue();
        assertThat(state.isInterchangeable(0, 2)).as("another model").isFalse();
        assertThat(state.with(placement("p", part(0))).isInterchangeable(0, 1)).isFalse();
        assertThat(state.with(placement("p", part(0, 1))).isInterchangeable(0, 1))
                .isTrue();
        assertThat(Cluster.of(List.of(NODE.withGpuHealth(1, false))).node(0).isInterchangeable(0, 1))
                .isFalse();
    }

    @Test
    void placements_holdAlike_ifResourcesAndGrantsAreEqual_whoeverHoldsThem() {
        Placement one = placement("p", part(0));
        assertThat(placement("q", part(0)).holdsLike(one)).isTrue();
        assertThat(placement("p", part(1)).holdsLike(one)).isFalse();
        assertThat(new Placement(one.pod(), "n", Resources.of(2, 2), one.containers()).holdsLike(one))
                .isFalse();
        Placement.Spec asked = one::resources;
        assertThat(one.heldBy(PodId.of("q"), asked, "m"))
                .isEqualTo(new Placement(PodId.of("q"), "m", one.resources(), one.containers()).withSpec(asked));
    }

    @Test
    void gpus_areOfOneKindWhereverTheyStand() {
        Node mixed = Node.builder("mixed")
                .gpus(1, Nodes.BIG)
                .gpu(Gpu.of(1, "special", Nodes.SMALL))
                .gpus(2, Nodes.BIG)
                .build();
        NodeClass nodes = NodeClass.of(mixed);
        assertThat(nodes.kinds())
                .containsExactly(nodes.gpus().get(0), nodes.gpus().get(1));
        assertThat(nodes.alike(0)).isEqualTo(nodes.alike(3)).isEqualTo(0b1101);
        assertThat(nodes.alike(1)).isEqualTo(0b0010);
    }
}
