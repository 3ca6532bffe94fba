package io.gpusched.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Uses the jar as it is published, from a project that has nothing else. Runs once the jar is built. */
class ConsumerIT {
    private static final String MODULE = """
        module consumer {
            requires io.gpusched.core;
        }
        """;

    private static final String MAIN = """
        package consumer;

        import io.gpusched.decision.Decision;
        import io.gpusched.model.Cluster;
        import io.gpusched.model.GpuModel;
        import io.gpusched.model.Node;
        import io.gpusched.model.NodeMode;
        import io.gpusched.model.Resources;
        import io.gpusched.schedule.GpuScheduler;
        import io.gpusched.workload.GpuRequest;
        import io.gpusched.workload.Pod;
        import java.util.List;

        public final class Main {
            public static void main(String[] arguments) {
                Cluster cluster = Cluster.of(List.of(Node.builder("n1")
                        .mode(NodeMode.SHARED)
                        .capacity(8_000, 65_536)
                        .gpus(2, GpuModel.of("nvidia", "T4", 15_360))
                        .build()));
                Pod pod = Pod.of("notebook", Resources.of(1_000, 4_096), GpuRequest.percent(60));
                Decision decision = GpuScheduler.create().schedule(cluster, pod);
                System.out.println(decision);
                System.out.println(Main.class.getModule().isNamed());
            }
        }
        """;

    private static final String REACHES_INSIDE = """
        package consumer;

        public final class Main {
            io.gpusched.internal.persistent.HashTrie<?, ?> hidden;
        }
        """;

    private static final String PLACED =
            "placed: pod notebook on n1, container main: shares [GPU 0 (60 %, 9 GiB)], 1 core, 4 GiB";

    @TempDir
    private Path project;

    @Test
    void emptyProject_usesTheJarOnTheClassPath() throws Exception {
        assertThat(compile(List.of("-cp", libraries()), "Main.java", MAIN)).isEmpty();
        assertThat(run("-cp", project.resolve("out") + File.pathSeparator + libraries(), "consumer.Main"))
                .containsExactly(PLACED, "false");
    }

    @Test
    void emptyProject_usesTheJarOnTheModulePath() throws Exception {
        assertThat(compile(List.of("-cp", "", "-p", libraries()), "module-info.java", MODULE, "Main.java", MAIN))
                .isEmpty();
        assertThat(run("-p", project.resolve("out") + File.pathSeparator + libraries(), "-m", "consumer/consumer.Main"))
                .containsExactly(PLACED, "true");
    }

    @Test
    void emptyProject_cannotNameAnInternalType() throws Exception {
        assertThat(compile(
                        List.of("-cp", "", "-p", libraries()), "module-info.java", MODULE, "Main.java", REACHES_INSIDE))
                .contains("package io.gpusched.internal.persistent is not visible")
                .contains("module io.gpusched.core, which does not export it");
    }

    /** Returns what the compiler says; nothing when all is well, warnings counting too. */
    private String compile(List<String> options, String... namesAndTexts) throws IOException {
        List<Path> sources = new ArrayList<>();
        for (int i = 0; i < namesAndTexts.length; i += 2) {
            sources.add(Files.writeString(project.resolve(namesAndTexts[i]), namesAndTexts[i + 1]));
        }
        List<String> all = new ArrayList<>(options);
        all.addAll(List.of("-Xlint:all,-requires-automatic", "--release", "17", "-proc:none"));
        all.addAll(List.of("-d", project.resolve("out").toString()));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter said = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            compiler.getTask(said, files, null, all, null, files.getJavaFileObjectsFromPaths(sources))
                    .call();
        }
        return said.toString();
    }

    private List<String> run(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        command.addAll(List.of(arguments));
        Path printed = project.resolve("printed.txt");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(printed.toFile());
        builder.environment().keySet().removeAll(List.of("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS"));
        Process process = builder.start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS))
                .as("the consumer ends")
                .isTrue();
        return Files.readAllLines(printed);
    }

    /** The jar of core and the two libraries that it depends on, and nothing else. */
    private static String libraries() throws URISyntaxException, ClassNotFoundException {
        Path jar = Path.of(Objects.requireNonNull(
                System.getProperty("gpusched.core.jar"), "system property gpusched.core.jar, set by the build"));
        assertThat(jar).isRegularFile();
        return Stream.of(jar, jarOf(Class.forName("it.unimi.dsi.fastutil.Hash")), jarOf(NullMarked.class))
                .map(Path::toString)
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static Path jarOf(Class<?> type) throws URISyntaxException {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }
}
