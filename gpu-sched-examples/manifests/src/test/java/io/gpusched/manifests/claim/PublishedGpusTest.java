package io.gpusched.manifests.claim;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Quantity;
import io.gpusched.manifests.cluster.ClusterObjects;
import io.gpusched.manifests.yaml.YamlReader;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PublishedGpusTest {
    private static final String NODE = """
            ---
            {apiVersion: v1, kind: Node, metadata: {name: n1}, status: {allocatable: {cpu: "8", memory: 32Gi, pods: "110"}}}
            """;

    private static Node node(String... objects) {
        return ClusterObjects.of(YamlReader.parse("cluster.yaml", NODE + String.join("", objects)))
                .nodes()
                .get(0);
    }

    /** What a node has of devices. */
    private static Map<String, String> devices(String... objects) {
        Map<String, String> devices = new TreeMap<>();
        node(objects).getStatus().getAllocatable().forEach((name, amount) -> {
            if (name.contains("/")) {
                devices.put(name, new Quantity(amount.getAmount()).getAmount());
            }
        });
        return devices;
    }

    private static String slice(String driver, String... devices) {
        return """
                ---
                apiVersion: resource.k8s.io/v1
                kind: ResourceSlice
                metadata: {name: s-%1$s}
                spec:
                  driver: %1$s
                  nodeName: n1
                  pool: {name: n1, generation: 1, resourceSliceCount: 1}
                  devices: [%2$s]
                """.formatted(driver, String.join(", ", devices));
    }

    private static String nvidia(String name, String uuid) {
        return "{name: " + name + ", attributes: {type: {string: gpu}, uuid: {string: " + uuid
                + "}, productName: {string: NVIDIA A100-SXM4-40GB}}, capacity: {memory: {value: 40Gi}}}";
    }

    private static String mig(String name, String parent) {
        return "{name: " + name + ", attributes: {type: {string: mig}, profile: {string: 1g.5gb}, parentUUID: {string: "
                + parent + "}}}";
    }

    private static String amd(String name, String type, String profile, String bus) {
        return "{name: " + name + ", attributes: {type: {string: " + type + "}, partitionProfile: {string: " + profile
                + "}, resource.kubernetes.io/pciBusID: {string: \"" + bus
                + "\"}, productName: {string: AMD_Instinct_MI300X_OAM}}}";
    }

    private static String offer(String name, String resource, String expression) {
        return """
                ---
                apiVersion: resource.k8s.io/v1
                kind: DeviceClass
                metadata: {name: %s}
                spec: {extendedResourceName: %s, selectors: [{cel: {expression: "%s"}}]}
                """.formatted(name, resource, expression);
    }

    @Test
    void aGpuIsCountedOnce_withAllPartitionsOfIt() {
        assertThat(devices(slice("gpu.nvidia.com", nvidia("gpu-0", "A"), mig("m0", "A"), mig("m1", "A"))))
                .containsExactly(Map.entry("nvidia.com/gpu", "1"));
    }

    @Test
    void partitionsWithoutTheWhole_areCountedByTheirProfile() {
        assertThat(devices(slice("gpu.nvidia.com", mig("m0", "A"), mig("m1", "A"), nvidia("gpu-1", "B"))))
                .containsOnly(Map.entry("nvidia.com/mig-1g.5gb", "2"), Map.entry("nvidia.com/gpu", "1"));
        assertThat(devices(slice(
                        "gpu.amd.com",
                        amd("gpu-0-128", "amdgpu-partition", "cpx_nps4", "0000:01:00.0"),
                        amd("gpu-1-129", "amdgpu-partition", "cpx_nps4", "0000:01:00.0"))))
                .containsExactly(Map.entry("amd.com/cpx_nps4", "2"));
    }

    @Test
    void gpusOfAmdsDriver_areSeen_withTheirProduct() {
        String slice = slice(
                "gpu.amd.com",
                amd("gpu-0-128", "amdgpu", "spx_nps1", "0000:01:00.0"),
                amd("gpu-1-129", "amdgpu", "spx_nps1", "0000:02:00.0"));
        assertThat(devices(slice)).containsExactly(Map.entry("amd.com/gpu", "2"));
        assertThat(node(slice).getMetadata().getLabels())
                .containsEntry("amd.com/gpu.product-name", "AMD_Instinct_MI300X_OAM");
    }

    @Test
    void theResourceIsThatOfTheClassWhoseSelectorsAcceptTheGpu_whateverTheirTextNames() {
        String slice = slice("gpu.nvidia.com", nvidia("gpu-0", "A"));
        assertThat(devices(slice, offer("any", "example.com/gpu", "device.driver.startsWith('gpu.')")))
                .containsExactly(Map.entry("example.com/gpu", "1"));
        String parts = "device.driver == 'gpu.nvidia.com' && device.attributes['gpu.nvidia.com'].type == 'mig'";
        assertThat(devices(slice, offer("mig", "example.com/mig", parts)))
                .containsExactly(Map.entry("nvidia.com/gpu", "1"));
    }

    @Test
    void whatADevicePluginReports_counts_unlessItReportsNone() {
        String slice = slice("gpu.nvidia.com", nvidia("gpu-0", "A"), nvidia("gpu-1", "B"));
        String plugin = "---\n{apiVersion: v1, kind: Node, metadata: {name: n1}, status: {allocatable: {cpu: \"8\","
                + " memory: 32Gi, pods: \"110\", nvidia.com/gpu: \"%s\"}}}\n";
        assertThat(devices(plugin.formatted(1), slice)).containsExactly(Map.entry("nvidia.com/gpu", "1"));
        assertThat(devices(plugin.formatted(0), slice)).containsExactly(Map.entry("nvidia.com/gpu", "2"));
    }

    @Test
    void devicesThatSeveralNodesReach_areOfNoneOfThem() {
        String slice = slice("gpu.nvidia.com", nvidia("gpu-0", "A"));
        assertThat(devices(slice.replace("nodeName: n1", "allNodes: true"))).isEmpty();
    }
}
