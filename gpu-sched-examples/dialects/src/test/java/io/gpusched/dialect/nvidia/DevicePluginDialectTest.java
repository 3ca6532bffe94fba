package io.gpusched.dialect.nvidia;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.decision.Placed;
import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.DialectScheduler;
import io.gpusched.dialect.NodeManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerKind;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.NodeMode;
import io.gpusched.model.Placement;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
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
        "huawei.com/Ascend910,  huawei, accelerator,              huawei-Ascend910",
        "huawei.com/Ascend910,  huawei, node.kubernetes.io/npu.chip.name, 910B3",
        "gpu.example.com/cards, gpu,    any,                      gpu.example.com/cards"
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
                .isEqualTo(Map.of("main", Map.of(variable, "0,1")));
    }

    @Test
    void write_namesUuids_whereTheClusterNamesThem() {
        DevicePluginDialect dialect = DevicePluginDialect.of("nvidia.com/gpu");
        GpuModel model = GpuModel.of("nvidia", "A100", 81_920);
        Node node = Node.builder("n")
                .mode(NodeMode.EXCLUSIVE)
                .gpu(Gpu.of(0, "GPU-3f", model))
                .build();
        PodManifest pod = pod("nvidia.com/gpu", 1);

        assertThat(dialect.write(pod, node, placed(dialect, Cluster.of(List.of(node)), pod))
                        .environment())
                .isEqualTo(Map.of("main", Map.of("NVIDIA_VISIBLE_DEVICES", "GPU-3f")));
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

    /** Ten cores, 16 GiB, 100 Gi of ephemeral storage and four GPUs, of which a pod may hold some. */
    private static Cluster clusterWith(DevicePluginDialect plugin, Map<String, String> held) {
        Map<String, String> allocatable =
                Map.of("cpu", "10", "memory", "16Gi", "ephemeral-storage", "100", "nvidia.com/gpu", "4", "pods", "2");
        Cluster cluster = Cluster.of(List.of(
                plugin.node(NodeManifest.of("n", Map.of(), allocatable).counting("ephemeral-storage"::equals))));
        return held.isEmpty() ? cluster : cluster.with(placed(plugin, cluster, counting("held", held)));
    }

    private static PodManifest counting(String name, Map<String, String> limits) {
        return PodManifest.of(name, List.of(ContainerManifest.limits("main", limits)))
                .counting("ephemeral-storage"::equals);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            cpu=1                | cpu=9, nvidia.com/gpu=1                    | ''
            cpu=1                | cpu=10, nvidia.com/gpu=4                   | Insufficient cpu
            memory=1Gi           | memory=16Gi, nvidia.com/gpu=1              | Insufficient memory
            ephemeral-storage=60 | ephemeral-storage=50, nvidia.com/gpu=1     | Insufficient ephemeral-storage
            nvidia.com/gpu=3     | nvidia.com/gpu=2                           | Insufficient nvidia.com/gpu
            nvidia.com/gpu=3     | cpu=11, memory=17Gi, nvidia.com/gpu=2      | Insufficient cpu, Insufficient memory, Insufficient nvidia.com/gpu
            nvidia.com/gpu=1     | cpu=11                                     | Insufficient cpu
            """)
    void refusal_namesEachResourceThatIsShort_andNoOther(String held, String asked, String words) {
        DevicePluginDialect plugin = DevicePluginDialect.of("nvidia.com/gpu");

        assertThat(plugin.refusal(clusterWith(plugin, amounts(held)).node(0), counting("p", amounts(asked))))
                .isEqualTo(words);
    }

    private static Map<String, String> amounts(String text) {
        return Arrays.stream(text.split(", "))
                .map(one -> one.split("="))
                .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
    }

    @Test
    void refusal_ofANodeThatIsFull_saysThatItHasTooManyPods() {
        DevicePluginDialect plugin = DevicePluginDialect.of("nvidia.com/gpu");
        Cluster one = clusterWith(plugin, Map.of("nvidia.com/gpu", "1"));
        Cluster two = one.with(placed(plugin, one, pod("nvidia.com/gpu", 1)));

        assertThat(plugin.refusal(two.node(0), counting("q", Map.of("nvidia.com/gpu", "3"))))
                .isEqualTo("Too many pods, Insufficient nvidia.com/gpu");
    }

    /** The init container asks most; it runs alone. */
    @Test
    void refusal_countsInitContainersAsKubernetesDoes() {
        DevicePluginDialect plugin = DevicePluginDialect.of("nvidia.com/gpu");
        PodManifest pod = PodManifest.of(
                "p",
                List.of(
                        new ContainerManifest(
                                "init", ContainerKind.INIT, Map.of(), Map.of("cpu", "11", "nvidia.com/gpu", "3")),
                        ContainerManifest.limits("a", Map.of("cpu", "5", "nvidia.com/gpu", "2")),
                        ContainerManifest.limits("b", Map.of("cpu", "5", "nvidia.com/gpu", "2"))));

        assertThat(plugin.refusal(clusterWith(plugin, Map.of()).node(0), pod)).isEqualTo("Insufficient cpu");
        assertThat(plugin.refusal(
                        clusterWith(plugin, Map.of("nvidia.com/gpu", "1")).node(0), pod))
                .isEqualTo("Insufficient cpu, Insufficient nvidia.com/gpu");
    }
}
