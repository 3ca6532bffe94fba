package io.gpusched.cli.place;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pods with resource claims are placed on the GPUs that drivers publish, which all other ways to ask for GPUs draw on too. */
class ClaimsInManifestsTest {
    private static final String CLASSES = deviceClass("gpu", "gpu") + deviceClass("mig", "mig");

    @TempDir
    private Path folder;

    private static String deviceClass(String name, String type) {
        return "---\n{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: " + name
                + "}, spec: {extendedResourceName: nvidia.com/" + name
                + ", selectors: [{cel: {expression: \"device.driver == 'gpu.nvidia.com' &&"
                + " device.attributes['gpu.nvidia.com'].type == '" + type + "'\"}}]}}\n";
    }

    /** A node whose GPUs a driver publishes, of 80 GiB if their number is even, else of 40. */
    private static String node(String name, int gpus) {
        List<String> devices = IntStream.range(0, gpus)
                .mapToObj(gpu -> device("gpu-" + gpu, "type: {string: gpu}, uuid: {string: U" + gpu + "}", gpu))
                .toList();
        return plain(name) + slice(name, devices);
    }

    private static String plain(String name) {
        return "---\n{apiVersion: v1, kind: Node, metadata: {name: " + name
                + "}, status: {allocatable: {cpu: \"64\", memory: 512Gi, pods: \"110\"}}}\n";
    }

    private static String device(String name, String attributes, int gpu) {
        return "{name: " + name + ", attributes: {" + attributes
                + ", productName: {string: NVIDIA A100-SXM4-40GB}}, capacity: {memory: {value: "
                + (gpu % 2 == 0 ? "80Gi" : "40Gi") + "}}}";
    }

    private static String slice(String node, List<String> devices) {
        return "---\n{apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: " + node
                + "}, spec: {driver: gpu.nvidia.com, nodeName: " + node + ", pool: {name: " + node
                + ", generation: 1, resourceSliceCount: 1}, devices: [" + String.join(", ", devices) + "]}}\n";
    }

    private static String claim(String name, String requests, String more) {
        return "---\n{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: " + name
                + "}, spec: {devices: {requests: [" + requests + "]" + more + "}}}\n";
    }

    private static String exactly(String offer, int count, String more) {
        return "{name: r, exactly: {deviceClassName: " + offer + ", count: " + count + more + "}}";
    }

    private static String has(String node, String... devices) {
        List<String> results = new ArrayList<>();
        for (String device : devices) {
            results.add("{request: r, driver: gpu.nvidia.com, pool: " + node + ", device: " + device + "}");
        }
        return ", status: {allocation: {nodeSelector: {nodeSelectorTerms: [{matchFields: [{key: metadata.name,"
                + " operator: In, values: [" + node + "]}]}]}, devices: {results: [" + String.join(", ", results)
                + "]}}}}";
    }

    private static String allocated(String claim, String status) {
        return claim.stripTrailing().replaceFirst("}$", "") + status + "\n";
    }

    private static String pod(String name, String claim) {
        return "---\n{apiVersion: v1, kind: Pod, metadata: {name: " + name
                + "}, spec: {containers: [{name: main, image: x, resources: {claims: [{name: c}]}}],"
                + " resourceClaims: [{name: c, resourceClaimName: " + claim + "}]}}\n";
    }

    private PlaceRun place(String cluster, String pods) {
        return PlaceRun.manifests(folder, cluster.replaceFirst("^---\n", ""), pods.replaceFirst("^---\n", ""));
    }

    @Test
    void aClaimIsServedByGpusThatNeitherClaimsNorOthersHold() {
        String held = allocated(claim("u", exactly("gpu", 1, ""), ""), has("n1", "gpu-0"))
                + "---\n{apiVersion: v1, kind: Pod, metadata: {name: h}, spec: {nodeName: n1, containers: [{name: main,"
                + " resources: {limits: {nvidia.com/gpu: \"1\"}}}]}}\n";
        String two = claim("c", exactly("gpu", 2, ""), "") + pod("a", "c");
        PlaceRun placed = place(node("n1", 4) + CLASSES + held, two);
        assertThat(placed.err()).doesNotContain("spec.resourceClaims");
        assertThat(placed.code()).as(placed.err()).isZero();
        assertThat(placed.out()).contains("n1", "c/r", "[2, 3]");
        assertThat(place(node("n1", 3) + CLASSES + held, two).code()).isEqualTo(1);
    }

    @Test
    void podsWithClaims_andPodsThatAskByResource_shareTheGpus() {
        String mixed = claim("c", exactly("gpu", 2, ""), "")
                + claim("d", exactly("gpu", 1, ""), "")
                + pod("a", "c")
                + "---\n{apiVersion: v1, kind: Pod, metadata: {name: b}, spec: {containers: [{name: main,"
                + " resources: {limits: {nvidia.com/gpu: \"1\"}}}]}}\n"
                + pod("d", "d");
        assertThat(place(node("n1", 4) + CLASSES, mixed).code()).isZero();
        assertThat(place(node("n1", 3) + CLASSES, mixed).code()).isEqualTo(1);
    }

    @Test
    void aSelectorThatTellsGpusOfANodeApart_isHonoured() {
        String large = ", selectors: [{cel: {expression: \"device.capacity['gpu.nvidia.com'].memory.compareTo("
                + "quantity('60Gi')) >= 0\"}}]";
        String asked = claim("c", exactly("gpu", 2, large), "") + pod("a", "c");
        PlaceRun placed = place(node("n1", 4) + node("n2", 2) + CLASSES, asked);
        assertThat(placed.out()).as(placed.err()).contains("n1", "[0, 2]");
        assertThat(place(node("n1", 3) + CLASSES, claim("c", exactly("gpu", 3, large), "") + pod("a", "c"))
                        .code())
                .isEqualTo(1);
    }

    @Test
    void theFirstAlternativeThatHasAPlace_isTaken() {
        String either = "{name: r, firstAvailable: [{name: four, deviceClassName: gpu, count: 4},"
                + " {name: two, deviceClassName: gpu, count: 2}]}";
        String asked = claim("c", either, "") + pod("a", "c");
        assertThat(place(node("n1", 4) + CLASSES, asked).out()).contains("[0, 1, 2, 3]");
        assertThat(place(node("n1", 3) + CLASSES, asked).out()).contains("[0, 1]");
    }

    @Test
    void aClaimThatHasItsDevices_keepsThePodOnItsNode_andTakesNothingMore() {
        String cluster = node("n1", 1)
                + node("n2", 1)
                + CLASSES
                + allocated(claim("c", exactly("gpu", 1, ""), ""), has("n2", "gpu-0"));
        PlaceRun placed = place(cluster, pod("a", "c") + pod("b", "c"));
        assertThat(placed.code()).as(placed.err()).isZero();
        assertThat(placed.out()).contains("n2").doesNotContain("n1", "gpu");
    }

    @Test
    void aPodOfATemplate_hasAClaimOfItsOwn() {
        String template = "---\n{apiVersion: resource.k8s.io/v1, kind: ResourceClaimTemplate, metadata: {name: t},"
                + " spec: {spec: {devices: {requests: [" + exactly("gpu", 1, "") + "]}}}}\n";
        String pods = pod("a", "c").replace("resourceClaimName: c", "resourceClaimTemplateName: t")
                + pod("b", "c").replace("resourceClaimName: c", "resourceClaimTemplateName: t");
        PlaceRun placed = place(node("n1", 2) + CLASSES, template + pods);
        assertThat(placed.out()).as(placed.err()).contains("[0]", "[1]");
    }

    @Test
    void whatIsNotHonoured_isRefusedByName() {
        String cluster = node("n1", 2) + CLASSES;
        assertThat(refused(cluster, "{name: r, exactly: {deviceClassName: gpu, allocationMode: All}}", ""))
                .contains("request default/c/r asks for all devices, which is not honoured", "--ignore");
        assertThat(refused(cluster, exactly("gpu", 1, ", adminAccess: true"), ""))
                .contains("asks for admin access");
        assertThat(refused(cluster, exactly("gpu", 1, ", capacity: {requests: {memory: 1Gi}}"), ""))
                .contains("asks for amounts of capacities");
        assertThat(refused(cluster, exactly("none", 1, ""), "")).contains("device class \"none\", which is not there");
        assertThat(refused(cluster, exactly("mig", 1, ""), "")).contains("accept no GPU of a node");
        assertThat(refused(cluster, exactly("gpu", 2, ""), ", constraints: [{matchAttribute: gpu.nvidia.com/uuid}]"))
                .contains("a constraint on gpu.nvidia.com/uuid that not all devices of a node meet together");
        assertThat(place(cluster, claim("c", exactly("gpu", 1, ""), "") + pod("a", "c") + pod("b", "c"))
                        .err())
                .contains("is to be allocated for pod", "a\" before others may use it");
        String plugin = plain("n1").replace("pods:", "nvidia.com/gpu: \"2\", pods:")
                + node("n1", 2).substring(plain("n1").length());
        assertThat(refused(plugin + CLASSES, exactly("gpu", 1, ""), "")).contains("accept no GPU of a node");
    }

    private String refused(String cluster, String request, String more) {
        PlaceRun run = place(cluster, claim("c", request, more) + pod("a", "c"));
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("spec.resourceClaims");
        return run.err();
    }

    @Test
    void constraintsThatAnyDevicesOfANodeMeet_areHonoured() {
        String constraints = ", constraints: [{matchAttribute: gpu.nvidia.com/productName},"
                + " {distinctAttribute: gpu.nvidia.com/uuid}]";
        PlaceRun placed =
                place(node("n1", 2) + CLASSES, claim("c", exactly("gpu", 2, ""), constraints) + pod("a", "c"));
        assertThat(placed.out()).as(placed.err()).contains("[0, 1]");
    }

    @Test
    void partitionsAreGivenOutWhereTheirGpuIsNotHeld() {
        List<String> devices = new ArrayList<>();
        for (int gpu = 0; gpu < 2; gpu++) {
            devices.add(device("gpu-" + gpu, "type: {string: gpu}, uuid: {string: U" + gpu + "}", 1));
            for (int start = 0; start < 7; start++) {
                devices.add(device(
                        "gpu-" + gpu + "-mig-1g5gb-" + start,
                        "type: {string: mig}, profile: {string: 1g.5gb}, parentUUID: {string: U" + gpu + "}",
                        1));
            }
        }
        String cluster = plain("n1")
                + slice("n1", devices)
                + CLASSES
                + allocated(claim("u", exactly("gpu", 1, ""), ""), has("n1", "gpu-0"));
        PlaceRun placed = place(cluster, claim("c", exactly("mig", 7, ""), "") + pod("a", "c"));
        assertThat(placed.code()).as(placed.err()).isZero();
        assertThat(placed.out()).contains("1g.5gb").doesNotContain("gpu 0");
        assertThat(place(cluster, claim("c", exactly("mig", 8, ""), "") + pod("a", "c"))
                        .code())
                .isEqualTo(1);
    }
}
