package io.gpusched.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Uses core, dialects, JSON and simulator as they are published, from a project that has nothing else. */
class ModulesIT {
    private static final Path PROJECT = Path.of("..", "bom", "src", "it", "consumer", "src", "main", "java");
    private static final List<String> OURS =
            List.of("gpu-sched-core", "gpu-sched-dialects", "gpu-sched-pages", "gpu-sched-simulator");
    private static final List<String> THEIRS = List.of(
            "fastutil",
            "commons-math3",
            "jspecify",
            "picocli",
            "fastcsv",
            "jackson-annotations",
            "jackson-core",
            "jackson-databind");

    @TempDir
    private Path out;

    @Test
    void aStrangersProject_usesTheModulesOnTheClassPath() throws Exception {
        assertThat(compile(List.of("-cp", libraries()), source("consumer/Main.java")))
                .isEmpty();
        assertThat(run("-cp", out + File.pathSeparator + libraries(), "consumer.Main"))
                .contains("same cluster: true", "on the module path: false");
    }

    @Test
    void aStrangersProject_usesTheModulesWithFastutilCoreInFastutilsPlace() throws Exception {
        String without = Stream.of(libraries().split(File.pathSeparator))
                .filter(jar -> !Path.of(jar).getFileName().toString().startsWith("fastutil-"))
                .collect(Collectors.joining(File.pathSeparator));
        String with = without + File.pathSeparator + fastutilCore();
        assertThat(compile(List.of("-cp", with), source("consumer/Main.java"))).isEmpty();
        assertThat(run("-cp", out + File.pathSeparator + with, "consumer.Main")).contains("same cluster: true");
    }

    private static Path fastutilCore() throws IOException {
        try (Stream<Path> jars = Files.list(Path.of("target", "fastutil-core"))) {
            return jars.filter(jar -> jar.toString().endsWith(".jar"))
                    .findFirst()
                    .orElseThrow()
                    .toAbsolutePath();
        }
    }

    @Test
    void aStrangersProject_usesTheModulesOnTheModulePath() throws Exception {
        assertThat(compile(
                        List.of("-cp", "", "-p", libraries()),
                        source("module-info.java"),
                        source("consumer/Main.java")))
                .isEmpty();
        assertThat(run("-p", out + File.pathSeparator + libraries(), "-m", "consumer/consumer.Main"))
                .contains("same cluster: true", "on the module path: true");
    }

    @Test
    void everyJarOfOurs_hasLicenceAndNotice() throws IOException {
        for (String jar : libraries().split(File.pathSeparator)) {
            if (Path.of(jar).getFileName().toString().startsWith("gpu-sched-")) {
                try (JarFile file = new JarFile(jar)) {
                    assertThat(file.getEntry("META-INF/LICENSE")).as(jar).isNotNull();
                    assertThat(file.getEntry("META-INF/NOTICE")).as(jar).isNotNull();
                }
            }
        }
    }

    private static Path source(String name) {
        return PROJECT.resolve(name);
    }

    private static String libraries() throws IOException {
        Path json = Path.of(Objects.requireNonNull(System.getProperty("gpusched.json.jar"), "gpusched.json.jar"));
        try (Stream<Path> jars = Files.list(Path.of("target", "lib"))) {
            Stream<Path> wanted = jars.filter(jar -> Stream.concat(OURS.stream(), THEIRS.stream())
                    .anyMatch(name -> jar.getFileName().toString().matches(name + "-[0-9].*\\.jar")));
            return Stream.concat(Stream.of(json), wanted)
                    .map(jar -> jar.toAbsolutePath().normalize().toString())
                    .collect(Collectors.joining(File.pathSeparator));
        }
    }

    /** Returns what the compiler says; nothing when all is well, warnings counting too. */
    private String compile(List<String> options, Path... sources) throws IOException {
        List<String> all = new ArrayList<>(options);
        all.addAll(List.of("-Xlint:all,-requires-automatic", "--release", "17", "-proc:none", "-d", out.toString()));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter said = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            compiler.getTask(said, files, null, all, null, files.getJavaFileObjects(sources))
                    .call();
        }
        return said.toString();
    }

    private List<String> run(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        command.addAll(List.of(arguments));
        Path printed = out.resolve("printed.txt");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(printed.toFile());
        builder.environment().keySet().removeAll(List.of("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS"));
        Process process = builder.start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS))
                .as("the consumer ends")
                .isTrue();
        List<String> lines = Files.readAllLines(printed);
        assertThat(process.exitValue()).as(String.join("\n", lines)).isZero();
        return lines;
    }
}
