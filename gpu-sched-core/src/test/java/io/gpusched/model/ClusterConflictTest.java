package io.gpusched.model;

import static io.gpusched.testkit.GpuAssertions.assertThat;
import static io.gpusched.testkit.GpuAssertions.assertThatThrownBy;

import io.gpusched.testkit.Nodes;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each conflict names both sides and ends with a guess, and leaves the snapshot as it was. */
class ClusterConflictTest {
    private static final String MAYBE_OTHER_SNAPSHOT =
            "\nMaybe the placement was decided on another snapshot than the one it is applied to.";

    private static Node node(String name) {
        return Node.builder(name)
                .capacity(4_000, 4_000)
                .maxPods(2)
                .gpus(2, Nodes.BIG)
                .build();
    }

    private static Placement placement(String pod, String node, long cpu, long memory, GpuGrant grant) {
        return new Placement(PodId.of(pod), node, Resources.of(cpu, memory), List.of(ContainerGrant.of("main", grant)));
    }

    private static GpuGrant part(int gpu, int compute, long memory, int slots) {
        return new GpuGrant.Shared(List.of(new GpuShare(gpu, compute, memory, slots)));
    }

    private static final Placement RUNNING = placement("p", "a", 1_000, 1_500, part(0, 600, 500, 1));
    private static final Cluster CLUSTER =
            Cluster.of(List.of(node("a"), node("b"))).with(RUNNING);

    private static Placement onA(GpuGrant grant) {
        return placement("x", "a", 0, 0, grant);
    }

    @Test
    void with_aPodThatRuns_isRefusedOnTheSameNodeAndOnAnother() {
        for (String node : List.of("a", "b")) {
            Placement again = placement("p", node, 0, 0, GpuGrant.none());
            String message = "cannot place pod \"p\" on node \"" + node + "\": it already runs on node \"a\""
                    + "\nMaybe release it first, or give the new pod another name.";
            assertThat(CLUSTER)
                    .refuses(again, message)
                    .refusesChange(() -> CLUSTER.batch().place(again), message)
                    .refusesChange(() -> CLUSTER.withAll(List.of(again)), message);
        }
        assertThatThrownBy(() -> CLUSTER.node(0).with(placement("p", "a", 0, 0, GpuGrant.none())))
                .isInstanceOf(PlacementConflictException.class)
                .hasMessage("cannot place pod \"p\" on node \"a\": the pod already runs there: " + RUNNING
                        + MAYBE_OTHER_SNAPSHOT);
    }

    private static void assertConflict(Runnable change, String pod, String node, String field) {
        assertThatThrownBy(change::run).isInstanceOfSatisfying(PlacementConflictException.class, conflict -> {
            assertThat(conflict.pod().map(PodId::toString).orElse("")).isEqualTo(pod);
            assertThat(conflict.node().orElse("")).isEqualTo(node);
            assertThat(conflict.field()).isEqualTo(field);
        });
    }

    @Test
    void aConflict_saysPodNodeAndFieldAsData() {
        assertConflict(() -> CLUSTER.with(placement("p", "b", 0, 0, GpuGrant.none())), "p", "a", "pod");
        assertConflict(() -> CLUSTER.with(placement("x", "z", 0, 0, GpuGrant.none())), "x", "z", "node");
        assertConflict(() -> CLUSTER.with(placement("x", "a", 3_001, 0, GpuGrant.none())), "x", "a", "cpuMillis");
        assertConflict(() -> CLUSTER.with(onA(part(0, 401, 1, 1))), "x", "a", "gpus[0]");
        assertConflict(() -> CLUSTER.with(onA(part(7, 1, 1, 1))), "x", "a", "gpus[7]");
        assertConflict(() -> CLUSTER.without(PodId.of("x")), "x", "", "pod");
        assertConflict(() -> CLUSTER.withoutNode("a"), "", "a", "pods");
    }

    @Test
    void with_anUnknownNode_isRefused() {
        Placement nowhere = placement("x", "z", 0, 0, GpuGrant.none());
        assertThat(CLUSTER)
                .refuses(nowhere, "pod \"x\": there is no node \"z\" among the 2 nodes")
                .refusesChange(() -> CLUSTER.batch().place(nowhere), "pod \"x\": there is no node \"z\"")
                .refusesChange(() -> CLUSTER.without(nowhere), "pod \"x\": there is no node \"z\"");
    }

    @Test
    void with_moreThanIsFree_namesTheFieldAndWhatIsFree() {
        assertThat(CLUSTER)
                .refuses(
                        placement("x", "a", 3_001, 0, GpuGrant.none()),
                        "cannot place pod \"x\" on node \"a\": cpuMillis must be in 0..3000 (what is free), got 3001",
                        MAYBE_OTHER_SNAPSHOT)
                .refuses(
                        placement("x", "a", 0, 2_501, GpuGrant.none()),
                        "memoryMib must be in 0..2500 (what is free), got 2501")
                .refuses(
                        onA(part(0, 401, 1, 1)),
                        "gpu 0 has 400m, 500 MiB and 999 slots free, asked are 401m, 1 MiB and 1 slots")
                .refuses(onA(part(0, 0, 501, 1)), "gpu 0 has 400m, 500 MiB and 999 slots free, asked are 0m, 501 MiB")
                .refuses(onA(part(0, 0, 0, 1_000)), "999 slots free, asked are 0m, 0 MiB and 1000 slots");
        assertThat(CLUSTER.with(placement("x", "a", 3_000, 2_500, part(0, 400, 500, 999))))
                .isConsistent();
    }

    @Test
    void with_aGpuInTwoModes_isRefused() {
        assertThat(CLUSTER)
                .refuses(onA(new GpuGrant.Whole(List.of(0))), "gpu 0 is asked for whole, but it is held in part")
                .refuses(onA(new GpuGrant.Whole(List.of(1, 2))), "gpu index must be in 0..1, got 2");
        Cluster taken = CLUSTER.with(placement("w", "a", 0, 0, new GpuGrant.Whole(List.of(1))));
        Cluster fewer = taken.without(PodId.of("p"));
        assertThat(fewer)
                .refuses(onA(part(1, 1, 0, 1)), "gpu 1 is asked for in part, but it is held whole")
                .refuses(onA(new GpuGrant.Whole(List.of(1))), "gpu 1 is asked for whole, but it is held whole");
    }

    @Test
    void with_morePodsThanTheNodeTakes_isRefused() {
        Cluster full = CLUSTER.with(placement("q", "a", 0, 0, GpuGrant.none()));
        assertThat(full).refuses(onA(GpuGrant.none()), "pods must be at most 2, one more makes 3");
    }

    @Test
    void with_aWholeNode_isRefusedWherePodsRunAndKeepsOthersAway() {
        GpuGrant all = new GpuGrant.WholeNode(2);
        assertThat(CLUSTER)
                .refuses(onA(all), "the whole node is asked for, but 1 pod runs there, first p")
                .refuses(
                        placement("x", "b", 0, 0, new GpuGrant.WholeNode(3)),
                        "pod \"x\", container \"main\", node \"b\": holds the whole of a node with 3 gpus, "
                                + "but the node has 2")
                .refuses(placement("x", "b", 4_001, 0, all), "it needs 4.001 cores, the node has 4 cores, 4000 MiB");
        Cluster held = CLUSTER.with(placement("w", "b", 0, 0, all));
        assertThat(held.node("b").orElseThrow().isHeldWhole()).isTrue();
        assertThat(held)
                .refuses(placement("x", "b", 0, 0, GpuGrant.none()), "pod \"w\" holds the whole node")
                .isConsistent();
        assertThat(held.without(PodId.of("w"))).isEqualTo(CLUSTER);
    }

    @Test
    void with_containersThatQuarrelOverAGpu_isRefused() {
        Placement twice = new Placement(
                PodId.of("x"),
                "b",
                Resources.NONE,
                List.of(
                        ContainerGrant.of("one", new GpuGrant.Whole(List.of(0))),
                        ContainerGrant.of("two", new GpuGrant.Whole(List.of(0)))));
        Placement mixed = new Placement(
                PodId.of("x"),
                "b",
                Resources.NONE,
                List.of(
                        ContainerGrant.of("one", new GpuGrant.Whole(List.of(0))),
                        ContainerGrant.of("two", part(0, 1, 1, 1))));
        Placement much = new Placement(
                PodId.of("x"),
                "b",
                Resources.NONE,
                List.of(ContainerGrant.of("one", part(0, 600, 1, 1)), ContainerGrant.of("two", part(0, 600, 1, 1))));
        String where = "pod \"x\", container \"two\", node \"b\": ";
        assertThat(CLUSTER)
                .refuses(twice, where + "gpu 0 is held by another container of the same pod")
                .refuses(
                        mixed,
                        where + "GPU 0 (0.1 %, 1 MiB) and what the pod's other containers hold there exceed the device "
                                + "(1000m, 1000 MiB, 1000 slots)")
                .refuses(much, where + "GPU 0 (60 %, 1 MiB) and what");
    }

    @Test
    void with_anUnhealthyGpu_isRefused() {
        Cluster unhealthy = CLUSTER.withGpuHealth("b", 1, false);
        assertThat(unhealthy)
                .refuses(placement("x", "b", 0, 0, part(1, 1, 0, 1)), "gpu 1 is not healthy")
                .refuses(placement("x", "b", 0, 0, new GpuGrant.WholeNode(2)), "gpu 1 is not healthy");
    }

    @Test
    void without_whatIsNotThere_isRefused() {
        Placement other = placement("p", "a", 1_000, 1_500, part(0, 600, 499, 1));
        assertThat(CLUSTER)
                .refusesChange(() -> CLUSTER.without(PodId.of("x")), "cannot release pod \"x\": it is not placed")
                .refusesChange(() -> CLUSTER.batch().release(PodId.of("x")), "cannot release pod \"x\"")
                .refusesChange(
                        () -> CLUSTER.without(onA(GpuGrant.none())),
                        "node \"a\": cannot release pod x on a, 0 cores, 0 MiB: the pod does not run there")
                .refusesChange(
                        () -> CLUSTER.without(other),
                        "node \"a\": cannot release " + other + ": what runs there is " + RUNNING);
        Cluster gone = CLUSTER.without(RUNNING);
        assertThat(gone).refusesChange(() -> gone.without(RUNNING), "the pod does not run there");
    }

    @Test
    void withAll_ofWhichOneConflicts_changesNothing() {
        assertThat(CLUSTER)
                .refusesChange(
                        () -> CLUSTER.withAll(List.of(
                                placement("x", "b", 0, 0, new GpuGrant.Whole(List.of(0))),
                                placement("y", "b", 0, 0, part(0, 1, 1, 1)))),
                        "pod \"y\"");
    }

    @Test
    void node_outOfRange_isRefused() {
        assertThatThrownBy(() -> CLUSTER.node(2)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> CLUSTER.node(-1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(CLUSTER.node("z")).isEmpty();
        assertThat(CLUSTER.placement(PodId.of("z"))).isEmpty();
    }
}
