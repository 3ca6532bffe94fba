package io.gpusched.cli.look;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.manifests.dialect.Dialects;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The words of each system, one row each: every command that reads a cluster takes them the same way. */
class VocabularyTest {
    private static final String NVIDIA =
            "GPU-%1$s-0,10,40960,100,NVIDIA-A100,0,true:GPU-%1$s-1,10,40960,100,NVIDIA-A100,0,true:";

    private static final String VOLCANO = "GPU-%1$s-0,10,40960,NVIDIA-A100,true:GPU-%1$s-1,10,40960,NVIDIA-A100,true:";

    @TempDir
    private Path folder;

    /**
     * A system, on nodes of 2 GPUs.
     *
     * @param title what the commands call it
     * @param labels of a node
     * @param annotations of a node
     * @param allocatable resources of a node
     * @param asked what a pod asks that has room
     * @param askedAnnotations annotations by which it asks
     * @param tooMuch what no node has
     */
    private record Row(
            String title,
            String labels,
            String annotations,
            String allocatable,
            String asked,
            String askedAnnotations,
            String tooMuch) {
        static Row of(String title, String labels, String allocatable, String asked, String tooMuch) {
            return new Row(title, labels, "", allocatable, asked, "", tooMuch);
        }

        static Row plugin(String resource) {
            return of("device plugin (" + resource + ")", "", resource + ": 2", resource + ": 1", resource + ": 3");
        }

        @Override
        public String toString() {
            return title + ", " + asked + askedAnnotations;
        }
    }

    static Stream<Row> rows() {
        return Stream.of(
                Row.of(
                        "T9k",
                        "nvidia.com/gpu.memory: '40960', " + T9kDialect.NODE_ALLOC_MODE + ": xgn",
                        "nvidia.com/gpu: 2, tensorstack.dev/nvidia-gpu: 2",
                        "tensorstack.dev/nvidia-gpu: 1",
                        "tensorstack.dev/nvidia-gpu: 3"),
                new Row(
                        "HAMi",
                        "",
                        "hami.io/node-nvidia-register: '" + NVIDIA + "'",
                        "nvidia.com/gpu: 20",
                        "nvidia.com/gpu: 1, nvidia.com/gpumem: 4000, nvidia.com/gpucores: 20",
                        "",
                        "nvidia.com/gpu: 1, nvidia.com/gpumem: 50000"),
                new Row(
                        "Volcano",
                        "",
                        "volcano.sh/node-vgpu-register: '" + VOLCANO + "'",
                        "volcano.sh/vgpu-number: 20, volcano.sh/vgpu-memory: 81920",
                        "volcano.sh/vgpu-number: 1, volcano.sh/vgpu-memory: 4000",
                        "",
                        "volcano.sh/vgpu-number: 1, volcano.sh/vgpu-memory: 50000"),
                Row.of(
                        "gpushare",
                        "",
                        "aliyun.com/gpu-mem: 64, aliyun.com/gpu-count: 2",
                        "aliyun.com/gpu-mem: 8",
                        "aliyun.com/gpu-mem: 33"),
                Row.of(
                        "nano-gpu",
                        "",
                        "nano-gpu/gpu-percent: 200",
                        "nano-gpu/gpu-percent: 30",
                        "nano-gpu/gpu-percent: 30, cpu: 64"),
                Row.of(
                        "elastic-gpu",
                        "",
                        "elasticgpu.io/gpu-core: 200, elasticgpu.io/gpu-memory: 32768",
                        "elasticgpu.io/gpu-core: 30",
                        "elasticgpu.io/gpu-core: 300"),
                Row.of(
                        "GaiaGPU",
                        "",
                        "tencent.com/vcuda-core: 200, tencent.com/vcuda-memory: 128",
                        "tencent.com/vcuda-core: 30, tencent.com/vcuda-memory: 8",
                        "tencent.com/vcuda-core: 300, tencent.com/vcuda-memory: 8"),
                new Row(
                        "KAI-Scheduler",
                        "nvidia.com/gpu.memory: '40960'",
                        "",
                        "nvidia.com/gpu: 2",
                        "cpu: 1",
                        "gpu-fraction: '0.5'",
                        "nvidia.com/gpu: 3"),
                Row.of(
                        "NVIDIA GPU operator",
                        "nvidia.com/gpu.replicas: '4', nvidia.com/gpu.count: '2', nvidia.com/gpu.sharing-strategy: time-slicing",
                        "nvidia.com/gpu: 8",
                        "nvidia.com/gpu: 1",
                        "nvidia.com/gpu: 9"),
                Row.of(
                        "NVIDIA GPU operator",
                        "nvidia.com/gpu.replicas: '4', nvidia.com/gpu.count: '2'",
                        "nvidia.com/gpu.shared: 8, nvidia.com/gpu: 0",
                        "nvidia.com/gpu.shared: 1",
                        "nvidia.com/gpu.shared: 9"),
                Row.of(
                        "device plugin (nvidia.com/gpu)",
                        "nvidia.com/mig.strategy: mixed, nvidia.com/gpu.product: NVIDIA-A100-SXM4-40GB,"
                                + " nvidia.com/gpu.count: '2'",
                        "nvidia.com/mig-1g.5gb: 14",
                        "nvidia.com/mig-1g.5gb: 2",
                        "nvidia.com/mig-1g.5gb: 15"),
                Row.plugin("nvidia.com/gpu"),
                Row.plugin("amd.com/gpu"),
                Row.plugin("huawei.com/Ascend910"),
                Row.plugin("huawei.com/Ascend310P"),
                Row.plugin("gpu.intel.com/i915"),
                Row.plugin("gpu.intel.com/xe"),
                Row.plugin("habana.ai/gaudi"),
                Row.plugin("google.com/tpu"),
                Row.plugin("aws.amazon.com/neuron"),
                Row.plugin("cambricon.com/mlu"),
                Row.plugin("metax-tech.com/gpu"),
                Row.plugin("mthreads.com/gpu"),
                Row.plugin("iluvatar.com/gpu"),
                Row.plugin("enflame.com/gcu"),
                Row.plugin("hygon.com/dcu"));
    }

    private static String node(Row row, String name) {
        return "---\n{apiVersion: v1, kind: Node, metadata: {name: " + name + ", labels: {" + row.labels()
                + "}, annotations: {" + row.annotations().formatted(name)
                + "}}, status: {allocatable: {cpu: 32, memory: 256Gi, pods: 110, " + row.allocatable() + "}}}\n";
    }

    private static String pod(String name, String limits, String annotations) {
        return "---\n{apiVersion: v1, kind: Pod, metadata: {name: " + name + ", namespace: team, annotations: {"
                + annotations + "}}, spec: {containers: [{name: c, resources: {limits: {" + limits
                + "}}}]}, status: {phase: Pending}}\n";
    }

    private LookRun on(String cluster, String... arguments) {
        LookRun run = LookRun.on(folder, cluster, arguments);
        assertThat(run.out() + run.err()).doesNotContain("Exception", "not read here", "not counted");
        return run;
    }

    @ParameterizedTest
    @MethodSource("rows")
    void everyCommandTakesTheWordsOfASystemTheSameWay(Row row) throws IOException {
        String nodes = node(row, "n1") + node(row, "n2");
        String small = pod("small", row.asked(), row.askedAnnotations());
        String large = pod("large", row.tooMuch(), "");
        String cluster = nodes + small + large;
        LookRun map = on(cluster, "map");
        assertThat(map.out())
                .contains("2 nodes (2 with GPUs)", "Read as: " + row.title())
                .contains("2 pending pods ask for GPUs: team/small, team/large");
        assertThat(on(cluster, "why", "team/small").out()).contains("there is room now: on node n");
        assertThat(on(cluster, "why", "team/large").code()).isEqualTo(1);
        assertThat(on(cluster, "who").out()).containsPattern("team +0 +0 +0[.]0 +2 ");
        Path asked = Files.writeString(folder.resolve("small.yaml"), small);
        assertThat(on(nodes + large, "fit", asked.toString()).out()).contains("1 of 1 would start now");
        LookRun place =
                LookRun.of("place", "--cluster", folder.resolve("cluster.yaml").toString(), "--pod", asked.toString());
        assertThat(place.code()).as(place.out() + place.err()).isZero();
        Path refused = Files.writeString(folder.resolve("large.yaml"), large);
        assertThat(on(nodes + small, "fit", refused.toString()).out()).contains("0 of 1 would start now");
    }

    @Test
    void eachNamedDialectHasARow() {
        Set<String> systems = new TreeSet<>();
        Dialects.known().forEach(name -> systems.add(name.replaceFirst(":.*", "")));
        assertThat(systems)
                .containsExactlyInAnyOrder(
                        "t9k",
                        "device-plugin",
                        "nvidia",
                        "nvidia-sharing",
                        "nano-gpu",
                        "gpushare",
                        "elastic-gpu",
                        "gaia",
                        "hami",
                        "volcano");
        assertThat(rows().map(Row::title).map(title -> title.replaceFirst(" \\(.*", "")))
                .contains(
                        "T9k",
                        "HAMi",
                        "Volcano",
                        "gpushare",
                        "nano-gpu",
                        "elastic-gpu",
                        "GaiaGPU",
                        "KAI-Scheduler",
                        "NVIDIA GPU operator",
                        "device plugin");
    }
}
