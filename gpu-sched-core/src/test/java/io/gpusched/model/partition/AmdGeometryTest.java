package io.gpusched.model.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.analysis.Headroom;
import io.gpusched.decision.Decision;
import io.gpusched.decision.Placed;
import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.PlacementConflictException;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** AMD's partitions: equal parts of a device, one memory mode on a node. */
class AmdGeometryTest {
    private static final GpuModel MODEL = GpuModel.of("amd", "MI300X", 196_608);
    private static final GpuScheduler SCHEDULER = GpuScheduler.create();

    private static Cluster twoGpus() {
        Node.Builder node = Node.builder("n1");
        for (int g = 0; g < 2; g++) {
            node.gpu(Gpu.of(g, "gpu-" + g, MODEL).withPartitions(AmdGeometry.mi300x()));
        }
        return Cluster.of(List.of(node.build()));
    }

    private static Decision ask(Cluster cluster, String name, String profile, int count) {
        return SCHEDULER.schedule(cluster, Pod.of(name, Resources.NONE, GpuRequest.partition(profile, count)));
    }

    private static Pod asking(String profile) {
        return Pod.of("more", Resources.NONE, GpuRequest.partition(profile, 1));
    }

    private static Cluster with(Cluster cluster, String name, String profile, int count) {
        return cluster.with(((Placed) ask(cluster, name, profile, count)).placement());
    }

    @Test
    void cpxOfAnMi300x_isOneEighth() {
        PartitionProfile cpx = AmdGeometry.mi300x().profiles().stream()
                .filter(profile -> profile.name().equals("cpx_nps4"))
                .findFirst()
                .orElseThrow();
        assertThat(cpx.starts()).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
        assertThat(cpx.computeMillis()).isEqualTo(125);
        assertThat(cpx.memoryMib()).isEqualTo(24_576);
        assertThat(cpx.mode()).isEqualTo("cpx");
        assertThat(cpx.nodeMode()).isEqualTo("nps4");
    }

    @Test
    void partitionsOfADevice_areOfOneComputeMode() {
        Cluster cluster = with(twoGpus(), "a", "qpx_nps1", 3);
        assertThat(ask(cluster, "b", "cpx_nps1", 8)).isInstanceOf(Placed.class);
        assertThat(ask(cluster, "b", "cpx_nps1", 9)).isNotInstanceOf(Placed.class);
        assertThat(ask(cluster, "b", "qpx_nps1", 5)).isInstanceOf(Placed.class);
        assertThat(ask(cluster, "b", "qpx_nps1", 6)).isNotInstanceOf(Placed.class);
    }

    @Test
    void partitionsOfANode_areOfOneMemoryMode_untilItIsEmpty() {
        Cluster cluster = with(twoGpus(), "a", "cpx_nps4", 1);
        assertThat(ask(cluster, "b", "spx_nps1", 1)).isNotInstanceOf(Placed.class);
        assertThat(ask(cluster, "b", "qpx_nps4", 4)).isInstanceOf(Placed.class);
        Cluster empty = cluster.without(cluster.placements().get(0));
        Placed placed = (Placed) ask(empty, "b", "spx_nps1", 2);
        assertThat(placed.placement().containers().get(0).gpus())
                .isEqualTo(new GpuGrant.Partitions(
                        List.of(new GpuPartition(0, "spx_nps1", 0, "spx"), new GpuPartition(1, "spx_nps1", 0, "spx"))));
    }

    @Test
    void partitionsOfOneDevice_areOfOneMemoryMode_thoughTheirComputeModeIsTheSame() {
        Cluster cluster = with(twoGpus(), "a", "cpx_nps1", 1);
        assertThat(ask(cluster, "b", "cpx_nps4", 1)).isNotInstanceOf(Placed.class);
        Placement mixed = new Placement(
                PodId.of("b"),
                cluster.node(0).name(),
                Resources.NONE,
                List.of(ContainerGrant.of(
                        "main", new GpuGrant.Partitions(List.of(new GpuPartition(0, "cpx_nps4", 1, "cpx"))))));
        assertThatThrownBy(() -> cluster.with(mixed)).isInstanceOf(PlacementConflictException.class);
    }

    @Test
    void headroom_isWhatTheMemoryModeOfTheNodeAdmits() {
        Cluster cluster = with(twoGpus(), "a", "cpx_nps4", 1);
        assertThat(Headroom.of(cluster, asking("cpx_nps1")).pods()).isZero();
        assertThat(Headroom.of(cluster, asking("cpx_nps4")).pods()).isEqualTo(15);
    }

    @Test
    void sixXccs_areDividedByThree() {
        PartitionGeometry apu = AmdGeometry.of("MI300A", 6, 131_072, List.of("tpx_nps1", "cpx_nps1", "tpx_nps1"));
        assertThat(apu.names()).containsExactly("cpx_nps1", "tpx_nps1");
        assertThat(apu.profiles())
                .extracting(profile -> profile.starts().size())
                .containsExactly(6, 3);
    }

    @ParameterizedTest
    @CsvSource({
        "8, tpx_nps1, needs a multiple of 3 xccs",
        "6, qpx_nps1, needs a multiple of 4 xccs",
        "8, cpx, mode must be one of",
        "8, cpx_nps3, mode must be one of",
        "0, spx_nps1, 'xccs must be in 1..32, got 0'"
    })
    void modeThatTheDeviceCannotBeIn_isAnError(int xccs, String mode, String problem) {
        assertThatThrownBy(() -> AmdGeometry.of("x", xccs, 1_024, List.of(mode)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("amd geometry \"x\"")
                .hasMessageContaining(problem);
    }
}
