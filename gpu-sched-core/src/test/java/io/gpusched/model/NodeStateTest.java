package io.gpusched.model;

import static io.gpusched.testkit.GpuAssertions.assertThat;

import io.gpusched.testkit.Nodes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a node has left once pods come, go, or are only assumed. */
class NodeStateTest {
    private static final NodeState EMPTY = Cluster.of(List.of(Node.builder("n")
                    .capacity(8_000, 9_000)
                    .maxPods(3)
                    .gpus(3, Nodes.BIG)
                    .gpu(Gpu.of(3, "unhealthy", Nodes.BIG).withHealthy(false))
                    .build()))
            .node(0);

    private static Placement placement(String pod, GpuGrant grant) {
        return new Placement(PodId.of(pod), "n", Resources.of(500, 700), List.of(ContainerGrant.of("main", grant)));
    }

    private static GpuGrant part(int gpu) {
        return new GpuGrant.Shared(List.of(new GpuShare(gpu, 300, 200, 2)));
    }

    private static void assertSameAmounts(NodeState actual, NodeState expected) {
        assertThat(actual.freeCpuMillis()).isEqualTo(expected.freeCpuMillis());
        assertThat(actual.freeMemoryMib()).isEqualTo(expected.freeMemoryMib());
        assertThat(actual.podCount()).isEqualTo(expected.podCount());
        assertThat(actual.isEmpty()).isEqualTo(expected.isEmpty());
        assertThat(actual.idleMask()).isEqualTo(expected.idleMask());
        assertThat(actual.idleGpus()).isEqualTo(expected.idleGpus());
        assertThat(actual.freeComputeMillis()).isEqualTo(expected.freeComputeMillis());
        for (int gpu = 0; gpu < expected.gpuCount(); gpu++) {
            assertThat(actual.isWhole(gpu)).isEqualTo(expected.isWhole(gpu));
            assertThat(actual.isShared(gpu)).isEqualTo(expected.isShared(gpu));
            assertThat(actual.freeComputeMillis(gpu)).isEqualTo(expected.freeComputeMillis(gpu));
            assertThat(actual.freeMemoryMib(gpu)).isEqualTo(expected.freeMemoryMib(gpu));
            assertThat(actual.freeSlots(gpu)).isEqualTo(expected.freeSlots(gpu));
        }
    }

    /** What a pod asks that has, or has no, say about others. */
    private record Asked(Resources resources, boolean concernsOthers) implements Placement.Spec {}

    @Test
    void node_concernsOthers_asLongAsAPodThereDoes() {
        Placement quiet = placement("p", part(0)).withSpec(new Asked(Resources.of(500, 700), false));
        Placement loud = placement("q", part(1)).withSpec(new Asked(Resources.of(500, 700), true));
        NodeState both = EMPTY.with(loud).with(quiet);
        assertThat(EMPTY.with(placement("r", part(0))).with(quiet).concernsOthers())
                .isFalse();
        assertThat(both.concernsOthers()).isTrue();
        assertThat(both.assuming(Resources.of(1, 1), 0b100).concernsOthers()).isTrue();
        assertThat(both.without(quiet).concernsOthers()).isTrue();
        assertThat(both.without(loud).concernsOthers()).isFalse();
        Placement member = quiet.withGroup(Optional.of(GroupMembership.of("group", Locality.ANYWHERE)));
        assertThat(EMPTY.with(member).concernsOthers()).isTrue();
    }

    @Test
    void node_concernsOthers_whileItsOwnPodsDo() {
        Placement resident = new Placement(
                        PodId.of("daemon"), "n", Resources.NONE, List.of(ContainerGrant.of("main", GpuGrant.none())))
                .withSpec(new Asked(Resources.NONE, true));
        Node machine =
                Node.builder("n").capacity(8_000, 9_000).resident(resident).build();
        NodeState node = Cluster.of(List.of(machine)).node(0);
        Placement tenant = new Placement(
                PodId.of("p"), "n", Resources.of(1, 1), List.of(ContainerGrant.of("main", GpuGrant.none())));
        assertThat(node.concernsOthers()).isTrue();
        assertThat(node.with(tenant).without(tenant).concernsOthers()).isTrue();
    }

    @Test
    void assumedShare_leavesWhatAPlacedOneLeaves() {
        NodeState busy = EMPTY.with(placement("p", part(1)));
        Resources held = Resources.of(500, 700);
        for (int gpu : new int[] {0, 1}) {
            NodeState assumed = busy.assuming(held, new GpuShare(gpu, 300, 200, 2));
            assertSameAmounts(assumed, busy.with(placement("q", part(gpu))));
            assertThat(assumed.placements()).isEqualTo(busy.placements());
        }
    }

    @Test
    void assumedWholeGpus_leaveWhatPlacedOnesLeave() {
        NodeState busy = EMPTY.with(placement("p", part(1)));
        Resources held = Resources.of(500, 700);
        GpuGrant both = new GpuGrant.Whole(List.of(0, 2));
        assertSameAmounts(busy.assuming(held, 0b101), busy.with(placement("q", both)));
        assertSameAmounts(busy.assuming(held, 0), busy.with(placement("q", GpuGrant.none())));
        NodeState twice = EMPTY.assuming(held, 0b001).assuming(held, 0b100);
        assertThat(twice.podCount()).isEqualTo(2);
        assertThat(twice.isEmpty()).isFalse();
        assertThat(twice.idleMask()).isEqualTo(0b010);
    }

    @Test
    void released_inAnyOrder_leavesTheOthers() {
        List<Placement> all = List.of(
                placement("a", part(0)), placement("b", part(0)), placement("c", new GpuGrant.Whole(List.of(1))));
        for (List<Integer> order : List.of(List.of(0, 1, 2), List.of(1, 2, 0), List.of(2, 0, 1))) {
            NodeState state = EMPTY;
            for (Placement placement : all) {
                state = state.with(placement);
            }
            List<Placement> left = new ArrayList<>(all);
            for (int gone : order) {
                left.remove(all.get(gone));
                state = state.without(copyOf(all.get(gone)));
                NodeState expected = EMPTY;
                for (Placement placement : left) {
                    expected = expected.with(placement);
                }
                assertThat(state).isEqualTo(expected).hasSameHashCodeAs(expected);
                assertSameAmounts(state, expected);
            }
            assertThat(state.isEmpty()).isTrue();
        }
    }

    private static Placement copyOf(Placement placement) {
        return new Placement(placement.pod(), placement.node(), placement.resources(), placement.containers());
    }

    @Test
    void wholeNode_takesAndReturnsAllCpuAndMemory() {
        NodeState healthy = Cluster.of(List.of(Node.builder("n")
                        .capacity(8_000, 9_000)
                        .gpus(2, Nodes.BIG)
                        .build()))
                .node(0);
        Placement whole = placement("w", new GpuGrant.WholeNode(2));
        NodeState held = healthy.with(whole);
        assertThat(held.freeCpuMillis()).isZero();
        assertThat(held.freeMemoryMib()).isZero();
        assertThat(held.freeComputeMillis()).isZero();
        assertThat(held.without(whole)).isEqualTo(healthy);
        assertSameAmounts(held.without(whole), healthy);
    }

    @Test
    void unhealthyGpu_isNeitherIdleNorFree() {
        assertThat(EMPTY.idleMask()).isEqualTo(0b0111);
        assertThat(EMPTY.isIdle(3)).isFalse();
        assertThat(EMPTY.freeComputeMillis()).isEqualTo(3_000);
        assertThat(EMPTY.freeSlots(3)).isZero();
        assertThat(EMPTY.isCordoned()).isFalse();
        assertThat(EMPTY.gpuCount()).isEqualTo(4);
    }

    @Test
    void shareOfAGpuThatIsNotThere_isAConflict() {
        Cluster cluster = Cluster.of(List.of(
                Node.builder("n").capacity(8_000, 9_000).gpus(2, Nodes.BIG).build()));
        assertThat(cluster)
                .refuses(
                        placement("p", part(2)),
                        "pod \"p\", container \"main\", node \"n\": gpu index must be in 0..1, got 2")
                .refuses(placement("p", new GpuGrant.Whole(List.of(2))), "gpu index must be in 0..1, got 2");
    }
}
