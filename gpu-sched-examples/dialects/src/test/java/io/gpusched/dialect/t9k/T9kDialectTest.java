package io.gpusched.dialect.t9k;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.decision.Placed;
import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.DialectScheduler;
import io.gpusched.dialect.NodeManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.RefusedException;
import io.gpusched.dialect.internal.GfdLabels;
import io.gpusched.model.Cluster;
import io.gpusched.model.Gpu;
import io.gpusched.model.Node;
import io.gpusched.model.NodeMode;
import io.gpusched.model.Placement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class T9kDialectTest {
    private static final T9kDialect T9K = T9kDialect.of();

    private static Node node(String name, String mode) {
        Map<String, String> labels = Map.of(
                T9kDialect.ACCELERATOR, "nvidia-gpu",
                T9kDialect.NODE_ALLOC_MODE, mode,
                GfdLabels.COUNT, "2",
                GfdLabels.MEMORY, "81559");
        return T9K.node(NodeManifest.of(name, labels, Map.of("cpu", "8", "memory", "64Gi")));
    }

    private static PodManifest pod(String... resourcesAndAmounts) {
        Map<String, String> limits = new java.util.TreeMap<>();
        for (int i = 0; i < resourcesAndAmounts.length; i += 2) {
            limits.put(resourcesAndAmounts[i], resourcesAndAmounts[i + 1]);
        }
        return PodManifest.of("pod", List.of(ContainerManifest.limits("main", limits)));
    }

    private static Placement place(PodManifest pod) {
        Cluster cluster = Cluster.of(List.of(node("sgn-1", "sgn"), node("xgn-1", "xgn")));
        return ((Placed) DialectScheduler.of(T9K).schedule(cluster, pod)).placement();
    }

    @Test
    void nodes_getModeAndTaintFromTheirLabel() {
        assertThat(node("n", "xgn").mode()).isEqualTo(NodeMode.EXCLUSIVE);
        assertThat(node("n", "xgn").taints()).containsExactly(T9kDialect.XGN_TAINT);
        assertThat(node("n", "sgn").mode()).isEqualTo(NodeMode.SHARED);
        assertThat(node("n", "sgn").taints()).isEmpty();
        assertThatThrownBy(() -> node("n", "zgn")).hasMessageContaining("[xgn, sgn, nvidia]", "\"zgn\"");
    }

    @Test
    void wholeGpus_goToXgnNodes_withTheirIds() {
        Placement placement = place(pod(T9kDialect.GPU, "2"));
        assertThat(placement.node()).isEqualTo("xgn-1");
        assertThat(T9K.write(pod(T9kDialect.GPU, "2"), node("xgn-1", "xgn"), placement)
                        .environment())
                .isEqualTo(Map.of("main", Map.of("NVIDIA_VISIBLE_DEVICES", "0,1")));
    }

    @Test
    void aPercentage_goesToSgnNodes_withItsPartOfMemory() {
        Placement placement = place(pod(T9kDialect.GPU_PERCENT, "30"));
        assertThat(placement.node()).isEqualTo("sgn-1");
        assertThat(T9kDialect.environment(placement.containers().get(0).gpus(), String::valueOf))
                .isEqualTo(Map.of("NVIDIA_VISIBLE_DEVICES", "0", "T9K_GPU_PERCENT", "30", "T9K_GPU_MEMORY", "24467"));
    }

    @Test
    void aWholeNode_seesAllDevices() {
        Placement placement = place(pod(T9kDialect.GPU_NODE, "1"));
        assertThat(placement.node()).isEqualTo("xgn-1");
        assertThat(T9kDialect.environment(placement.containers().get(0).gpus(), String::valueOf))
                .isEqualTo(Map.of("NVIDIA_VISIBLE_DEVICES", "all"));
    }

    @Test
    void aPodWithoutGpus_staysOffXgnNodes() {
        Cluster cluster = Cluster.of(List.of(node("xgn-1", "xgn")));
        assertThat(DialectScheduler.of(T9K).schedule(cluster, pod("cpu", "1")).isPlaced())
                .isFalse();
    }

    @Test
    void nodesOfNvidiasPlugin_serveItsResourcesAlone() {
        Cluster cluster = Cluster.of(List.of(node("nvidia-1", "nvidia")));
        DialectScheduler scheduler = DialectScheduler.of(T9K);
        assertThat(scheduler.schedule(cluster, pod(T9kDialect.NATIVE_GPU, "2")).isPlaced())
                .isTrue();
        assertThat(scheduler
                        .schedule(cluster, pod(T9kDialect.NATIVE_SHARE, "1"))
                        .isPlaced())
                .isTrue();
        assertThat(scheduler.schedule(cluster, pod(T9kDialect.GPU, "1")).isPlaced())
                .isFalse();
        assertThat(scheduler
                        .schedule(cluster, pod(T9kDialect.GPU_PERCENT, "10"))
                        .isPlaced())
                .isFalse();
        assertThatThrownBy(() -> T9K.pod(pod(T9kDialect.NATIVE_SHARE, "2"))).hasMessageContaining("1..1, got 2");
    }

    @Test
    void whatT9kForbids_isRefused() {
        assertThatThrownBy(() -> T9K.pod(pod(T9kDialect.GPU_PERCENT, "101"))).hasMessageContaining("1..100");
        assertThatThrownBy(() -> T9K.pod(pod(T9kDialect.GPU_PERCENT, "1.5"))).hasMessageContaining("whole number");
        assertThatThrownBy(() -> T9K.pod(pod(T9kDialect.GPU, "1", T9kDialect.GPU_PERCENT, "10")))
                .isInstanceOf(RefusedException.class);
        PodManifest two = PodManifest.of(
                "pod",
                List.of(
                        ContainerManifest.limits("a", Map.of(T9kDialect.GPU_NODE, "1")),
                        ContainerManifest.limits("b", Map.of(T9kDialect.GPU_NODE, "1"))));
        assertThatThrownBy(() -> T9K.pod(two)).hasMessageContaining("at most one container");
    }

    @ParameterizedTest
    @CsvSource({
        "xgn, tensorstack.dev/nvidia-gpu, 0, 0",
        "xgn, tensorstack.dev/nvidia-gpu, 2, 2",
        "xgn, tensorstack.dev/nvidia-gpu, 9, 8",
        "sgn, tensorstack.dev/nvidia-gpu-percent, 0, 0",
        "sgn, tensorstack.dev/nvidia-gpu-percent, 250, 2",
        "nvidia, nvidia.com/gpu, 3, 3",
        "nvidia, nvidia.com/gpu.shared, 8, 4",
        "xgn, example.com/other, 0, 8",
    })
    void theLeast_ofTheLabelsCountAndWhatIsAllocatable_isGivenOut(
            String mode, String resource, String amount, int gpus) {
        Map<String, String> labels =
                Map.of(T9kDialect.NODE_ALLOC_MODE, mode, "nvidia.com/gpu.count", "8", "nvidia.com/gpu.replicas", "2");
        Node node = T9K.node(NodeManifest.of("n", labels, Map.of("cpu", "8", "memory", "64Gi", resource, amount)));
        assertThat(node.gpus()).hasSize(8);
        assertThat(node.gpus()).filteredOn(Gpu::healthy).hasSize(gpus);
    }
}
