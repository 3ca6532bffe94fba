package io.gpusched.model;

import static io.gpusched.testkit.GpuAssertions.assertThat;
import static io.gpusched.testkit.GpuAssertions.assertThatThrownBy;

import io.gpusched.testkit.ClusterModel;
import io.gpusched.testkit.Nodes;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Adding, replacing and removing nodes, cordons and unhealthy GPUs, with pods running. */
class ClusterNodesTest {
    private static Node node(String name, int gpus) {
        return Node.builder(name).capacity(8_000, 8_000).gpus(gpus, Nodes.BIG).build();
    }

    private static Placement part(String pod, String node, int gpu) {
        GpuGrant grant = new GpuGrant.Shared(List.of(new GpuShare(gpu, 400, 400, 1)));
        return new Placement(
                PodId.of(pod), node, Resources.of(1_000, 1_000), List.of(ContainerGrant.of("main", grant)));
    }

    private static Placement whole(String pod, String node, Integer... gpus) {
        GpuGrant grant = new GpuGrant.Whole(List.of(gpus));
        return new Placement(
                PodId.of(pod), node, Resources.of(2_000, 2_000), List.of(ContainerGrant.of("main", grant)));
    }

    private static final Cluster BUSY = Cluster.of(List.of(node("b", 4), node("d", 2)))
            .withAll(List.of(part("p", "b", 1), whole("w", "b", 2, 3), part("q", "d", 0)));

    @Test
    void withNode_keepsWhatRunsAndFindsItByPod() {
        Cluster more = BUSY.withNode(node("a", 1)).withNode(node("c", 4));
        ClusterModel model = ClusterModel.of(BUSY);
        model.add(node("a", 1));
        model.add(node("c", 4));
        assertThat(more).shows(model);
        assertThat(more.without(PodId.of("w")).node("b").orElseThrow().idleGpus())
                .isEqualTo(3);
        assertThat(BUSY.size()).isEqualTo(2);
    }

    @Test
    void withNode_ofANameThatIsTaken_isRefused() {
        assertThatThrownBy(() -> BUSY.withNode(node("d", 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("cluster: two nodes have the name \"d\"");
    }

    @Test
    void withReplaced_byALargerMachineElsewhere_keepsWhatRuns() {
        Node larger = Node.builder("b")
                .capacity(16_000, 9_000)
                .gpus(6, Nodes.BIG)
                .topology(Topology.of("zone", "z"))
                .cordoned(true)
                .build();
        Cluster changed = BUSY.withReplaced(larger);
        NodeState state = changed.node("b").orElseThrow();
        assertThat(changed).isConsistent();
        assertThat(changed.node(1)).isSameAs(state);
        assertThat(state.node()).isEqualTo(larger);
        assertThat(state.freeCpuMillis()).isEqualTo(16_000 - 3_000);
        assertThat(state.freeMemoryMib()).isEqualTo(9_000 - 3_000);
        assertThat(state.idleGpus()).isEqualTo(3);
        assertThat(changed.placements()).containsExactlyInAnyOrderElementsOf(BUSY.placements());
        assertThat(changed.withReplaced(node("b", 4))).isEqualTo(BUSY);
    }

    @Test
    void withReplaced_byUnhealthyGpus_keepsAndListsWhatRunsThere() {
        Cluster unhealthy =
                BUSY.withReplaced(node("b", 4).withGpuHealth(1, false).withGpuHealth(3, false));
        assertThat(unhealthy).isConsistent();
        assertThat(unhealthy.placementsOnUnhealthyGpus()).containsExactly(part("p", "b", 1), whole("w", "b", 2, 3));
        assertThat(unhealthy).isEqualTo(BUSY.withGpuHealth("b", 1, false).withGpuHealth("b", 3, false));
    }

    @Test
    void withReplaced_byAMachineThatDoesNotGoWithWhatRuns_isAConflict() {
        assertThat(BUSY)
                .refusesChange(() -> BUSY.withReplaced(node("b", 3)), "pod \"w\"", "gpu index must be in 0..2, got 3")
                .refusesChange(
                        () -> BUSY.withReplaced(
                                node("b", 4).toBuilder().mode(NodeMode.SHARED).build()),
                        "pod \"w\"",
                        "gpu 2 is asked for whole, but the node's mode is SHARED")
                .refusesChange(
                        () -> BUSY.withReplaced(
                                node("b", 4).toBuilder().capacity(2_999, 8_000).build()),
                        "cpuMillis must be in 0..1999 (what is free), got 2000")
                .refusesChange(
                        () -> BUSY.withReplaced(
                                node("b", 4).toBuilder().maxPods(1).build()),
                        "pods must be at most 1, one more makes 2")
                .refusesChange(() -> BUSY.withReplaced(node("x", 4)), "there is no node \"x\" among the 2 nodes");
    }

    @Test
    void withoutNode_ofAnEmptyNode_keepsTheOthers() {
        Cluster fewer = BUSY.without(PodId.of("q")).withoutNode("d");
        ClusterModel model = ClusterModel.of(BUSY);
        model.remove("d");
        assertThat(fewer).shows(model);
        assertThat(fewer.node("d")).isEmpty();
    }

    @Test
    void withoutNode_onWhichPodsRun_orThatIsUnknown_isAConflict() {
        assertThat(BUSY)
                .refusesChange(
                        () -> BUSY.withoutNode("b"), "cannot remove node \"b\": 2 pods run there, first \"p\"", "Maybe")
                .refusesChange(() -> BUSY.withoutNode("x"), "there is no node \"x\"")
                .refusesChange(() -> BUSY.withCordoned("x", true), "there is no node \"x\"")
                .refusesChange(() -> BUSY.withGpuHealth("x", 0, true), "there is no node \"x\"");
    }

    @Test
    void withCordoned_keepsWhatRunsAndGoesBack() {
        Cluster cordoned = BUSY.withCordoned("b", true);
        assertThat(cordoned.placements()).isEqualTo(BUSY.placements());
        assertThat(cordoned).isNotEqualTo(BUSY).isConsistent();
        assertThat(cordoned.withCordoned("b", false)).isEqualTo(BUSY);
        assertThat(cordoned.with(part("new", "b", 0)).totals().pods())
                .as("a cordon binds schedulers only")
                .isEqualTo(4);
    }

    @Test
    void withGpuHealth_listsWhatRunsOnUnhealthyGpusInNodeOrder() {
        assertThat(BUSY.placementsOnUnhealthyGpus()).isEmpty();
        Cluster unhealthy =
                BUSY.withGpuHealth("d", 0, false).withGpuHealth("b", 2, false).withGpuHealth("b", 0, false);
        assertThat(unhealthy.placementsOnUnhealthyGpus()).containsExactly(whole("w", "b", 2, 3), part("q", "d", 0));
        assertThat(unhealthy.totals().idleGpus()).isEqualTo(BUSY.totals().idleGpus() - 1);
        assertThat(unhealthy.node("b").orElseThrow())
                .hasToString("b: free 5 cores, 5000 MiB, 2 pods, gpus [unhealthy 600m unhealthy whole]");
        Cluster released = unhealthy.without(PodId.of("q")).without(PodId.of("w"));
        assertThat(released).isConsistent();
        assertThat(released.placementsOnUnhealthyGpus()).isEmpty();
    }

    @Test
    void forEachChange_tellsOfNodesThatCameWentAndChanged() {
        Cluster other = BUSY.withNode(node("z", 1))
                .without(PodId.of("q"))
                .withoutNode("d")
                .withCordoned("b", true);
        Map<String, String> changes = new TreeMap<>();
        other.forEachChange(
                BUSY,
                (before, after) -> changes.put(
                        before == null ? "+" + name(after) : "-" + before.name(), after == null ? "" : name(after)));
        assertThat(changes).isEqualTo(Map.of("-b", "b", "-d", "", "+z", "z"));
    }

    private static String name(@Nullable NodeState state) {
        return Objects.requireNonNull(state).name();
    }

    @Test
    void emptyCluster_isACluster() {
        Cluster none = Cluster.of(List.of());
        assertThat(none).isConsistent();
        assertThat(none.size()).isZero();
        assertThat(none.classes()).isEmpty();
        assertThat(none.withNode(node("a", 1)).size()).isEqualTo(1);
        assertThat(none.toString()).startsWith("cluster of 0 nodes, 0 gpus (0 idle), 0 pods");
    }
}
