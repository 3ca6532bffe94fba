package io.gpusched.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Unpacks the archive that the build leaves, and runs it without Maven. Runs once the archive is built. */
class ArchiveIT {
    @TempDir
    private static Path folder;

    private static Path home = Path.of("");

    @BeforeAll
    static void unpack() throws IOException {
        Path archive = Path.of(Objects.requireNonNull(System.getProperty("gpusched.archive"), "gpusched.archive"));
        try (ZipInputStream zip = new ZipInputStream(Files.newInputStream(archive))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                write(zip, entry);
            }
        }
        try (var roots = Files.list(folder)) {
            home = roots.findFirst().orElseThrow();
        }
        assertThat(home.resolve("bin/gpu-sched").toFile().setExecutable(true)).isTrue();
    }

    private static void write(InputStream content, ZipEntry entry) throws IOException {
        Path file = folder.resolve(entry.getName());
        if (entry.isDirectory()) {
            Files.createDirectories(file);
        } else {
            Files.createDirectories(file.getParent());
            Files.copy(content, file);
        }
    }

    /** Runs the archive's command from another folder, with nothing on the path but the tools of the system. */
    private static List<String> run(Path command, String... arguments) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of(command.toString()));
        all.addAll(Arrays.asList(arguments));
        Path printed = folder.resolve("printed.txt");
        ProcessBuilder builder = new ProcessBuilder(all)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(printed.toFile());
        builder.environment().keySet().removeAll(List.of("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS"));
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("PATH", "/usr/bin:/bin");
        Process process = builder.start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("the command ends").isTrue();
        List<String> lines = Files.readAllLines(printed);
        assertThat(process.exitValue()).as(String.join("\n", lines)).isZero();
        return lines;
    }

    @Test
    void theCommandOfTheArchive_placesAPod() throws Exception {
        assertThat(run(
                        home.resolve("bin/gpu-sched"),
                        "place",
                        "--cluster",
                        home.resolve("examples/cluster.yaml").toString(),
                        "--pod",
                        home.resolve("examples/pod.yaml").toString()))
                .contains("placed pod \"inference\"");
    }

    @Test
    void thePluginOfKubectl_isTheSameCommand() throws Exception {
        Path plugin = home.resolve("bin/kubectl-gpu_sched");
        assertThat(plugin.toFile().setExecutable(true)).isTrue();
        Path link = Files.createSymbolicLink(folder.resolve("kubectl-gpu_sched"), plugin);
        assertThat(run(link, "--version")).isNotEmpty();
        assertThat(run(
                        link,
                        "map",
                        "--cluster",
                        home.resolve("examples/plugin-cluster.yaml").toString()))
                .anyMatch(line -> line.contains("Read as: device plugin (nvidia.com/gpu)"));
    }

    @Test
    void aLinkToTheCommand_findsTheArchive() throws Exception {
        Path link = Files.createSymbolicLink(folder.resolve("link"), home.resolve("bin/gpu-sched"));
        assertThat(run(link, "--version")).isNotEmpty();
    }

    @Test
    void theArchive_hasLicenceAndNotice_andNothingOfTheBenchmarksOrSpark() throws IOException {
        assertThat(home.resolve("LICENSE")).isRegularFile();
        assertThat(home.resolve("NOTICE")).isRegularFile();
        try (var jars = Files.list(home.resolve("lib"))) {
            assertThat(jars.map(jar -> jar.getFileName().toString()))
                    .anyMatch(jar -> jar.startsWith("gpu-sched-core-"))
                    .noneMatch(
                            jar -> jar.matches(
                                    "(fenzo|mesos|protobuf-java-2|json-20|jmh|junit|jqwik|spark|scala|hadoop|parquet|gpu-sched-spark).*"));
        }
    }
}
