package io.gpusched.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.dialect.aliyun.AliyunGpuShareDialect;
import io.gpusched.dialect.elasticgpu.ElasticGpuDialect;
import io.gpusched.dialect.elasticgpu.ElasticGpuPolicy;
import io.gpusched.dialect.gaia.GaiaGpuDialect;
import io.gpusched.dialect.nanogpu.NanoGpuDialect;
import io.gpusched.dialect.nanogpu.NanoGpuPolicy;
import io.gpusched.dialect.nvidia.DevicePluginDialect;
import io.gpusched.dialect.nvidia.NvidiaSharing;
import io.gpusched.dialect.nvidia.NvidiaSharingDialect;
import io.gpusched.dialect.nvidia.ReplicaChoice;
import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerKind;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.Pod;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** nano-gpu, elastic-gpu, Aliyun gpushare, GaiaGPU, device plugins and NVIDIA's sharing. */
class SharersTest {
    private static NodeState state(Node node) {
        return Cluster.of(List.of(node)).node(node.name()).orElseThrow();
    }

    @SafeVarargs
    private static PodManifest pod(Map<String, String>... limits) {
        List<ContainerManifest> containers = new java.util.ArrayList<>();
        for (Map<String, String> limit : limits) {
            containers.add(ContainerManifest.limits("c" + containers.size(), limit));
        }
        return PodManifest.of("pod", containers);
    }

    private static Optional<Placement> place(PlacementPolicy policy, NodeState node, Pod pod) {
        return GpuScheduler.builder().policy(policy).memory(0).build().place(node, pod);
    }

    private static NodeState place(Dialect dialect, NodeState node, PodManifest pod) {
        return node.with(place(dialect.policy(), node, dialect.pod(pod)).orElseThrow());
    }

    @Test
    void nanoGpu_writesAnAnnotationForEachContainer() {
        NanoGpuDialect dialect = NanoGpuDialect.of(NanoGpuPolicy.SPREAD);
        Node node = dialect.node(NodeManifest.of("n", Map.of(), Map.of(NanoGpuDialect.PERCENT, "200")));
        PodManifest pod = pod(Map.of(NanoGpuDialect.PERCENT, "40"), Map.of(), Map.of(NanoGpuDialect.PERCENT, "50"));
        Placement placement =
                place(dialect.policy(), state(node), dialect.pod(pod)).orElseThrow();
        assertThat(dialect.write(pod, node, placement).annotations())
                .isEqualTo(
                        Map.of("nano-gpu/assume", "true", "nano-gpu/container-c0", "0", "nano-gpu/container-c2", "1"));
    }

    @Test
    void nanoGpu_refusesMoreThanOneGpu() {
        NanoGpuDialect dialect = NanoGpuDialect.of(NanoGpuPolicy.BINPACK);
        assertThatThrownBy(() -> dialect.pod(pod(Map.of(NanoGpuDialect.PERCENT, "150"))))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("1..100, got 150");
    }

    @Test
    void whereOneAfterTheOtherFindsNoWay_theNextLayoutIsFound() {
        NanoGpuDialect dialect = NanoGpuDialect.of(NanoGpuPolicy.BINPACK);
        Node node = dialect.node(NodeManifest.of("n", Map.of(), Map.of(NanoGpuDialect.PERCENT, "200")));
        NodeState used = place(dialect, state(node), pod(Map.of(NanoGpuDialect.PERCENT, "45")));
        // 55 and 100 percent are free; one after the other puts 35 on the first GPU and has no room for the last 25
        PodManifest parts = pod(
                Map.of(NanoGpuDialect.PERCENT, "30"),
                Map.of(NanoGpuDialect.PERCENT, "35"),
                Map.of(NanoGpuDialect.PERCENT, "35"),
                Map.of(NanoGpuDialect.PERCENT, "25"),
                Map.of(NanoGpuDialect.PERCENT, "30"));
        assertThat(place(dialect.policy(), used, dialect.pod(parts).withId(PodId.of("other"))))
                .isPresent();
    }

    @Test
    void elasticGpu_refusesWhatItsSystemTruncates() {
        ElasticGpuDialect dialect = ElasticGpuDialect.of(ElasticGpuPolicy.BINPACK);
        assertThatThrownBy(() -> dialect.pod(pod(Map.of(ElasticGpuDialect.CORE, "250"))))
                .hasMessageContaining("below 100 or a multiple of 100, got 250");
        Node node = dialect.node(
                NodeManifest.of("n", Map.of(), Map.of(ElasticGpuDialect.CORE, "200", ElasticGpuDialect.MEMORY, "32")));
        PodManifest greedy = pod(Map.of(ElasticGpuDialect.CORE, "100", ElasticGpuDialect.MEMORY, "64"));
        assertThat(place(dialect.policy(), state(node), dialect.pod(greedy))).isEmpty();
    }

    @Test
    void elasticGpu_laysOutContainersTogether_theLastOfEqualWays() {
        ElasticGpuDialect dialect = ElasticGpuDialect.of(ElasticGpuPolicy.BINPACK);
        Node node = dialect.node(
                NodeManifest.of("n", Map.of(), Map.of(ElasticGpuDialect.CORE, "300", ElasticGpuDialect.MEMORY, "48")));
        Map<String, String> small = Map.of(ElasticGpuDialect.CORE, "20", ElasticGpuDialect.MEMORY, "2");
        PodManifest pod = pod(small, Map.of(), small);
        Placement placement =
                place(dialect.policy(), state(node), dialect.pod(pod)).orElseThrow();
        assertThat(placement.gpus()).containsExactly(2);
        assertThat(score(dialect, state(node), placement, pod)).isEqualTo(1_100);
    }

    private static long score(Dialect dialect, NodeState before, Placement placement, PodManifest pod) {
        return dialect.policy().score(before, before.with(placement), dialect.pod(pod));
    }

    @Test
    void elasticGpu_dividesByTheGpusOfThePodItself_notByThoseInUse() {
        ElasticGpuDialect dialect = ElasticGpuDialect.of(ElasticGpuPolicy.BINPACK);
        Node node = dialect.node(
                NodeManifest.of("n", Map.of(), Map.of(ElasticGpuDialect.CORE, "400", ElasticGpuDialect.MEMORY, "400")));
        NodeState busy = state(node);
        for (int i = 0; i < 3; i++) {
            PodManifest other = PodManifest.of(
                    "other" + i,
                    List.of(ContainerManifest.limits(
                            "c", Map.of(ElasticGpuDialect.CORE, "50", ElasticGpuDialect.MEMORY, "50"))));
            busy = place(dialect, busy, other);
        }
        PodManifest one = pod(Map.of(ElasticGpuDialect.CORE, "20", ElasticGpuDialect.MEMORY, "20"));
        Placement placement = place(dialect.policy(), busy, dialect.pod(one)).orElseThrow();
        // 0 or 50 and 100 left, then 20 less: (100 + 100 - 0 - 0) / 2 / 2 * 100, with whatever else is in use
        assertThat(score(dialect, busy, placement, one)).isEqualTo(5_000);
    }

    @Test
    void elasticGpu_plansWholeGpusAndSharesTogether() {
        ElasticGpuDialect dialect = ElasticGpuDialect.of(ElasticGpuPolicy.BINPACK);
        Node node = dialect.node(
                NodeManifest.of("n", Map.of(), Map.of(ElasticGpuDialect.CORE, "300", ElasticGpuDialect.MEMORY, "48")));
        PodManifest pod = pod(
                Map.of(ElasticGpuDialect.CORE, "20", ElasticGpuDialect.MEMORY, "2"),
                Map.of(ElasticGpuDialect.CORE, "100"));
        Placement placement =
                place(dialect.policy(), state(node), dialect.pod(pod)).orElseThrow();
        assertThat(placement.containers().get(0).gpus().indexes()).containsExactly(2);
        assertThat(placement.containers().get(1).gpus().indexes()).containsExactly(0);
    }

    @Test
    void aliyun_bindsTheSumToOneGpu_andSkipsUnhealthyOnes() {
        AliyunGpuShareDialect dialect = AliyunGpuShareDialect.of(AliyunGpuShareDialect.Unit.GIB);
        NodeManifest manifest = NodeManifest.of(
                "n", Map.of(), Map.of(AliyunGpuShareDialect.MEMORY, "30", AliyunGpuShareDialect.COUNT, "2"));
        Node node = AliyunGpuShareDialect.withUnhealthy(dialect.node(manifest, List.of(10L, 20L)), "0");
        PodManifest pod = pod(Map.of(AliyunGpuShareDialect.MEMORY, "4"), Map.of(AliyunGpuShareDialect.MEMORY, "2"));
        Placement placement =
                place(dialect.policy(), state(node), dialect.pod(pod)).orElseThrow();
        BindingMetadata metadata = dialect.write(pod, node, placement);
        assertThat(metadata.annotations())
                .containsEntry("ALIYUN_COM_GPU_MEM_IDX", "1")
                .containsEntry("ALIYUN_COM_GPU_MEM_DEV", "20")
                .containsEntry("ALIYUN_COM_GPU_MEM_POD", "6")
                .containsEntry("ALIYUN_COM_GPU_MEM_ASSIGNED", "false");
        assertThat(metadata.environment().get("c1"))
                .containsEntry("NVIDIA_VISIBLE_DEVICES", "1")
                .containsEntry("ALIYUN_COM_GPU_MEM_CONTAINER", "2");
        assertThatThrownBy(() -> dialect.pod(pod(Map.of(AliyunGpuShareDialect.MEMORY, "0"))))
                .hasMessageContaining("at least 1");
    }

    @Test
    void gaia_refusesAShareWithoutMemory() {
        assertThatThrownBy(() -> GaiaGpuDialect.of().pod(pod(Map.of(GaiaGpuDialect.CORE, "50"))))
                .hasMessageContaining("needs both");
        assertThatThrownBy(() ->
                        GaiaGpuDialect.of().pod(pod(Map.of(GaiaGpuDialect.CORE, "150", GaiaGpuDialect.MEMORY, "4"))))
                .hasMessageContaining("multiple of 100, got 150");
    }

    @Test
    void devicePlugin_wantsALimitThatEqualsTheRequest() {
        DevicePluginDialect dialect = DevicePluginDialect.of("amd.com/gpu");
        ContainerManifest alone =
                new ContainerManifest("a", ContainerKind.ORDINARY, Map.of("amd.com/gpu", "1"), Map.of());
        ContainerManifest unequal = new ContainerManifest(
                "a", ContainerKind.ORDINARY, Map.of("amd.com/gpu", "1"), Map.of("amd.com/gpu", "2"));
        assertThatThrownBy(() -> dialect.pod(PodManifest.of("p", List.of(alone))))
                .hasMessageContaining("limit must be set");
        assertThatThrownBy(() -> dialect.pod(PodManifest.of("p", List.of(unequal))))
                .hasMessageContaining("must equal limit");
        assertThatThrownBy(() -> dialect.pod(pod(Map.of("amd.com/gpu", "500m"))))
                .hasMessageContaining("whole number");
        assertThatThrownBy(() -> DevicePluginDialect.of("gpu")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void replicas_areDistributedOrPacked() {
        NvidiaSharing slices = NvidiaSharing.timeSlicing(4);
        Node node = NvidiaSharingDialect.of(slices)
                .node(NodeManifest.of("n", Map.of(), Map.of(NvidiaSharing.RESOURCE, "8")));
        PodManifest four = pod(Map.of(NvidiaSharing.RESOURCE, "2"), Map.of(NvidiaSharing.RESOURCE, "2"));
        NodeState distributed = place(NvidiaSharingDialect.of(slices, ReplicaChoice.DISTRIBUTED), state(node), four);
        assertThat(List.of(distributed.freeSlots(0), distributed.freeSlots(1))).containsExactly(2, 2);
        NodeState packed = place(NvidiaSharingDialect.of(slices, ReplicaChoice.PACKED), state(node), four);
        assertThat(List.of(packed.freeSlots(0), packed.freeSlots(1))).containsExactly(0, 4);
    }

    @Test
    void mps_refusesSeveralReplicas_andBoundsMemoryAndThreads() {
        NvidiaSharing mps = NvidiaSharing.mps(3);
        assertThatThrownBy(() -> NvidiaSharingDialect.of(mps).pod(pod(Map.of("nvidia.com/gpu", "2"))))
                .hasMessageContaining("UnexpectedAdmissionError");
        Gpu gpu = Gpu.of(0, "g", GpuModel.of("nvidia", "T4", 16_000));
        assertThat(mps.limits(gpu)).isEqualTo(new NvidiaSharing.Limits(5_333, 33));
    }

    @Test
    void timeSlicing_givesSlotsAndNothingElse() {
        NvidiaSharingDialect dialect =
                NvidiaSharingDialect.of(new NvidiaSharing(NvidiaSharing.Strategy.TIME_SLICING, 2, true, false));
        Node node = dialect.node(NodeManifest.of("n", Map.of(), Map.of("nvidia.com/gpu.shared", "4")));
        NodeState full = place(dialect, state(node), pod(Map.of("nvidia.com/gpu.shared", "3")));
        assertThat(List.of(full.freeSlots(0), full.freeSlots(1))).containsExactly(0, 1);
        assertThat(place(
                        dialect.policy(),
                        full,
                        dialect.pod(pod(Map.of("nvidia.com/gpu.shared", "2"))).withId(PodId.of("other"))))
                .isEmpty();
    }

    @Test
    void quantities_areExact() {
        assertThat(Quantity.parse("1.5Gi").mibFloor()).isEqualTo(1_536);
        assertThat(Quantity.parse("100m").millis()).isEqualTo(100);
        assertThat(Quantity.parse("0.1").millis()).isEqualTo(100);
        assertThat(Quantity.parse("1M").mibCeiling()).isEqualTo(1);
        assertThat(Quantity.parse("2e3").wholeNumber()).isEqualTo(2_000);
        assertThatThrownBy(() -> Quantity.parse("-1")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Quantity.parse("1Xi")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Quantity.parse("1.5").wholeNumber()).hasMessageContaining("1.5");
    }
}
