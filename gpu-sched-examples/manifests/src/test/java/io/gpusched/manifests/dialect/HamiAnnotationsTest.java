package io.gpusched.manifests.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.decision.Placed;
import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.DialectScheduler;
import io.gpusched.dialect.NodeManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.hami.HamiDialect;
import io.gpusched.dialect.hami.HamiTopology;
import io.gpusched.model.Cluster;
import io.gpusched.model.Gpu;
import io.gpusched.model.Node;
import io.gpusched.model.PodId;
import io.gpusched.workload.NodeSelector;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HamiAnnotationsTest {
    private static final String REGISTERED = """
            [{"id":"GPU-a","count":10,"devmem":81920,"devcore":100,"type":"NVIDIA-A100","mode":"hami-core","health":true},
             {"id":"GPU-b","index":1,"count":10,"devmem":81920,"devcore":100,"type":"NVIDIA-A100","numa":1,"health":true},
             {"id":"GPU-c","index":2,"count":10,"devmem":81920,"devcore":100,"type":"NVIDIA-A100","numa":1}]""";

    private static Node node(String registered) {
        return HamiAnnotations.dialect()
                .node(new NodeManifest(
                        "n1", Map.of(), Map.of(HamiDialect.REGISTRATION, registered), Map.of(), List.of(), false));
    }

    @Test
    void gpus_areReadFromJson_whatIsLeftOutIsZeroOrFalse() {
        List<Gpu> gpus = node(REGISTERED).gpus();
        assertThat(gpus).extracting(Gpu::uuid).containsExactly("GPU-a", "GPU-b", "GPU-c");
        assertThat(gpus).extracting(Gpu::healthy).containsExactly(true, true, false);
        assertThat(gpus).extracting(Gpu::numaNode).containsExactly(0, 1, 1);
        assertThat(gpus.get(0).memoryMib()).isEqualTo(81_920);
    }

    @Test
    void badJson_isAnErrorThatNamesTheAnnotation() {
        assertThatThrownBy(() -> node("[{")).hasMessageContaining(HamiDialect.REGISTRATION);
        assertThatThrownBy(() -> node("[{\"count\":\"ten\"}]")).hasMessageContaining("count");
        assertThatThrownBy(() -> HamiAnnotations.pairScores("{}")).hasMessageContaining(HamiAnnotations.PAIR_SCORES);
        assertThatThrownBy(() -> HamiAnnotations.pairScores("[{\"uuid\":\"GPU-a\",\"score\":{\"GPU-b\":\"far\"}}]"))
                .hasMessageContaining("score of GPU-b must be a whole number, got \"far\"");
    }

    @Test
    void topologyAwarePods_getTheBestConnectedGpus() {
        String text = REGISTERED.replace("\"numa\":1}", "\"health\":true}");
        HamiTopology scores = new HamiTopology(HamiAnnotations.pairScores("""
                [{"uuid":"GPU-a","score":{"GPU-b":10,"GPU-c":300}},
                 {"uuid":"GPU-b","score":{"GPU-a":10,"GPU-c":10}},
                 {"uuid":"GPU-c","score":{"GPU-a":300,"GPU-b":10}}]"""));
        HamiDialect hami = HamiAnnotations.dialect().withTopology(scores);
        Node node = hami.node(
                new NodeManifest("n1", Map.of(), Map.of(HamiDialect.REGISTRATION, text), Map.of(), List.of(), false));
        PodManifest pod = new PodManifest(
                PodId.of("p"),
                Map.of(),
                Map.of("hami.io/gpu-scheduler-policy", "topology-aware"),
                List.of(ContainerManifest.limits("c", Map.of("nvidia.com/gpu", "2", "nvidia.com/gpumem", "1000"))),
                NodeSelector.ANY,
                List.of());
        assertThat(DialectScheduler.of(hami).schedule(Cluster.of(List.of(node)), pod))
                .isInstanceOfSatisfying(
                        Placed.class,
                        placed -> assertThat(placed.placement().gpus()).containsExactly(0, 2));
    }
}
