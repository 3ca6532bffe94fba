package io.gpusched.cli.look;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clusters whose GPUs are given out by claims, some by claims alone. */
class ClaimedClusterTest {
    private static final String NVIDIA = "gpu.nvidia.com";
    private static final String CLASSES = offer(
                    "gpu",
                    "nvidia.com/gpu",
                    "device.driver == 'gpu.nvidia.com' && device.attributes['gpu.nvidia.com'].type == 'gpu'")
            + offer("mig", "", "device.driver == 'gpu.nvidia.com' && device.attributes['gpu.nvidia.com'].type == 'mig'")
            + offer("amd", "amd.com/gpu", "device.driver == 'gpu.amd.com'");

    @TempDir
    private Path folder;

    private static String offer(String name, String resource, String expression) {
        String named = resource.isEmpty() ? "" : "extendedResourceName: " + resource + ", ";
        return "---\n{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: " + name + "}, spec: {"
                + named + "selectors: [{cel: {expression: \"" + expression + "\"}}]}}\n";
    }

    private static String node(String name) {
        return "---\n{apiVersion: v1, kind: Node, metadata: {name: " + name
                + "}, status: {allocatable: {cpu: \"64\", memory: 512Gi, pods: \"110\"}}}\n";
    }

    private static String slice(String driver, String node, List<String> devices, String counters) {
        String pool = "driver: " + driver + ", nodeName: " + node + ", pool: {name: " + node
                + ", generation: 1, resourceSliceCount: " + (counters.isEmpty() ? 1 : 2) + "}";
        String body = "---\n{apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: %s-%s}, spec: {"
                + pool + ", %s: [%s]}}\n";
        return body.formatted(node, "b", "devices", String.join(", ", devices))
                + (counters.isEmpty() ? "" : body.formatted(node, "a", "sharedCounters", counters));
    }

    /** GPUs of 8 slices of memory, each with partitions of one slice and of four beside the whole. */
    private static String cuttable(String node, int gpus) {
        List<String> devices = new ArrayList<>();
        List<String> sets = new ArrayList<>();
        for (int gpu = 0; gpu < gpus; gpu++) {
            sets.add("{name: cs" + gpu + ", counters: {" + slices(0, 8) + "}}");
            devices.add(device("gpu-" + gpu, "type: {string: gpu}, uuid: {string: U" + gpu + "}", gpu, slices(0, 8)));
            for (int start = 0; start < 7; start++) {
                devices.add(part("1g.5gb", gpu, start, 1));
            }
            devices.add(part("3g.20gb", gpu, 0, 4));
            devices.add(part("3g.20gb", gpu, 4, 4));
        }
        return slice(NVIDIA, node, devices, String.join(", ", sets));
    }

    private static String slices(int from, int size) {
        return IntStream.range(from, from + size)
                .mapToObj(slice -> "memory-slice-" + slice + ": {value: \"1\"}")
                .collect(Collectors.joining(", "));
    }

    private static String part(String profile, int gpu, int start, int size) {
        return device(
                "gpu-" + gpu + "-mig-" + profile.replace(".", "") + "-" + start,
                "type: {string: mig}, profile: {string: " + profile + "}, parentUUID: {string: U" + gpu + "}",
                gpu,
                slices(start, size));
    }

    private static String device(String name, String attributes, int gpu, String counters) {
        return "{name: " + name + ", attributes: {" + attributes
                + ", productName: {string: NVIDIA A100-SXM4-40GB}}, capacity: {memory: {value: 40Gi}},"
                + " consumesCounters: [{counterSet: cs" + gpu + ", counters: {" + counters + "}}]}";
    }

    private static String plain(String node, int gpus) {
        return slice(
                NVIDIA,
                node,
                IntStream.range(0, gpus)
                        .mapToObj(gpu -> "{name: gpu-" + gpu + ", attributes: {type: {string: gpu}, uuid: {string: U"
                                + gpu + "}, productName: {string: NVIDIA H100 80GB HBM3}}}")
                        .toList(),
                "");
    }

    private static String amd(String node, int gpus) {
        return slice(
                "gpu.amd.com",
                node,
                IntStream.range(0, gpus)
                        .mapToObj(gpu -> "{name: gpu-" + gpu
                                + ", attributes: {type: {string: amdgpu}, pciAddr: {string: \"0000:0" + gpu
                                + ":00.0\"}, productName: {string: MI300X}}}")
                        .toList(),
                "");
    }

    private static String claim(String name, String offer, int count, String status) {
        return "---\n{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: " + name
                + ", namespace: ml}, spec: {devices: {requests: [{name: r, exactly: {deviceClassName: " + offer
                + ", count: " + count + "}}]}}" + status + "}\n";
    }

    private static String has(String driver, String node, String... devices) {
        return ", status: {allocation: {nodeSelector: {nodeSelectorTerms: [{matchFields: [{key: metadata.name,"
                + " operator: In, values: [" + node + "]}]}]}, devices: {results: ["
                + List.of(devices).stream()
                        .map(device ->
                                "{request: r, driver: " + driver + ", pool: " + node + ", device: " + device + "}")
                        .collect(Collectors.joining(", "))
                + "]}}}";
    }

    private static String pod(String name, String claim, String node) {
        return "---\n{apiVersion: v1, kind: Pod, metadata: {name: " + name + ", namespace: ml}, spec: {"
                + (node.isEmpty() ? "" : "nodeName: " + node + ", ")
                + "containers: [{name: main, image: x}], resourceClaims: [{name: c, resourceClaimName: " + claim
                + "}]}}\n";
    }

    private String run(String cluster, String... arguments) {
        LookRun run = LookRun.on(folder, cluster, arguments);
        return run.out() + run.err();
    }

    @Test
    void aClaimThatTwoPodsUse_isHeldOnce_onItsGpus() {
        String cluster = node("n1")
                + plain("n1", 4)
                + CLASSES
                + claim("c", "gpu", 2, has(NVIDIA, "n1", "gpu-1", "gpu-2"))
                + pod("a", "c", "n1")
                + pod("b", "c", "n1");
        assertThat(run(cluster, "map"))
                .contains("4 GPUs, 2 idle", ".##.", "ml/a 2 GPUs [1, 2]")
                .doesNotContain("warning");
        assertThat(run(cluster, "drain", "n1")).contains("ml/a, ml/b may not be evicted (resource claim c)");
    }

    @Test
    void gpusOfAmd_areHeldUnderTheirOwnName() {
        String cluster = node("n1")
                + amd("n1", 8)
                + CLASSES
                + claim("c", "amd", 2, has("gpu.amd.com", "n1", "gpu-0", "gpu-3"))
                + pod("a", "c", "n1");
        assertThat(run(cluster, "map"))
                .contains("8 GPUs, 6 idle", "#..#....", "amd.com/gpu")
                .doesNotContain("warning");
    }

    @Test
    void partitionsOfOneGpu_lieSideBySide_andTheOtherGpuIsIdle() {
        String cluster = node("n1")
                + cuttable("n1", 2)
                + CLASSES
                + claim("one", "mig", 1, has(NVIDIA, "n1", "gpu-0-mig-1g5gb-0"))
                + claim("three", "mig", 1, has(NVIDIA, "n1", "gpu-0-mig-3g20gb-4"))
                + pod("a", "one", "n1")
                + pod("b", "three", "n1");
        assertThat(run(cluster, "map"))
                .contains("2 GPUs, 1 idle", "ml/a 1 x 1g.5gb; ml/b 1 x 3g.20gb")
                .doesNotContain("warning");
    }

    @Test
    void aClaimThatNoPodUses_holdsItsGpu_andIsTold() {
        String cluster = node("n1") + plain("n1", 2) + CLASSES + claim("left", "gpu", 1, has(NVIDIA, "n1", "gpu-1"));
        assertThat(run(cluster, "map"))
                .contains("2 GPUs, 1 idle", ".#", "1 claim holds GPUs that no running pod uses: ml/left");
    }

    @Test
    void anAdministratorsLook_holdsNothing() {
        String status = has(NVIDIA, "n1", "gpu-1").replace("device: gpu-1", "device: gpu-1, adminAccess: true");
        String cluster = node("n1") + plain("n1", 2) + CLASSES + claim("c", "gpu", 1, status) + pod("a", "c", "n1");
        assertThat(run(cluster, "map")).contains("2 GPUs, 2 idle");
    }

    @Test
    void whatAPodAskedByExtendedResources_isOnTheGpusOfItsClaim() {
        String pod = "---\n"
                + "{apiVersion: v1, kind: Pod, metadata: {name: a, namespace: ml}, spec: {nodeName: n1,"
                + " containers: [{name: main, resources: {limits: {nvidia.com/gpu: \"2\"}}}]}, status:"
                + " {extendedResourceClaimStatus: {resourceClaimName: e, requestMappings: [{containerName: main,"
                + " resourceName: nvidia.com/gpu, requestName: r}]}}}\n";
        String cluster =
                node("n1") + plain("n1", 4) + CLASSES + claim("e", "gpu", 2, has(NVIDIA, "n1", "gpu-1", "gpu-3")) + pod;
        assertThat(run(cluster, "map")).contains("4 GPUs, 2 idle", ".#.#").doesNotContain("warning");
    }

    @Test
    void whyNamesTheDevices_whereThereIsRoom() {
        String cluster = node("n1")
                + node("n2")
                + plain("n1", 1)
                + plain("n2", 2)
                + CLASSES
                + claim("c", "gpu", 2, "")
                + pod("a", "c", "");
        assertThat(run(cluster, "why", "ml/a"))
                .contains("there is room now: on node n2 with gpu.nvidia.com/n2/gpu-0, gpu.nvidia.com/n2/gpu-1");
    }

    @Test
    void whyNamesWhatIsInTheWay_ofAClaim() {
        String used = node("n1")
                + plain("n1", 2)
                + CLASSES
                + claim("u", "gpu", 1, has(NVIDIA, "n1", "gpu-0"))
                + pod("u", "u", "n1");
        assertThat(run(used + claim("c", "gpu", 2, "") + pod("a", "c", ""), "why", "ml/a"))
                .contains(
                        "its claims cannot be allocated on any of 1 node", "request ml/c/r cannot be served", "in use");
        assertThat(run(used + claim("c", "gpu", 3, "") + pod("a", "c", ""), "why", "ml/a"))
                .contains("ml/c/r asks for 3 devices, its class and selectors accept 2");
        assertThat(run(used + claim("c", "none", 1, "") + pod("a", "c", ""), "why", "ml/a"))
                .contains("there is no device class \"none\"");
        String cut = node("n1")
                + cuttable("n1", 1)
                + CLASSES
                + claim("u", "mig", 1, has(NVIDIA, "n1", "gpu-0-mig-1g5gb-2"))
                + pod("u", "u", "n1");
        assertThat(run(cut + claim("c", "gpu", 1, "") + pod("a", "c", ""), "why", "ml/a"))
                .contains("in use");
    }

    @Test
    void whyTellsAClaimWhoseDevicesAreElsewhere_andOneThatIsNotThere() {
        String cluster = node("n1")
                + node("n2")
                + plain("n1", 2)
                + CLASSES
                + claim("c", "gpu", 1, has(NVIDIA, "n1", "gpu-0"))
                + pod("b", "c", "n1");
        String cordoned = cluster.replace(
                "metadata: {name: n1}, status", "metadata: {name: n1}, spec: {unschedulable: true}, status");
        assertThat(run(cordoned + pod("a", "c", ""), "why", "ml/a"))
                .contains("1 node: claim ml/c has its devices elsewhere: gpu.nvidia.com/n1/gpu-0");
        assertThat(run(cluster + pod("a", "gone", ""), "why", "ml/a"))
                .contains("its resource claims (c) are not looked at, for they are not among the objects");
    }

    @Test
    void whyNamesWhatKubeDoesNotHonour_besideWhereTheDevicesAre() {
        String all = claim("c", "gpu", 1, "").replace("count: 1", "allocationMode: All");
        assertThat(run(node("n1") + plain("n1", 2) + CLASSES + all + pod("a", "c", ""), "why", "ml/a"))
                .contains("kube does not place it: request ml/c/r asks for all devices, which is not honoured")
                .contains("there is room now: on node n1");
    }

    @Test
    void gpusHeldByExtendedResources_areNotFreeForClaims() {
        String held = "---\n"
                + "{apiVersion: v1, kind: Pod, metadata: {name: h, namespace: ml}, spec: {nodeName: n1,"
                + " containers: [{name: main, resources: {limits: {nvidia.com/gpu: \"1\"}}}]}}\n";
        String cluster = node("n1") + plain("n1", 2) + CLASSES + held + claim("c", "gpu", 2, "") + pod("a", "c", "");
        assertThat(run(cluster, "why", "ml/a")).contains("request ml/c/r cannot be served", "in use");
    }

    @Test
    void podsOfAGroup_getTheirClaimsTogether() {
        String group = "---\n"
                + "{apiVersion: scheduling.x-k8s.io/v1alpha1, kind: PodGroup, metadata: {name: g, namespace: ml},"
                + " spec: {minMember: 2}}\n";
        String member = "metadata: {name: %s, namespace: ml, labels: {scheduling.x-k8s.io/pod-group: g}}";
        String pods = pod("a", "ca", "").replace("metadata: {name: a, namespace: ml}", member.formatted("a"))
                + pod("b", "cb", "").replace("metadata: {name: b, namespace: ml}", member.formatted("b"));
        String two = claim("ca", "gpu", 2, "") + claim("cb", "gpu", 2, "") + group + pods;
        assertThat(run(node("n1") + plain("n1", 4) + CLASSES + two, "why", "ml/a"))
                .contains("there is room now: on node n1");
        assertThat(run(node("n1") + plain("n1", 3) + CLASSES + two, "why", "ml/a"))
                .contains("the claims of pods ml/a, ml/b cannot be served together");
    }
}
