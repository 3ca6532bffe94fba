package io.gpusched.model;

import static io.gpusched.testkit.GpuAssertions.assertThat;
import static io.gpusched.testkit.GpuAssertions.assertThatThrownBy;

import io.gpusched.testkit.Nodes;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Clusters made of what exists and what runs, as after a restart; batches of nodes and pods; sums of huge clusters. */
class ClusterRestoreTest {
    private static Node node(String name) {
        return Node.builder(name).capacity(8_000, 8_000).gpus(4, Nodes.BIG).build();
    }

    private static Placement whole(String pod, String node, Integer... gpus) {
        GpuGrant grant = new GpuGrant.Whole(List.of(gpus));
        return new Placement(
                PodId.of(pod), node, Resources.of(2_000, 2_000), List.of(ContainerGrant.of("main", grant)));
    }

    @Test
    void whatRuns_isRestored_onUnhealthyGpusAndCordonedNodesToo() {
        List<Node> nodes = List.of(
                node("a").withCordoned(true), node("b").withGpuHealth(0, false).withGpuHealth(3, false));
        List<Placement> running = List.of(whole("p", "a", 1), whole("q", "b", 0, 1), whole("r", "b", 2));
        Cluster cluster = Cluster.of(nodes, running);
        assertThat(cluster).isConsistent();
        assertThat(cluster.placements()).containsExactlyInAnyOrderElementsOf(running);
        assertThat(cluster.placementsOnUnhealthyGpus()).containsExactly(running.get(1));
        assertThat(cluster.node("b").orElseThrow().idleGpus()).isZero();
        assertThat(cluster.totals().pods()).isEqualTo(3);
        assertThat(cluster.without(PodId.of("q")).without(PodId.of("r")).without(PodId.of("p")))
                .isEqualTo(Cluster.of(nodes));
    }

    @Test
    void whatCannotRunTogether_isAConflictThatNamesBoth() {
        List<Node> nodes = List.of(node("a"), node("b"));
        assertThatThrownBy(() -> Cluster.of(nodes, List.of(whole("p", "a", 1), whole("q", "a", 1))))
                .isInstanceOf(PlacementConflictException.class)
                .hasMessageContainingAll("pod \"q\"", "node \"a\"", "gpu 1", "held whole");
        assertThatThrownBy(() -> Cluster.of(nodes, List.of(whole("p", "a", 1), whole("p", "b", 1))))
                .isInstanceOf(PlacementConflictException.class)
                .hasMessageContaining("cannot place pod \"p\" on node \"b\": it already runs on node \"a\"");
        assertThatThrownBy(() -> Cluster.of(nodes, List.of(whole("p", "c", 1))))
                .isInstanceOf(PlacementConflictException.class)
                .hasMessageContaining("there is no node \"c\" among the 2 nodes");
    }

    @Test
    void whatRuns_andTheNodeCannotHold_isSaidSo_andNotToBeADecisionOfAnotherSnapshot() {
        String said =
                "pod \"p\" runs on node \"a\", which cannot hold it: cpuMillis must be in 0..1000 (what is free), got"
                        + " 2000\nMaybe the node and what runs there were read at different times.";
        Node small = Node.builder("a").capacity(1_000, 8_000).gpus(4, Nodes.BIG).build();
        assertThatThrownBy(() -> Cluster.of(List.of(small), List.of(whole("p", "a", 0))))
                .isInstanceOf(PlacementConflictException.class)
                .hasMessage(said);
        Cluster running = Cluster.of(List.of(node("a")), List.of(whole("p", "a", 0)));
        assertThat(running).refusesChange(() -> running.withReplaced(small), said);
        Node bare = Node.builder("a").capacity(8_000, 8_000).build();
        assertThatThrownBy(() -> running.withReplaced(bare))
                .hasMessage("pod \"p\", container \"main\", node \"a\": the node has no gpus, got 0");
        assertThatThrownBy(() -> Cluster.of(List.of(bare)).withGpuHealth("a", 0, false))
                .hasMessage("node \"a\": it has no gpus, got gpu index 0");
    }

    @Test
    void withRunning_takesAPodOnUnhealthyGpus_asACluster_thatIsMadeOfAllDoes() {
        Cluster before = Cluster.of(List.of(node("a").withGpuHealth(0, false), node("b")), List.of(whole("p", "b", 1)));
        Placement late = whole("q", "a", 0, 1);
        assertThat(before).refuses(late, "cannot place pod \"q\" on node \"a\": gpu 0 is not healthy");

        Cluster after = before.withRunning(late);

        assertThat(after).isConsistent();
        assertThat(after)
                .isEqualTo(Cluster.of(
                        List.of(node("a").withGpuHealth(0, false), node("b")), List.of(whole("p", "b", 1), late)));
        assertThat(after).isEqualTo(before.batch().placeRunning(late).build());
        assertThat(after.without(late)).isEqualTo(before);
        assertThat(after)
                .refusesChange(
                        () -> after.withRunning(whole("q", "b", 0)),
                        "cannot place pod \"q\" on node \"b\": it already runs on node \"a\"")
                .refusesChange(
                        () -> after.batch().placeRunning(whole("r", "b", 1)),
                        "pod \"r\" runs on node \"b\", which cannot hold it: gpu 1 is asked for whole, but it is held whole")
                .refusesChange(
                        () -> after.withRunning(whole("r", "c", 1)),
                        "pod \"r\": there is no node \"c\" among the 2 nodes");
    }

    @Test
    void batch_takesNodesAndPodsAlike_andNothingOfAChangeThatThrows() {
        Cluster before = Cluster.of(List.of(node("a"), node("b"))).with(whole("p", "a", 0));
        ClusterBatch batch = before.batch();
        batch.addNode(node("c")).place(whole("q", "c", 0, 1)).cordon("b", true).gpuHealth("c", 3, false);
        assertThatThrownBy(() -> batch.removeNode("c")).isInstanceOf(PlacementConflictException.class);
        assertThatThrownBy(() -> batch.addNode(node("b"))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> batch.replaceNode(Node.builder("c")
                        .capacity(8_000, 8_000)
                        .gpus(1, Nodes.BIG)
                        .build()))
                .isInstanceOf(PlacementConflictException.class);
        assertThatThrownBy(() -> batch.place(whole("r", "c", 3))).isInstanceOf(PlacementConflictException.class);
        Cluster after = batch.release(PodId.of("p")).removeNode("a").build();
        assertThat(after).isConsistent();
        assertThat(after)
                .isEqualTo(Cluster.of(
                        List.of(node("b").withCordoned(true), node("c").withGpuHealth(3, false)),
                        List.of(whole("q", "c", 0, 1))));
        assertThat(before.placement(PodId.of("p"))).isPresent();
        batch.removeNode("b");
        assertThat(after.size()).isEqualTo(2);
    }

    @Test
    void sums_ofTheLargestNodes_stayExact() {
        List<Node> large = IntStream.range(0, 100)
                .mapToObj(i -> Node.builder("n" + i)
                        .capacity(Resources.MAX, Resources.MAX)
                        .build())
                .toList();
        Cluster cluster = Cluster.of(large);
        assertThat(cluster.totals().capacity()).isEqualTo(Resources.of(100 * Resources.MAX, 100 * Resources.MAX));
        Placement all = new Placement(PodId.of("p"), "n7", Resources.of(Resources.MAX, 1), List.of());
        assertThat(cluster.with(all).totals().used()).isEqualTo(Resources.of(Resources.MAX, 1));
        assertThat(cluster.with(all)).isConsistent();
    }

    @Test
    void sums_beyond2To62_areRefused() {
        Cluster cluster = Cluster.of(List.of());
        ClusterBatch batch = cluster.batch();
        Node.Builder largest = Node.builder("x").capacity(0, Resources.MAX);
        int fit = (int) (Resources.MAX_SUM / Resources.MAX);
        assertThat(fit).isEqualTo(4_611_686);
        assertThat(Resources.of(0, Resources.MAX_SUM - 1)
                        .plus(Resources.of(0, 1))
                        .memoryMib())
                .isEqualTo(Resources.MAX_SUM);
        assertThatThrownBy(() -> Resources.of(0, Resources.MAX_SUM).plus(Resources.of(0, 1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(batch.addNode(largest.build()).build().totals().capacity().memoryMib())
                .isEqualTo(Resources.MAX);
    }
}
