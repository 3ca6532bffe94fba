package io.gpusched.cli.look;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clusters of other systems: their dialect is found, and their pods are understood. */
class FoundDialectsTest {
    private static final String HAMI_NODE = """
        ---
        apiVersion: v1
        kind: Node
        metadata:
          name: h1
          annotations:
            hami.io/node-nvidia-register: '[{"id":"GPU-0","count":10,"devmem":40960,"devcore":100,"type":"NVIDIA-A100","mode":"hami-core","health":true},{"id":"GPU-1","count":10,"devmem":40960,"devcore":100,"type":"NVIDIA-A100","mode":"hami-core","health":true}]'
        status: {allocatable: {cpu: "64", memory: 256Gi, pods: "110", nvidia.com/gpu: "20"}}
        """;

    private static final String VOLCANO_NODE = """
        ---
        apiVersion: v1
        kind: Node
        metadata:
          name: v1
          annotations: {volcano.sh/node-vgpu-register: "GPU-0,10,40960,NVIDIA-A100,true,hami-core:"}
        status: {allocatable: {cpu: "64", memory: 256Gi, pods: "110", volcano.sh/vgpu-number: "10"}}
        """;

    @TempDir
    private Path folder;

    private LookRun on(String cluster, String... arguments) {
        return LookRun.on(folder, cluster, arguments);
    }

    @Test
    void hami_isFoundByItsRegistration_andItsGrantsAreRead() {
        String holder = Exports.pod(
                        "holder",
                        "annotations: {hami.io/vgpu-devices-allocated: \"GPU-1,NVIDIA,30000,30:;\"}",
                        "nodeName: h1",
                        "nvidia.com/gpu: \"1\", nvidia.com/gpumem: \"30000\", nvidia.com/gpucores: \"30\"")
                + "status: {phase: Running}\n";
        String waiting = Exports.pod(
                "w", "", "schedulerName: hami-scheduler", "nvidia.com/gpu: \"2\", nvidia.com/gpumem: \"20000\"");
        LookRun map = on(HAMI_NODE + holder + waiting, "map");
        assertThat(map.err()).isEmpty();
        assertThat(map.out())
                .contains("Read as: HAMi", "h1  .7  ml/holder 30 % and 30000 MiB of GPU 1")
                .contains("1 pending pod asks for GPUs: ml/w");
        LookRun why = on(HAMI_NODE + holder + waiting, "why", "ml/w");
        assertThat(why.code()).isEqualTo(1);
        assertThat(why.out())
                .contains("pod ml/w is pending (scheduler: hami-scheduler)", "no room now", "nearest remedy: ");
    }

    @Test
    void volcano_isFoundByItsRegistration_andItsGangsAreAskedWhole() {
        String member = "annotations: {scheduling.k8s.io/group-name: g}";
        String pods = Exports.pod(
                        "m-0",
                        member,
                        "schedulerName: volcano",
                        "volcano.sh/vgpu-number: \"1\", volcano.sh/vgpu-memory: \"30000\"")
                + Exports.pod(
                        "m-1",
                        member,
                        "schedulerName: volcano",
                        "volcano.sh/vgpu-number: \"1\", volcano.sh/vgpu-memory: \"30000\"");
        String group = """
            ---
            apiVersion: scheduling.volcano.sh/v1beta1
            kind: PodGroup
            metadata: {name: g, namespace: ml}
            spec: {minMember: 2}
            """;
        LookRun gang = on(VOLCANO_NODE + pods + group, "why", "ml/m-0");
        assertThat(gang.code()).isEqualTo(1);
        assertThat(gang.out()).contains("Read as: Volcano", "of 2 members needed together");
        LookRun alone = on(VOLCANO_NODE + pods, "why", "ml/m-0");
        assertThat(alone.code()).isZero();
        assertThat(alone.out()).contains("its group ml/g is not known; the pod is tried alone", "there is room now");
    }

    @Test
    void kai_countsByReservations_andItsGangsAreAskedWhole() {
        String cluster = Exports.node("n1", 2)
                + Exports.pod("gpu-reservation-n1-x", "", "nodeName: n1", "nvidia.com/gpu: \"1\"")
                + "status: {phase: Running}\n"
                + Exports.pod(
                        "half",
                        "annotations: {gpu-fraction: \"0.5\"}, labels: {runai-gpu-group: x}",
                        "nodeName: n1",
                        "")
                + "status: {phase: Running}\n"
                + Exports.pod(
                        "k-0",
                        "annotations: {pod-group-name: g}",
                        "schedulerName: kai-scheduler",
                        "nvidia.com/gpu: \"1\"")
                + Exports.pod(
                        "k-1",
                        "annotations: {pod-group-name: g}",
                        "schedulerName: kai-scheduler",
                        "nvidia.com/gpu: \"1\"")
                + Exports.pod("f", "annotations: {gpu-fraction: \"0.5\"}", "schedulerName: kai-scheduler", "")
                + """
                ---
                apiVersion: scheduling.run.ai/v2alpha2
                kind: PodGroup
                metadata: {name: g, namespace: ml}
                spec: {minMember: 2, queue: q}
                """;
        assertThat(on(cluster, "map").out())
                .contains("n1  5.  ml/half 50 % and 40960 MiB of GPU 0", "3 pending pods ask for GPUs");
        LookRun gang = on(cluster, "why", "ml/k-0");
        assertThat(gang.code()).isEqualTo(1);
        assertThat(gang.out()).contains("is pending (scheduler: kai-scheduler)", "of 2 members needed together");
        LookRun part = on(cluster, "why", "ml/f");
        assertThat(part.code()).isZero();
        assertThat(part.out()).contains("there is room now: on node n1 for 50 % and 40960 MiB of GPU 0\n");
        LookRun larger = on(cluster.replace("{gpu-fraction: \"0.5\"}}", "{gpu-fraction: \"0.6\"}}"), "why", "ml/f");
        assertThat(larger.out()).contains("there is room now: on node n1 for 60 % and 49152 MiB of GPU 1");
    }

    /** Each rack has a GPU. */
    @Test
    void aGroupOfKai_isAskedForWithinTheLevelThatItRequires() throws Exception {
        String member = "annotations: {pod-group-name: g}";
        String cluster = Exports.node("n1", 1).replace("labels: {", "labels: {rack: a, ")
                + Exports.node("n2", 1).replace("labels: {", "labels: {rack: b, ")
                + Exports.pod("k-0", member, "schedulerName: kai-scheduler", "nvidia.com/gpu: \"1\"")
                + Exports.pod("k-1", member, "schedulerName: kai-scheduler", "nvidia.com/gpu: \"1\"")
                + """
                ---
                apiVersion: scheduling.run.ai/v2alpha2
                kind: PodGroup
                metadata: {name: g, namespace: ml}
                spec: {minMember: 2, topologyConstraint: {requiredTopologyLevel: rack}}
                """;
        assertThat(on(cluster, "why", "ml/k-0").code()).isEqualTo(1);
        assertThat(on(cluster.replace("rack: b", "rack: a"), "why", "ml/k-0").code())
                .isZero();
    }

    @Test
    void aPartOfAGpuOfKai_goesOnlyWhereThePodMayGo() {
        String held = Exports.pod(
                        "half",
                        "annotations: {gpu-fraction: \"0.5\"}, labels: {runai-gpu-group: x}",
                        "nodeName: n1",
                        "")
                + "status: {phase: Running}\n";
        String pinned = Exports.pod(
                "f", "annotations: {gpu-fraction: \"0.25\"}", "nodeSelector: {kubernetes.io/hostname: n2}", "");
        String cluster = Exports.node("n1", 1)
                + Exports.pod("gpu-reservation-n1-x", "", "nodeName: n1", "nvidia.com/gpu: \"1\"")
                + "status: {phase: Running}\n"
                + held
                + pinned;
        LookRun run = on(cluster, "why", "ml/f");
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.out()).contains("node selector does not match");
    }

    @Test
    void nodesOfSeveralSystems_takeEachTheirOwn() {
        String cluster = Exports.node("n1", 4)
                + Exports.node("n2", 4)
                + VOLCANO_NODE
                + Exports.waiting("p", 5)
                + Exports.pod("v", "", "schedulerName: volcano", "volcano.sh/vgpu-number: \"2\"");
        LookRun why = on(cluster, "why", "ml/p");
        assertThat(why.out())
                .contains("Read as: device plugin (nvidia.com/gpu), Volcano")
                .contains("2 nodes: at most 4 GPUs on one node, asked 5");
        assertThat(on(cluster, "why", "ml/v").code()).isEqualTo(1);
    }

    @Test
    void timeSlicedGpus_areFoundByTheirLabel() {
        String node = Exports.node("t1", 8)
                .replace("labels: {", "labels: {nvidia.com/gpu.replicas: \"4\", nvidia.com/gpu.count: \"2\", ");
        LookRun map = on(node + Exports.running("a", "t1", 1), "map");
        assertThat(map.err()).isEmpty();
        assertThat(map.out()).contains("1 node (1 with GPUs), 2 GPUs, 1 idle. Read as: NVIDIA GPU operator");
        assertThat(on(node + Exports.running("a", "t1", 1), "mix").out()).containsPattern("1 slot +7 +1\n");
    }

    @Test
    void wholeAndTimeSlicedNodes_areReadTogether_eachByItsLabels() {
        String sliced = Exports.node("t1", 8)
                .replace("labels: {", "labels: {nvidia.com/gpu.replicas: \"4\", nvidia.com/gpu.count: \"2\", ");
        String cluster = sliced + Exports.node("n1", 4) + Exports.running("a", "t1", 1) + Exports.running("b", "n1", 3);
        LookRun map = on(cluster, "map");
        assertThat(map.err()).isEmpty();
        assertThat(map.out())
                .contains(
                        "2 nodes (2 with GPUs), 6 GPUs, 2 idle. Read as: NVIDIA GPU operator", "n1  ###.  ml/b 3 GPUs")
                .contains("ml/a 1 slot");
        LookRun mix = on(cluster, "mix");
        assertThat(mix.out()).containsPattern("1 slot +7 +1\n").containsPattern("1 whole GPU +1 +1\n");
    }

    @Test
    void severalDevicePlugins_areReadTogether() {
        String amd = Exports.node("a1", 4).replace("nvidia.com/gpu: ", "amd.com/gpu: ");
        LookRun map = on(Exports.node("n1", 8) + Exports.node("n2", 8) + amd, "map");
        assertThat(map.out())
                .contains("3 nodes (3 with GPUs), 20 GPUs, 20 idle. Read as: device plugin (nvidia.com/gpu), device"
                        + " plugin (amd.com/gpu)");
        assertThat(on(Exports.node("n1", 8) + amd, "map", "--dialect", "device-plugin:amd.com/gpu")
                        .out())
                .contains("4 GPUs", "Read as: device-plugin-amd.com.gpu, as named");
        assertThat(on(amd, "map").out()).contains("Read as: device plugin (amd.com/gpu)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"mthreads.com/vgpu", "huawei.com/Ascend910B", "iluvatar.ai/gpu"})
    void devicesOfAVendor_areFoundByTheNameOfTheirPlugin(String resource) {
        String node = Exports.node("a", 8).replace("nvidia.com/gpu:", resource + ":");
        assertThat(on(node, "map").out())
                .contains("1 node (1 with GPUs), 8 GPUs, 8 idle", "device plugin (" + resource + ")");
    }

    @Test
    void whereNoNodeHasGpus_thatIsSaid() {
        String plain = Exports.node("n1", 8).replaceAll(", nvidia.com/gpu: \"8\"", "");
        assertThat(on(plain, "map").out()).contains("No node reports GPUs");
    }
}
