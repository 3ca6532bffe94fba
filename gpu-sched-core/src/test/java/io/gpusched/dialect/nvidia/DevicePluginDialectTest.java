package io.gpusched.dialect.nvidia;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.decision.Placed;
import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.DialectScheduler;
import io.gpusched.dialect.NodeManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.model.Cluster;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.NodeMode;
import io.gpusched.model.Placement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DevicePluginDialectTest {
    private static Placement placed(DevicePluginDialect dialect, Cluster cluster, PodManifest pod) {
        return ((Placed) DialectScheduler.of(dialect).schedule(cluster, pod)).placement();
    }

    private static PodManifest pod(String resource, int count) {
        return PodManifest.of(
                "p", List.of(ContainerManifest.limits("main", Map.of(resource, Integer.toString(count)))));
    }

    @Test
    void node_hasAWholeGpuForEachThatIsAllocatable_ofTheModelThatItsLabelsName() {
        Map<String, String> labels =
                Map.of("nvidia.com/gpu.product", "NVIDIA-A100-SXM4-80GB", "nvidia.com/gpu.memory", "81920");

        Node node = DevicePluginDialect.of("nvidia.com/gpu")
                .node(NodeManifest.of("n", labels, Map.of("nvidia.com/gpu", "2", "cpu", "4", "memory", "8Gi")));

        assertThat(node.mode()).isEqualTo(NodeMode.EXCLUSIVE);
        assertThat(node.gpus())
                .hasSize(2)
                .allMatch(gpu -> gpu.model().equals(GpuModel.of("nvidia", "NVIDIA-A100-SXM4-80GB", 81_920)));
        assertThat(node.capacity().cpuMillis()).isEqualTo(4_000);
        assertThat(node.capacity().memoryMib()).isEqualTo(8_192);
    }

    @ParameterizedTest
    @CsvSource({
        "amd.com/gpu,           amd,    amd.com/gpu.product-name, MI300X",
        "huawei.com/Ascend910,  huawei, accelerator-type,         card-910b",
        "gpu.example.com/cards, gpu,    any,                      gpu"
    })
    void node_namesTheVendorByItsDomain_andTheModelByTheVendorsLabel(
            String resource, String vendor, String label, String model) {
        Node node = DevicePluginDialect.of(resource)
                .node(NodeManifest.of("n", Map.of(label, model), Map.of(resource, "1")));

        assertThat(node.gpus().get(0).model()).isEqualTo(GpuModel.of(vendor, model, 0));
    }

    @ParameterizedTest
    @CsvSource({"nvidia.com/gpu, NVIDIA_VISIBLE_DEVICES", "huawei.com/Ascend910, ASCEND_VISIBLE_DEVICES"})
    void write_namesTheDevicesInTheVendorsVariable(String resource, String variable) {
        DevicePluginDialect dialect = DevicePluginDialect.of(resource);
        Node node = dialect.node(NodeManifest.of("n", Map.of(), Map.of(resource, "4")));
        PodManifest pod = pod(resource, 2);

        assertThat(dialect.write(pod, node, placed(dialect, Cluster.of(List.of(node)), pod))
                        .environment())
                .isEqualTo(Map.of("main", Map.of(variable, "n-gpu-0,n-gpu-1")));
    }

    @Test
    void write_forAmd_setsNoVariable() {
        DevicePluginDialect dialect = DevicePluginDialect.of("amd.com/gpu");
        Node node = dialect.node(NodeManifest.of("n", Map.of(), Map.of("amd.com/gpu", "4")));
        PodManifest pod = pod("amd.com/gpu", 1);

        assertThat(dialect.write(pod, node, placed(dialect, Cluster.of(List.of(node)), pod))
                        .environment())
                .isEmpty();
    }

    @Test
    void theLowestIndexes_areTaken() {
        DevicePluginDialect dialect = DevicePluginDialect.of("nvidia.com/gpu");
        Node node = dialect.node(NodeManifest.of("n", Map.of(), Map.of("nvidia.com/gpu", "4")));
        Cluster cluster = Cluster.of(List.of(node)).withGpuHealth("n", 1, false);

        assertThat(placed(dialect, cluster, pod("nvidia.com/gpu", 2)).gpus()).containsExactly(0, 2);
    }

    @Test
    void moreThanANodeCanHave_isRefusedWithTheRange() {
        assertThatThrownBy(() -> DevicePluginDialect.of("nvidia.com/gpu").pod(pod("nvidia.com/gpu", 65)))
                .hasMessageContaining("nvidia.com/gpu must be in 1..64, got 65");
    }

    @ParameterizedTest
    @ValueSource(strings = {"gpu", "/gpu", "nvidia.com/", "Nvidia.com/gpu", "a/b/c", "nvidia.com/g p"})
    void aNameThatIsNoResource_isAnErrorThatNamesIt(String name) {
        assertThatThrownBy(() -> DevicePluginDialect.of(name))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("domain/name")
                .hasMessageContaining("got \"" + name + "\"");
    }

    @Test
    void aNameOfMoreThan63Characters_isAnError() {
        String longest = "a.b/" + "x".repeat(59);

        assertThat(DevicePluginDialect.of(longest).resource()).isEqualTo(longest);
        assertThatThrownBy(() -> DevicePluginDialect.of(longest + "x")).hasMessageContaining("63");
    }
}
