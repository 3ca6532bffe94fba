package io.gpusched.manifests.grant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.Dialect;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.model.Cluster;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GrantedPodsTest {
    private static final GpuModel A10 = GpuModel.of("nvidia", "A10", 24_576);
    private static final Dialect T9K = T9kDialect.of();

    private static final NodeState NODE = Cluster.of(List.of(Node.builder("n1")
                    .gpu(Gpu.of(0, "GPU-0", A10))
                    .gpu(Gpu.of(1, "GPU-1", A10))
                    .build()))
            .node("n1")
            .orElseThrow();

    private static PodManifest pod(String resource, int amount, String grant) {
        return PodManifest.of("p", List.of(ContainerManifest.limits("main", Map.of(resource, String.valueOf(amount)))))
                .withAnnotations(Map.of(
                        GrantAnnotations.GRANT, "{\"version\":1,\"node\":\"n1\",\"containers\":{" + grant + "}}"));
    }

    private static void refused(PodManifest pod, String problem) {
        assertThatThrownBy(() -> GrantedPods.placement(pod, NODE, T9K))
                .isInstanceOf(GrantException.class)
                .hasMessage(problem);
    }

    @Test
    void whatIsGranted_isHeld() {
        PodManifest pod = pod("tensorstack.dev/nvidia-gpu", 2, "\"main\":{\"gpus\":[\"GPU-0\",\"GPU-1\"]}");
        assertThat(GrantedPods.placement(pod, NODE, T9K).orElseThrow().gpus()).containsExactly(0, 1);
    }

    @Test
    void aGrantOfFewerGpus_thanThePodAsksFor_isRefused() {
        refused(
                pod("tensorstack.dev/nvidia-gpu", 2, "\"main\":{\"gpus\":[\"GPU-1\"]}"),
                "container \"main\" asks for 2 whole GPUs, the grant names 1");
        refused(
                pod("tensorstack.dev/nvidia-gpu", 2, ""),
                "container \"main\" asks for 2 whole GPUs, the grant names 0");
    }

    @Test
    void aGrantOfSomeGpus_isRefused_whereThePodAsksForTheNode() {
        refused(
                pod("tensorstack.dev/nvidia-gpu-node", 1, "\"main\":{\"gpus\":[\"GPU-0\",\"GPU-1\"]}"),
                "container \"main\" asks for a whole node, the grant names 2");
    }
}
