package io.gpusched.dialect.nvidia;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.decision.Placed;
import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.DialectScheduler;
import io.gpusched.dialect.NodeManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.RefusedException;
import io.gpusched.model.Cluster;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.workload.Container;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NvidiaSharingDialectTest {
    private static final NvidiaSharingDialect SLICES = NvidiaSharingDialect.of(NvidiaSharing.timeSlicing(4));

    private static PodManifest pod(String name, int replicas) {
        return PodManifest.of(
                name, List.of(ContainerManifest.limits("main", Map.of(NvidiaSharing.RESOURCE, "" + replicas))));
    }

    private static Placement placed(NvidiaSharingDialect dialect, Cluster cluster, PodManifest pod) {
        return ((Placed) DialectScheduler.of(dialect).schedule(cluster, pod)).placement();
    }

    @Test
    void node_countsGpusByReplicas_unlessItsLabelsSayOtherwise() {
        Map<String, String> eight = Map.of(NvidiaSharing.RESOURCE, "8");

        Node plain = SLICES.node(NodeManifest.of("n", Map.of(), eight));
        Node labelled = SLICES.node(NodeManifest.of("n", Map.of("nvidia.com/gpu.replicas", "2"), eight));
        Node counted = SLICES.node(NodeManifest.of("n", Map.of("nvidia.com/gpu.count", "3"), eight));

        assertThat(plain.gpus()).hasSize(2).allMatch(gpu -> gpu.slots() == 4);
        assertThat(labelled.gpus()).hasSize(4).allMatch(gpu -> gpu.slots() == 2);
        assertThat(counted.gpus()).hasSize(3).allMatch(gpu -> gpu.slots() == 4);
        assertThat(counted.gpus())
                .filteredOn(Gpu::healthy)
                .as("that 8 replicas are of")
                .hasSize(2);
    }

    /** GPUs that MIG cuts are not offered as replicas, be it that the plugin says so or says nothing of them. */
    @Test
    void ofANode_whoseGpusAreCut_noShareIsGiven() {
        Map<String, String> labels = Map.of("nvidia.com/gpu.count", "2", "nvidia.com/gpu.memory", "40960");
        for (Map<String, String> allocatable : List.of(
                Map.of(NvidiaSharing.RESOURCE, "0"),
                Map.of(NvidiaSharing.RESOURCE, "0", "nvidia.com/mig-1g.5gb", "14"),
                Map.of("nvidia.com/mig-1g.5gb", "14"))) {
            Cluster cluster = Cluster.of(List.of(SLICES.node(NodeManifest.of("n", labels, allocatable))));
            assertThat(DialectScheduler.of(SLICES).schedule(cluster, pod("p", 1)))
                    .isNotInstanceOf(Placed.class);
        }
    }

    @Test
    void severalReplicas_areAsManyContainersThatAskForOne() {
        assertThat(SLICES.pod(pod("p", 3)).containers())
                .extracting(Container::name)
                .containsExactly("main", "main#1", "main#2");
        assertThat(SLICES.pod(pod("p", 0)).containers())
                .hasSize(1)
                .allMatch(container -> container.gpu().isNone());
    }

    @Test
    void severalReplicas_mayLieOnOneGpu_andAreNamedOnce() {
        Node node = SLICES.node(NodeManifest.of("n", Map.of("nvidia.com/gpu.count", "1"), Map.of()));
        PodManifest pod = pod("p", 3);

        Placement placement = placed(SLICES, Cluster.of(List.of(node)), pod);

        assertThat(placement.gpus()).containsExactly(0);
        assertThat(SLICES.write(pod, node, placement).environment())
                .isEqualTo(Map.of("main", Map.of("NVIDIA_VISIBLE_DEVICES", "0")));
    }

    @Test
    void distributed_takesTheGpuWithTheFewestTenants_packedTheOneWithTheMost() {
        NvidiaSharingDialect packed = NvidiaSharingDialect.of(NvidiaSharing.timeSlicing(4), ReplicaChoice.PACKED);
        Cluster cluster =
                Cluster.of(List.of(SLICES.node(NodeManifest.of("n", Map.of(), Map.of(NvidiaSharing.RESOURCE, "8")))));
        cluster = cluster.with(placed(SLICES, cluster, pod("old", 1)));

        assertThat(placed(SLICES, cluster, pod("p", 1)).gpus()).containsExactly(1);
        assertThat(placed(packed, cluster, pod("p", 1)).gpus()).containsExactly(0);
    }

    @Test
    void mps_saysWhereItsPipeIs_underTheNameThatIsOffered() {
        NvidiaSharing renamed = new NvidiaSharing(NvidiaSharing.Strategy.MPS, 2, true, false);
        NvidiaSharingDialect dialect = NvidiaSharingDialect.of(renamed);
        Node node = dialect.node(NodeManifest.of("n", Map.of(), Map.of("nvidia.com/gpu.shared", "2")));
        PodManifest pod =
                PodManifest.of("p", List.of(ContainerManifest.limits("main", Map.of("nvidia.com/gpu.shared", "1"))));

        assertThat(renamed.resource()).isEqualTo("nvidia.com/gpu.shared");
        assertThat(dialect.write(pod, node, placed(dialect, Cluster.of(List.of(node)), pod))
                        .environment()
                        .get("main"))
                .containsEntry("CUDA_MPS_PIPE_DIRECTORY", "/mps/nvidia.com/gpu.shared/pipe");
    }

    @Test
    void mps_alwaysRefusesMoreThanOneReplica_timeSlicingOnlyWhereToldTo() {
        NvidiaSharing strict = new NvidiaSharing(NvidiaSharing.Strategy.TIME_SLICING, 4, false, true);

        assertThat(new NvidiaSharing(NvidiaSharing.Strategy.MPS, 4, false, false).failRequestsGreaterThanOne())
                .isTrue();
        for (NvidiaSharing sharing : List.of(NvidiaSharing.mps(4), strict)) {
            assertThatThrownBy(() -> NvidiaSharingDialect.of(sharing).pod(pod("p", 2)))
                    .isInstanceOf(RefusedException.class)
                    .hasMessageContaining("more than one replica of nvidia.com/gpu")
                    .hasMessageContaining("got 2");
        }
    }

    @ParameterizedTest
    @CsvSource({"2, 8000, 50", "3, 5333, 33", "7, 2285, 14", "100, 160, 1"})
    void limits_divideMemoryAndThreads_roundedDown(int replicas, long memoryMib, int threads) {
        Gpu gpu = Gpu.of(0, "g", GpuModel.of("nvidia", "T4", 16_000));

        assertThat(NvidiaSharing.mps(replicas).limits(gpu)).isEqualTo(new NvidiaSharing.Limits(memoryMib, threads));
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 1, 100_001})
    void replicasOutOfRange_areAnErrorThatNamesTheRange(int replicas) {
        assertThatThrownBy(() -> NvidiaSharing.timeSlicing(replicas))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("sharing: replicas must be in 2..100000, got " + replicas);
    }

    @Test
    void tooManyReplicasForOneContainer_areRefusedWithTheRange() {
        assertThatThrownBy(() -> SLICES.pod(pod("p", 501))).hasMessageContaining("must be in 1..500, got 501");
    }

    @Test
    void refusal_usesKubernetesWords() {
        Cluster cluster = Cluster.of(List.of(SLICES.node(NodeManifest.of("n", Map.of(), Map.of()))));

        assertThat(DialectScheduler.of(SLICES).refusals(cluster, pod("p", 1)))
                .isEqualTo(Map.of("n", "Insufficient nvidia.com/gpu"));
    }

    @Test
    void refusal_namesCpu_whereReplicasAreFree() {
        Map<String, String> allocatable = Map.of("cpu", "2", "memory", "8Gi", "nvidia.com/gpu", "4");
        Cluster cluster = Cluster.of(List.of(SLICES.node(NodeManifest.of("n", Map.of(), allocatable))));
        PodManifest hungry = PodManifest.of(
                "p", List.of(ContainerManifest.limits("main", Map.of("cpu", "3", "nvidia.com/gpu", "1"))));

        assertThat(SLICES.refusal(cluster.node(0), hungry)).isEqualTo("Insufficient cpu");
    }
}
