package io.gpusched.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.model.Cluster;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

    private static NodeState place(Dialect dialect, NodeState node, PodManifest pod) {
        return node.with(dialect.rule().place(node, dialect.pod(pod)).orElseThrow());
    }

    @Test
    void nanoGpu_writesAnAnnotationForEachContainer() {
        NanoGpuDialect dialect = NanoGpuDialect.of(NanoGpuDialect.Policy.SPREAD);
        Node node = dialect.node(NodeManifest.of("n", Map.of(), Map.of(NanoGpuDialect.PERCENT, "200")));
        PodManifest pod = pod(Map.of(NanoGpuDialect.PERCENT, "40"), Map.of(), Map.of(NanoGpuDialect.PERCENT, "50"));
        Placement placement =
                dialect.rule().place(state(node), dialect.pod(pod)).orElseThrow();
        assertThat(dialect.write(pod, node, placement).annotations())
                .isEqualTo(
                        Map.of("nano-gpu/assume", "true", "nano-gpu/container-c0", "0", "nano-gpu/container-c2", "1"));
    }

    @Test
    void nanoGpu_refusesMoreThanOneGpu() {
        NanoGpuDialect dialect = NanoGpuDialect.of(NanoGpuDialect.Policy.BINPACK);
        assertThatThrownBy(() -> dialect.pod(pod(Map.of(NanoGpuDialect.PERCENT, "150"))))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("1..100, got 150");
    }

    @Test
    void aScanThatFindsNoWay_leavesItToTheExactSearch() {
        NanoGpuDialect dialect = NanoGpuDialect.of(NanoGpuDialect.Policy.BINPACK);
        Node node = dialect.node(NodeManifest.of("n", Map.of(), Map.of(NanoGpuDialect.PERCENT, "200")));
        NodeState used = place(dialect, state(node), pod(Map.of(NanoGpuDialect.PERCENT, "45")));
        // 55 and 100 percent are free; the scan puts 35 on the first GPU and has no room for the last 25
        PodManifest parts = pod(
                Map.of(NanoGpuDialect.PERCENT, "30"),
                Map.of(NanoGpuDialect.PERCENT, "35"),
                Map.of(NanoGpuDialect.PERCENT, "35"),
                Map.of(NanoGpuDialect.PERCENT, "25"),
                Map.of(NanoGpuDialect.PERCENT, "30"));
        assertThat(dialect.rule().place(used, dialect.pod(parts).withId(PodId.of("other"))))
                .isPresent();
    }

    @Test
    void elasticGpu_refusesWhatItsSystemTruncates() {
        ElasticGpuDialect dialect = ElasticGpuDialect.of();
        assertThatThrownBy(() -> dialect.pod(pod(Map.of(ElasticGpuDialect.CORE, "250"))))
                .hasMessageContaining("below 100 or a multiple of 100, got 250");
        Node node = dialect.node(
                NodeManifest.of("n", Map.of(), Map.of(ElasticGpuDialect.CORE, "200", ElasticGpuDialect.MEMORY, "32")));
        PodManifest greedy = pod(Map.of(ElasticGpuDialect.CORE, "100", ElasticGpuDialect.MEMORY, "64"));
        assertThat(dialect.rule().place(state(node), dialect.pod(greedy))).isEmpty();
    }

    @Test
    void elasticGpu_laysOutContainersTogether_theLastOfEqualWays() {
        ElasticGpuDialect dialect = ElasticGpuDialect.of();
        Node node = dialect.node(
                NodeManifest.of("n", Map.of(), Map.of(ElasticGpuDialect.CORE, "300", ElasticGpuDialect.MEMORY, "48")));
        Map<String, String> small = Map.of(ElasticGpuDialect.CORE, "20", ElasticGpuDialect.MEMORY, "2");
        PodManifest pod = pod(small, Map.of(), small);
        Placement placement =
                dialect.rule().place(state(node), dialect.pod(pod)).orElseThrow();
        assertThat(placement.gpus()).containsExactly(2);
        assertThat(ElasticGpuDialect.score(state(node).with(placement))).isEqualTo(1_100);
    }

    @Test
    void aliyun_bindsTheSumToOneGpu_andSkipsUnhealthyOnes() {
        AliyunGpuShareDialect dialect = AliyunGpuShareDialect.of(AliyunGpuShareDialect.Unit.GIB);
        NodeManifest manifest = NodeManifest.of(
                "n", Map.of(), Map.of(AliyunGpuShareDialect.MEMORY, "30", AliyunGpuShareDialect.COUNT, "2"));
        Node node = AliyunGpuShareDialect.withUnhealthy(dialect.node(manifest, List.of(10L, 20L)), "0");
        PodManifest pod = pod(Map.of(AliyunGpuShareDialect.MEMORY, "4"), Map.of(AliyunGpuShareDialect.MEMORY, "2"));
        Placement placement =
                dialect.rule().place(state(node), dialect.pod(pod)).orElseThrow();
        Writing writing = dialect.write(pod, node, placement);
        assertThat(writing.annotations())
                .containsEntry("ALIYUN_COM_GPU_MEM_IDX", "1")
                .containsEntry("ALIYUN_COM_GPU_MEM_DEV", "20")
                .containsEntry("ALIYUN_COM_GPU_MEM_POD", "6")
                .containsEntry("ALIYUN_COM_GPU_MEM_ASSIGNED", "false");
        assertThat(writing.environment().get("c1"))
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
    void gaiaTopology_linksTheClosest_andFragmentsTheMostBroken() {
        GaiaTopology topology = GaiaTopology.parse(List.of(
                List.of("X", "PIX", "PHB", "PHB", "SOC", "SOC"),
                List.of("PIX", "X", "PHB", "PHB", "SOC", "SOC"),
                List.of("PHB", "PHB", "X", "PIX", "SOC", "SOC"),
                List.of("PHB", "PHB", "PIX", "X", "SOC", "SOC"),
                List.of("SOC", "SOC", "SOC", "SOC", "X", "PIX"),
                List.of("SOC", "SOC", "SOC", "SOC", "PIX", "X")));
        Set<Integer> all = Set.of(0, 1, 2, 3, 4, 5);
        assertThat(topology.link(all, 3)).containsExactly(0, 1, 2);
        assertThat(topology.link(Set.of(0, 2, 3, 4), 2)).containsExactly(2, 3);
        assertThat(topology.fragment(all, 2)).containsExactly(4, 5);
        assertThat(topology.fragment(Set.of(0, 1, 2, 3, 5), 1)).containsExactly(5);
        assertThat(topology.fragment(all, 5)).containsExactly(0, 1, 2, 3, 4);
        assertThat(topology.fragment(all, 7)).isEmpty();
        assertThatThrownBy(() -> GaiaTopology.parse(List.of(List.of("X", "TEA"), List.of("TEA", "X"))))
                .hasMessageContaining("\"TEA\"");
    }

    @Test
    void devicePlugin_wantsALimitThatEqualsTheRequest() {
        DevicePluginDialect dialect = DevicePluginDialect.of("amd.com/gpu");
        ContainerManifest alone = new ContainerManifest("a", false, Map.of("amd.com/gpu", "1"), Map.of());
        ContainerManifest unequal =
                new ContainerManifest("a", false, Map.of("amd.com/gpu", "1"), Map.of("amd.com/gpu", "2"));
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
        List<Integer> none = List.of(0, 0);
        assertThat(ReplicaChoice.DISTRIBUTED.choose(List.of(4, 4), List.of(4, 4), none, 2))
                .containsExactly(1, 1);
        assertThat(ReplicaChoice.DISTRIBUTED.choose(List.of(4, 4), List.of(4, 4), none, 4))
                .containsExactly(2, 2);
        assertThat(ReplicaChoice.PACKED.choose(List.of(4, 4), List.of(4, 4), none, 2))
                .containsExactly(2, 0);
        assertThat(ReplicaChoice.PACKED.choose(List.of(4, 4), List.of(4, 4), none, 5))
                .containsExactly(4, 1);
        assertThat(ReplicaChoice.PACKED.choose(List.of(2, 2, 2), List.of(2, 2, 2), List.of(0, 0, 0), 3))
                .containsExactly(2, 1, 0);
        assertThat(ReplicaChoice.DISTRIBUTED.choose(List.of(2, 2), List.of(2, 1), none, 2))
                .containsExactly(1, 1);
        assertThatThrownBy(() -> ReplicaChoice.PACKED.choose(List.of(2, 2), List.of(1, 1), none, 3))
                .hasMessageContaining("at most");
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
        assertThat(dialect.rule().place(full, dialect.pod(pod(Map.of("nvidia.com/gpu.shared", "2")))))
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
