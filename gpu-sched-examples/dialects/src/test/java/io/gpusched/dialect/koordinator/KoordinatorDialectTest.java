package io.gpusched.dialect.koordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.NodeManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.RefusedException;
import io.gpusched.model.Node;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KoordinatorDialectTest {
    private static final Map<String, Object> JSON = new HashMap<>();

    private static final KoordinatorDialect KOORDINATOR = KoordinatorDialect.of(JSON::get);
    private static final Node NODE = KOORDINATOR.node(NodeManifest.of(
            "n",
            Map.of("node.koordinator.sh/gpu-model", "A100"),
            Map.of(KoordinatorDialect.CORE, "800", KoordinatorDialect.MEMORY, "640Gi", "nvidia.com/gpu", "8")));

    /** Amounts such as {@code gpu-core=50 gpu-memory=8Gi}, of koordinator.sh where nothing else is said. */
    private static PodManifest pod(String amounts) {
        Map<String, String> limits = new LinkedHashMap<>();
        for (String amount : amounts.strip().split(" +")) {
            String[] parts = amount.split("=", 2);
            limits.put(parts[0].contains("/") ? parts[0] : "koordinator.sh/" + parts[0], parts[1]);
        }
        return PodManifest.of("p", List.of(ContainerManifest.limits("main", limits)));
    }

    @Test
    void aNode_hasAGpuForEachHundred_withItsPartOfTheMemory() {
        assertThat(NODE.gpus()).hasSize(8).allMatch(gpu -> gpu.memoryMib() == 80 * 1_024);
        assertThat(NODE.gpus().get(0).model().name()).isEqualTo("A100");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        gpu=50                                     | 0.5 GPUs
        gpu-core=50 gpu-memory-ratio=50            | 0.5 GPUs
        gpu=100                                    | 1 whole GPU
        gpu-core=200 gpu-memory-ratio=200          | 2 whole GPUs
        nvidia.com/gpu=4                           | 4 whole GPUs
        gpu.shared=2 gpu-core=100 gpu-memory=16Gi  | 0.5 GPUs, 8192 MiB on each of 2 GPUs
        gpu-core=30 gpu-memory=8Gi                 | 0.3 GPUs, 8192 MiB
        """)
    void amounts_areReadAsKoordinatorDividesThem(String amounts, String words) {
        assertThat(KOORDINATOR.pod(pod(amounts)).containers().get(0).gpu()).hasToString(words);
    }

    @ParameterizedTest
    @CsvSource({
        "gpu=150, must be at most 100 or a multiple of 100",
        "gpu.shared=2 gpu-core=300, must be in 0..100",
        "gpu.shared=65 gpu-core=100, must be in 1..64",
    })
    void amountsThatNoGpusGive_areRefusedByName(String amounts, String words) {
        assertThatThrownBy(() -> KOORDINATOR.pod(pod(amounts)))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("koordinator.sh/gpu")
                .hasMessageContaining(words);
    }

    @Test
    void theGpusOfARunningPod_areThoseOfItsAnnotation_andNoOtherDevices() {
        JSON.put(
                "three and five",
                Map.of(
                        "rdma", List.of(Map.of("minor", 7)),
                        "gpu", List.of(Map.of("minor", 3, "resources", Map.of()), Map.of("minor", 5))));
        PodManifest held = pod("gpu-core=100 gpu.shared=2")
                .withAnnotations(Map.of(KoordinatorDialect.ALLOCATED, "three and five"));

        assertThat(KOORDINATOR.heldGpus(held, 0, NODE)).containsExactly(3, 5);
        assertThat(KOORDINATOR.heldGpus(pod("gpu-core=50"), 0, NODE)).isEmpty();
        JSON.put("one without", Map.of("gpu", List.of(Map.of("minor", 3), Map.of("resources", Map.of()))));
        JSON.put("none", Map.of());
        for (String wrong : List.of("one without", "none")) {
            PodManifest broken = held.withAnnotations(Map.of(KoordinatorDialect.ALLOCATED, wrong));
            assertThatThrownBy(() -> KOORDINATOR.heldGpus(broken, 0, NODE))
                    .hasMessageContaining("must name the minor of each gpu, got \"" + wrong);
        }
    }
}
