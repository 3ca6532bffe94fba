package io.gpusched.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The histories of the repository, which JDK 17 wrote: each JVM that plays them says whether it answers the same. */
class ExampleHistoriesTest {
    private static final Path EXAMPLES = Path.of("..", "examples");
    private static final Path HELIOS = EXAMPLES.resolve("helios");
    private static final String SAME = "(\\d[\\d,]+) of \\1 decisions are the same";

    @Test
    void helios_isWhatTheCommandOfThePageRecords(@TempDir Path folder) throws IOException {
        StringWriter err = new StringWriter();
        int code = GpuSched.commandLine()
                .setOut(new PrintWriter(new StringWriter()))
                .setErr(new PrintWriter(err))
                .execute(
                        "simulate",
                        "--cycle",
                        "--pool",
                        "4x8",
                        "--load",
                        "1.2",
                        "--queues",
                        HELIOS.resolve("queues.yaml").toString(),
                        "--trace",
                        HELIOS.resolve("jobs.csv").toString(),
                        "--record",
                        folder.toString());
        assertThat(code).as(err + "").isZero();
        assertThat(lines(folder)).isEqualTo(lines(HELIOS.resolve("history")));
    }

    /** kube-scheduler decided there. */
    @Test
    void hour_isPlayedUnderAnotherPolicy_asTheFirstHourShows() throws IOException {
        StringWriter out = new StringWriter();
        int code = GpuSched.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(new StringWriter()))
                .execute("replay", EXAMPLES.resolve("hour/history").toString(), "--policy", "bin-pack");
        assertThat(code).isZero();
        assertThat(Files.readString(Path.of("../../docs/first-hour.md")))
                .contains("--policy bin-pack\n```\n\n```text\n" + out + "```");
    }

    /** Compressed bytes may differ from one JDK to the next. */
    private static String lines(Path history) throws IOException {
        try (InputStream in = new GZIPInputStream(Files.newInputStream(history.resolve("history-000001.jsonl.gz")))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** The JVM of the test, and any others that are installed where Linux has them. */
    static Set<Path> jvms() throws IOException {
        Set<Path> jvms = new LinkedHashSet<>();
        jvms.add(Path.of(System.getProperty("java.home")).toRealPath());
        Path installed = Path.of("/usr/lib/jvm");
        if (Files.isDirectory(installed)) {
            try (Stream<Path> all = Files.list(installed)) {
                for (Path jvm : all.sorted().toList()) {
                    if (Files.isExecutable(jvm.resolve("bin/java")) && isModern(jvm)) {
                        jvms.add(jvm.toRealPath());
                    }
                }
            }
        }
        return jvms;
    }

    private static boolean isModern(Path jvm) throws IOException {
        Path release = jvm.resolve("release");
        Optional<String> version = Files.isReadable(release)
                ? Files.readAllLines(release).stream()
                        .filter(line -> line.startsWith("JAVA_VERSION="))
                        .map(line -> line.replaceAll("\\D+(\\d+).*", "$1"))
                        .findFirst()
                : Optional.empty();
        return version.filter(number -> Integer.parseInt(number) >= 17).isPresent();
    }

    @ParameterizedTest
    @MethodSource("jvms")
    void helios_isAnsweredTheSame_onEachJvm_withOneProcessorAndWithTwo(Path jvm) throws Exception {
        for (int processors = 1; processors <= 2; processors++) {
            assertThat(replayed(jvm, processors, HELIOS.resolve("history"))).containsPattern(SAME);
        }
    }

    private static String replayed(Path jvm, int processors, Path history) throws IOException, InterruptedException {
        String classes = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        List<String> command = new ArrayList<>();
        command.add(jvm.resolve("bin/java").toString());
        command.add("-XX:ActiveProcessorCount=" + processors);
        command.addAll(List.of("-cp", classes, GpuSched.class.getName(), "replay", history.toString()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(printed).isZero();
        return printed;
    }
}
