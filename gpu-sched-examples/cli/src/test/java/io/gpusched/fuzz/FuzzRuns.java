package io.gpusched.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.kubernetes.extender.ExtenderFuzz;
import io.gpusched.kubernetes.webhook.AdmissionFuzz;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
                    .limit(20)
                    .toList();
        }
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
