package io.gpusched.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.cli.QueueFuzz;
import io.gpusched.cli.look.ExportFuzz;
import io.gpusched.cli.place.ManifestFuzz;
import io.gpusched.cli.serve.ServeFuzz;
import io.gpusched.json.JsonFormat;
import io.gpusched.kubernetes.extender.ExtenderFuzz;
import io.gpusched.kubernetes.webhook.AdmissionFuzz;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Plays each fuzz target for a while, by Jazzer, in a process of its own: {@code mvn -P fuzz verify}. Begins with texts that are
 * good. What was found lies in target/fuzz.
 */
class FuzzRuns {
    private static final Path FOLDER = Path.of("target", "fuzz").toAbsolutePath();
    /** Where a name of an example is not that of a dialect. */
    private static final Map<String, String> DIALECTS = Map.of("plugin", "device-plugin", "operator", "nvidia");

    private static final int SECONDS = Integer.getInteger("gpusched.fuzz.seconds", 60);

    /** Of each target good texts to begin with. */
    private static Map<Class<?>, List<Path>> targets() throws IOException {
        Map<Class<?>, List<Path>> targets =
                new TreeMap<>((one, other) -> one.getName().compareTo(other.getName()));
        targets.put(ParserFuzz.Yaml.class, files(Path.of("..", "examples"), ".yaml"));
        targets.put(ParserFuzz.Json.class, files(Path.of("..", "json", "src", "test", "resources"), "cluster-1.json"));
        targets.put(
                ParserFuzz.Gres.class,
                texts(
                        "gpu:a100:4(S:0-1),mps:400",
                        "NodeName=n[1-4] Name=gpu Type=a100 File=/dev/nvidia[0-3] Cores=0-7"));
        targets.put(ParserFuzz.Quantities.class, texts("1500m", "1.5Gi", "12e6", "-3k"));
        targets.put(
                ParserFuzz.Csv.class,
                texts(
                        "sn,cpu_milli,memory_mib,gpu,model\nn1,64000,262144,2,P100\n",
                        "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time\n"
                                + "p1,12000,16384,1,1000,,LS,Running,0,12537496,0\n"));
        targets.put(ParserFuzz.Smi.class, files(Path.of("..", "dialects", "src", "test", "resources"), ""));
        targets.put(
                ParserFuzz.Slurm.class,
                texts(
                        "NodeName=DEFAULT CPUs=64 RealMemory=512000 State=UNKNOWN # all\nNodeName=n[01-04,8] Gres=gpu:a100:8,mps:400\n"
                                + "NodeName=old \\\n  Sockets=2 CoresPerSocket=16 ThreadsPerCore=2 State=DOWN\n",
                        "#!/bin/bash\n#SBATCH --job-name=\"t 1\" -N 2 # two\n#SBATCH --gpus-per-node=a100:4 --ntasks 8\n#SBATCH -c 8\n"
                                + "#SBATCH --gres=gpu:2,shard:1 --tres-per-task=cpu=2,gres/gpu:1 --mem-per-gpu=4G\nsrun train\n"));
        targets.put(
                ParserFuzz.Hami.class,
                texts(
                        "nvidia: {resourceCountName: example.com/gpu, memoryFactor: 1024, deviceSplitCount: 10}\n"
                                + "hygon: {resourceCountName: example.com/dcu, memoryFactor: 2}\n",
                        "vnpus:\n  hamiVnpuCore: true\n  configs:\n  - {chipName: 910X, commonWord: Ascend910X, resourceName: h/A,"
                                + " resourceMemoryName: h/A-memory, memoryAllocatable: 1000, memoryCapacity: 1200, aiCore: 10,"
                                + " templates: [{name: vir02, memory: 500, aiCore: 5}]}\n"));
        targets.put(
                DialectFuzz.class,
                texts(
                        "nr cpu=8\nnr memory=8Gi\nnr nvidia.com/gpu=2\nnl nvidia.com/gpu.product=A100\nnl nvidia.com/gpu.memory=40960\n"
                                + "pr nvidia.com/gpu=1\n",
                        "na hami.io/node-nvidia-register=[{\"id\":\"g0\",\"count\":10,\"devmem\":40960,\"devcore\":100,"
                                + "\"type\":\"NVIDIA-A100\",\"numa\":0,\"mode\":\"hami-core\",\"health\":true}]\n"
                                + "pa hami.io/vgpu-devices-allocated=g0,NVIDIA,1000,10:;\npr nvidia.com/gpumem=1000\n",
                        "na volcano.sh/node-vgpu-register=g0,10,40960,NVIDIA-A100,false:\npa volcano.sh/vgpu-ids-new=g0,NVIDIA,1000,10:;\n"
                                + "pr volcano.sh/vgpu-number=1\npr volcano.sh/vgpu-memory=1000\n",
                        "nl sched.tensorstack.dev/node-alloc-mode=sgn\npr tensorstack.dev/nvidia-gpu-percent=30\n",
                        "nr aliyun.com/gpu-mem=30\nnr aliyun.com/gpu-count=2\npr aliyun.com/gpu-mem=3\npa ALIYUN_COM_GPU_MEM_IDX=0\n",
                        "nr nano-gpu/gpu-percent=200\npr nano-gpu/gpu-percent=30\npa nano-gpu/container-c=0\n",
                        "nr tencent.com/vcuda-core=200\nnr tencent.com/vcuda-memory=300\npr tencent.com/vcuda-core=30\n"
                                + "pa tencent.com/predicate-gpu-idx-0=1\n",
                        "nr elasticgpu.io/gpu-core=200\npr elasticgpu.io/gpu-core=30\npa elasticgpu.io/container-c=0\n"));
        targets.put(ManifestFuzz.class, pairs(Path.of("..", "examples")));
        targets.put(ExportFuzz.class, files(Path.of("..", "examples"), "-cluster.yaml"));
        targets.put(
                QueueFuzz.class,
                texts("queues:\n- name: company\n- name: research\n  parent: company\n  priority: 1\n  resources:\n"
                        + "    gpu: {deserved: 64, limit: 128, overQuotaWeight: 2.5}\n    memory: {limit: 12Gi}\n"));
        Pod pod = Pod.of("p", Resources.of(1_000, 1_024), GpuRequest.percent(30));
        targets.put(
                ServeFuzz.class,
                texts(
                        beside(
                                JsonFormat.POD.write(pod),
                                "\"node\":\"n1\",\"cordoned\":[\"n1\"],\"without\":[],\"pods\":[]"),
                        beside(
                                JsonFormat.GROUP.write(PodGroup.of("g", List.of(pod, pod.withId(PodId.of("q"))))),
                                "\"without\":[\"x\"]")));
        targets.put(
                ExtenderFuzz.class,
                texts(
                        "{\"Pod\":{\"metadata\":{\"name\":\"p\",\"namespace\":\"d\",\"uid\":\"u\"},\"spec\":{\"containers\":[{\"name\":\"c\","
                                + "\"resources\":{\"limits\":{\"nano-gpu/gpu-percent\":\"30\"}}}]}},\"NodeNames\":[\"n\"]}"));
        targets.put(
                AdmissionFuzz.class,
                texts(
                        "{\"apiVersion\":\"admission.k8s.io/v1\",\"kind\":\"AdmissionReview\",\"request\":{\"uid\":\"u1\",\"kind\":{\"group\":\"\","
                                + "\"version\":\"v1\",\"kind\":\"Pod\"},\"operation\":\"CREATE\",\"namespace\":\"team\",\"object\":{\"metadata\":"
                                + "{\"name\":\"p\"},\"spec\":{\"containers\":[{\"name\":\"c\",\"resources\":{\"limits\":"
                                + "{\"tensorstack.dev/nvidia-gpu-percent\":\"30\"}}}]}}}}"));
        return targets;
    }

    private static List<Path> files(Path folder, String end) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(
                            file -> Files.isRegularFile(file) && file.toString().endsWith(end))
                    .limit(50)
                    .toList();
        }
    }

    /** Each cluster with what goes onto it, in the dialect that its name says. */
    private static List<Path> pairs(Path folder) throws IOException {
        List<String> texts = new ArrayList<>();
        for (Path cluster : files(folder, "cluster.yaml")) {
            String system = cluster.getFileName().toString().replaceFirst("-?cluster.yaml", "");
            for (Path asked : files(folder, ".yaml")) {
                String name = asked.getFileName().toString();
                if (!name.endsWith("cluster.yaml")
                        && (system.isEmpty() ? !name.contains("-") : name.startsWith(system))) {
                    texts.add(ManifestFuzz.text(
                            DIALECTS.getOrDefault(system, system.replaceFirst("-.*", "")),
                            Files.readString(cluster),
                            Files.readString(asked)));
                }
            }
        }
        return texts(texts.toArray(String[]::new));
    }

    /** Returns a document with more fields. */
    private static String beside(String document, String fields) {
        return document.substring(0, document.lastIndexOf('}')) + "," + fields + "}";
    }

    private static List<Path> texts(String... texts) throws IOException {
        Path folder = Files.createTempDirectory("fuzz");
        for (int i = 0; i < texts.length; i++) {
            Files.writeString(folder.resolve("text-" + i), texts[i]);
        }
        return files(folder, "");
    }

    @TestFactory
    Stream<DynamicTest> aTextThatIsRefused_isRefusedAsDocumented() throws IOException {
        return targets().entrySet().stream()
                .map(target -> DynamicTest.dynamicTest(
                        target.getKey().getSimpleName(), () -> play(target.getKey(), target.getValue())));
    }

    private static void play(Class<?> target, List<Path> seeds) throws IOException, InterruptedException {
        Path folder = Files.createDirectories(FOLDER.resolve(target.getSimpleName()));
        Path corpus = Files.createDirectories(folder.resolve("corpus"));
        for (Path seed : seeds) {
            Files.copy(
                    seed,
                    corpus.resolve("seed-" + seed.getFileName()),
                    java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        }
        Path log = folder.resolve("log.txt");
        Process run = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx1500m",
                        // Jazzer's guard of Unsafe cannot be asked in the way in which Netty asks.
                        "-Dio.netty.noUnsafe=true",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        "com.code_intelligence.jazzer.Jazzer",
                        "--target_class=" + target.getName(),
                        "--instrumentation_includes=io.gpusched.**",
                        "--keep_going=1",
                        "-max_total_time=" + SECONDS,
                        "-timeout=60",
                        "-rss_limit_mb=4096",
                        corpus.toString())
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        assertThat(run.waitFor())
                .as("Jazzer on %s; see %s", target.getSimpleName(), log)
                .isZero();
    }
}
