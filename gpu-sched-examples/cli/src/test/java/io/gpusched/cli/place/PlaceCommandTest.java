package io.gpusched.cli.place;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpusched.cli.GpuSched;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlaceCommandTest {
    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        List<String> all = new ArrayList<>(List.of("place"));
        all.addAll(List.of(arguments));
        return GpuSched.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(all.toArray(String[]::new));
    }

    private int example(String cluster, String pod, String... more) {
        String[] arguments = new String[4 + more.length];
        arguments[0] = "--cluster";
        arguments[1] = "../examples/" + cluster;
        arguments[2] = "--pod";
        arguments[3] = "../examples/" + pod;
        System.arraycopy(more, 0, arguments, 4, more.length);
        return run(arguments);
    }

    private String file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text).toString();
    }

    private JsonNode json() throws JsonProcessingException {
        return new ObjectMapper().readTree(out.toString());
    }

    @Test
    void aShare_goesToTheFullestGpuThatFits() {
        assertThat(example("cluster.yaml", "pod.yaml")).isZero();
        assertThat(out.toString()).contains("placed pod \"inference\"", "on n2", "GPU 0 (30 %, 4915 MiB)");
    }

    @Test
    void whatDoesNotFit_isDiagnosed() {
        assertThat(example("cluster.yaml", "pod-too-large.yaml")).isEqualTo(1);
        assertThat(out.toString()).contains("not placed: pod \"giant\"", "2 nodes");
    }

    @Test
    void aGroup_isPlacedAsAWhole() throws JsonProcessingException {
        assertThat(example("cluster.yaml", "group.yaml", "--json")).isZero();
        assertThat(json().at("/placements")).hasSize(3);
        assertThat(json().at("/placed").asBoolean()).isTrue();
    }

    @Test
    void aRefusalAsJson_givesReasonsAndRemedyAsDataAndInWords() throws IOException {
        String pod = file("pod.yaml", "pod: {name: big, cpu: 999, memory: 1Gi}\n");

        assertThat(run("--cluster", "../examples/cluster.yaml", "--pod", pod, "--json"))
                .isEqualTo(1);

        JsonNode reason = json().at("/diagnosis/reasons/0");
        assertThat(reason.at("/code").asText()).isEqualTo("NODE_TOO_SMALL");
        assertThat(reason.at("/nodeNames")).isNotEmpty();
        assertThat(reason.at("/amounts/0/asked").asInt()).isEqualTo(999_000);
        assertThat(reason.at("/detail").asText()).contains("asked 999 cores");
        JsonNode remedy = json().at("/diagnosis/remedy");
        assertThat(remedy.at("/changes/0/kind").asText()).isEqualTo("AddNodes");
        assertThat(remedy.at("/changes/0/each/resources/cpuMillis").asInt()).isEqualTo(999_000);
        assertThat(remedy.at("/text").asText()).startsWith("add a node with");
    }

    @Test
    void t9kPod_getsT9ksEnvironment() throws JsonProcessingException {
        assertThat(example("t9k-cluster.yaml", "t9k-pod.yaml", "--dialect", "t9k", "--json"))
                .isZero();
        JsonNode environment = json().at("/placements/0/environment/shared");
        assertThat(environment.at("/NVIDIA_VISIBLE_DEVICES").asText()).isEqualTo("0");
        assertThat(environment.at("/T9K_GPU_PERCENT").asText()).isEqualTo("30");
        assertThat(environment.at("/T9K_GPU_MEMORY").asText()).isEqualTo("4915");
    }

    @Test
    void t9kGroup_ofTwoDocumentsMore_isPlacedTogether() throws JsonProcessingException {
        assertThat(example("t9k-cluster.yaml", "t9k-group.yaml", "--dialect", "t9k", "--json"))
                .isZero();
        assertThat(json().at("/placements/1/environment/main/NVIDIA_VISIBLE_DEVICES")
                        .asText())
                .isEqualTo("2,3");
    }

    @Test
    void aDeployment_isPlacedPodByPod() {
        assertThat(example("plugin-cluster.yaml", "plugin-deployment.yaml", "--dialect", "device-plugin"))
                .isZero();
        assertThat(out.toString())
                .containsSubsequence(
                        "pod serve-0 on worker-1", "GPUs [1]", "pod serve-1 on worker-2", "pod serve-2 on worker-2");
        assertThat(err.toString()).isEmpty();
    }

    /** With the Service, ConfigMap and ServiceAccount that come with them. */
    @Test
    void podsForNodesOfEachKind_areServedByOneCall_withoutInventedUuids() {
        assertThat(example("operator-cluster.yaml", "operator-pods.yaml", "--dialect", "nvidia"))
                .as(err.toString())
                .isZero();
        assertThat(out.toString())
                .containsSubsequence(
                        "pod notebook-0 on cut",
                        "pod serve-0 on sliced",
                        "pod serve-1 on sliced",
                        "pod train-0-0 on whole")
                .contains("NVIDIA_VISIBLE_DEVICES=0,1")
                .doesNotContain("whole-gpu", "sliced-gpu");
        assertThat(err.toString().lines()).hasSize(1);
    }

    @Test
    void gpusharePod_liesOnOneGpu_andItsAnnotationsAreWritten() throws JsonProcessingException {
        assertThat(example("gpushare-cluster.yaml", "gpushare-pod.yaml", "--dialect", "gpushare", "--json"))
                .isZero();
        assertThat(json().at("/placements/0/annotations/ALIYUN_COM_GPU_MEM_IDX").asText())
                .isEqualTo("1");
        assertThat(json().at("/placements/0/environment/side/ALIYUN_COM_GPU_MEM_CONTAINER")
                        .asText())
                .isEqualTo("2");
    }

    @Test
    void topologyAwareHamiPod_getsTheClosestGpus() throws IOException {
        assertThat(example("hami-cluster.yaml", "hami-pod.yaml", "--dialect", "hami"))
                .isZero();
        assertThat(out.toString()).contains("GPU-a", "GPU-c").doesNotContain("GPU-b", "GPU-d");
    }

    /** The device is what is written for it, so that running pods were read too. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ascend    | hami.io/Ascend910B3-devices-allocated   | npu-0,Ascend910B3,32768,0:;
            hygon     | hami.io/dcu-devices-allocated           | DCU-b,DCU,20000,30:;
            iluvatar  | hami.io/MR-V100-devices-allocated       | m1,MR-V100,16384,25:;
            cambricon | CAMBRICON_DSMLU_PROFILE                 | 1_25_32
            mthreads  | hami.io/mthreads-vgpu-devices-allocated | n1-mthreads-1,Mthreads,16384,8:;n1-mthreads-1,Mthreads,16384,8:;
            metax     | hami.io/metax-sgpu-devices-allocated    | m2,Metax-SGPU,4096,20:;
            enflame   | hami.io/enflame-vgpu-devices-allocated  | n1-enflame-drs-1,Enflame,20480,50:;
            kunlun    | BAIDU_COM_DEVICE_IDX                    | 0,1,4,5
            neuron    | AWS_NEURON_IDS                          | 4,5,6,7,30
            """)
    void hamiPods_ofEveryVendor_getWhatItsPluginReads(String vendor, String annotation, String value) {
        assertThat(example("hami-" + vendor + "-cluster.yaml", "hami-" + vendor + "-pod.yaml", "--dialect", "hami"))
                .as(err.toString())
                .isZero();
        assertThat(out.toString()).contains(annotation).contains(value);
    }

    /** Beside what runs there: the 3g.20gb at 4 is named by the running pod alone. */
    @Test
    void hamiPod_getsMigInstances_beside_thoseThatRunningPodsHold() throws JsonProcessingException {
        assertThat(example("hami-mig-cluster.yaml", "hami-mig-pod.yaml", "--dialect", "hami", "--json"))
                .as(err.toString())
                .isZero();
        JsonNode annotations = json().at("/placements/0/annotations");
        assertThat(annotations.path("hami.io/vgpu-devices-allocated").asText())
                .isEqualTo("GPU-b,NVIDIA,9856,29:GPU-b,NVIDIA,9856,29:;");
        assertThat(annotations.path("hami.io/vgpu-mig-allocations").asText()).isEqualTo("""
                        [{"containerIndex":0,"deviceIndex":0,"gpuUUID":"GPU-b","profile":"2g.10gb","placement":{"start":0,"size":2}},\
                        {"containerIndex":0,"deviceIndex":1,"gpuUUID":"GPU-b","profile":"2g.10gb","placement":{"start":2,"size":2}}]""");
    }

    @Test
    void badAmountOfAVendor_isRefusedWithResourceValueAndRange() throws IOException {
        String pod = file(
                "pod.yaml",
                Files.readString(Path.of("../examples/hami-mthreads-pod.yaml"))
                        .replace("mthreads.com/sgpu-memory: 32", "mthreads.com/sgpu-memory: 33"));
        assertThat(run("--cluster", "../examples/hami-mthreads-cluster.yaml", "--pod", pod, "--dialect", "hami"))
                .isEqualTo(1);
        assertThat(out.toString())
                .contains(
                        "container \"main\"",
                        "mthreads.com/sgpu-memory: must be one of [2, 4, 8, 16, 32, 64, 96], got 33");
    }

    @Test
    void aNodeWithBadPairScores_takesNoPods_andTheAnnotationIsNamed() throws IOException {
        String cluster = file(
                "cluster.yaml",
                Files.readString(Path.of("../examples/hami-cluster.yaml")).replace(":200}", ":near}"));
        assertThat(run("--cluster", cluster, "--pod", "../examples/hami-pod.yaml", "--dialect", "hami"))
                .isEqualTo(1);
        assertThat(err.toString()).contains("warning: Node ", "hami.io/node-nvidia-score", "it takes no pods");
    }

    @Test
    void slurmJob_sharesTheGpuThatServesMpsAlready() {
        assertThat(example("slurm-cluster.yaml", "slurm-job.yaml", "--dialect", "slurm"))
                .isZero();
        assertThat(out.toString()).contains("mps:30(IDX:0)", "CUDA_MPS_ACTIVE_THREAD_PERCENTAGE=30");
    }

    @Test
    void aRuleOfTheSystem_refusesThePod() throws IOException {
        String pod = file("pod.yaml", """
                kind: Pod
                metadata: {name: p}
                spec:
                  containers:
                    - name: main
                      resources: {limits: {tensorstack.dev/nvidia-gpu-percent: 130}}
                """);
        assertThat(run("--cluster", "../examples/t9k-cluster.yaml", "--pod", pod, "--dialect", "t9k"))
                .isEqualTo(1);
        assertThat(out.toString()).contains("refused", "1..100", "130");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    nodes: [{name: n1, gpus: {count: many}}]        | line 1, field nodes[0].gpus.count | whole number
                    nodes: [{name: n1, mode: odd}]                  | field nodes[0].mode               | odd
                    nodes: [{nome: n1}]                             | field nodes[0].nome               | unknown
                    nodes: [{name: n1}, {name: n1}]                 | field nodes                       | n1
                    nodes: [{name: n1}                              | line                              | YAML
                    running: []                                     | field nodes                       | must be there
                    """)
    void badInput_isAnErrorThatNamesFileLineAndField(String text, String where, String problem) throws IOException {
        String cluster = file("cluster.yaml", text);
        assertThat(run("--cluster", cluster, "--pod", "../examples/pod.yaml")).isEqualTo(2);
        assertThat(err.toString()).contains(cluster, where, problem);
    }

    @Test
    void badValueFurtherDown_isNamedWithItsLine() throws IOException {
        String pod = file("pod.yaml", "pod:\n  name: p\n  cpu: 1\n  gpu:\n    percent: 130\n");
        assertThat(run("--cluster", "../examples/cluster.yaml", "--pod", pod)).isEqualTo(2);
        assertThat(err.toString()).contains("line 5, field pod.gpu.percent", "1..100", "130");
    }

    @ParameterizedTest
    @ValueSource(strings = {"tea", "device-plugin:gpu"})
    void anUnknownDialect_isAnError(String name) {
        assertThat(example("t9k-cluster.yaml", "t9k-pod.yaml", "--dialect", name))
                .isEqualTo(2);
        assertThat(err.toString()).contains("--dialect", name.substring(name.indexOf(':') + 1));
    }

    @Test
    void manifestsWithoutADialect_areReadByWhatTheirNodesTell_elseTheyAreAnError() {
        assertThat(example("t9k-cluster.yaml", "t9k-pod.yaml")).isZero();
        assertThat(out.toString()).contains("T9K_GPU_PERCENT=30");
        assertThat(example("cluster.yaml", "t9k-pod.yaml")).isEqualTo(2);
        assertThat(err.toString()).contains("need --dialect");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    nano-gpu      | nano-gpu/gpu-percent: 200                                | nano-gpu/gpu-percent: 40                              | nano-gpu/container-main=0
                    elastic-gpu   | elasticgpu.io/gpu-core: 200, elasticgpu.io/gpu-memory: 32 | elasticgpu.io/gpu-core: 200                          | elasticgpu.io/container-main=0,1
                    gaia          | tencent.com/vcuda-core: 200, tencent.com/vcuda-memory: 64 | tencent.com/vcuda-core: 30, tencent.com/vcuda-memory: 4 | tencent.com/predicate-gpu-idx-0=0
                    device-plugin | nvidia.com/gpu: 2                                        | nvidia.com/gpu: 1                                     | NVIDIA_VISIBLE_DEVICES=0
                    nvidia-sharing | nvidia.com/gpu: 4                                       | nvidia.com/gpu: 2                                     | NVIDIA_VISIBLE_DEVICES=0,1
                    """)
    void everyDialect_writesWhatItsSystemWrites(String dialect, String node, String limits, String written)
            throws IOException {
        String cluster = file(
                "cluster.yaml",
                "kind: Node\nmetadata: {name: n1}\nstatus: {allocatable: {cpu: 8, memory: 8Gi, " + node + "}}\n");
        String pod = file(
                "pod.yaml",
                "kind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: main, resources: {limits: {" + limits
                        + "}}}]}\n");
        assertThat(run("--cluster", cluster, "--pod", pod, "--dialect", dialect))
                .as(err + "" + out)
                .isZero();
        assertThat(out.toString()).contains(written);
    }
}
