package io.gpusched.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code gpu-sched replay} where the jar of another version answers: this build once more, and one with a changed rule. */
class OtherVersionTest {
    private static final String CLASSES =
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    private static final String HELIOS = "../examples/helios/history";
    private static final String HOUR = "../examples/hour/history";

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder;

    private int run(String... args) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        return GpuSched.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(args);
    }

    /** Writes a jar of these classes, with the libraries of this build beside it. */
    private Path jar(String name, String main, Path classes) throws IOException {
        Manifest manifest = new Manifest();
        Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.put(Attributes.Name.MAIN_CLASS, main);
        attributes.put(
                Attributes.Name.CLASS_PATH,
                Arrays.stream(CLASSES.split(File.pathSeparator))
                        .map(each -> Path.of(each).toUri().toString())
                        .collect(Collectors.joining(" ")));
        Path jar = folder.resolve(name);
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream all = new JarOutputStream(file, manifest);
                Stream<Path> files = Files.walk(classes)) {
            for (Path each : files.filter(Files::isRegularFile).toList()) {
                all.putNextEntry(
                        new JarEntry(classes.relativize(each).toString().replace(File.separatorChar, '/')));
                Files.copy(each, all);
            }
        }
        return jar;
    }

    private Path same() throws IOException {
        return jar("same.jar", GpuSched.class.getName(), Files.createDirectories(folder.resolve("none")));
    }

    /** A build in which the queue of the lower priority comes first. */
    private Path changed() throws IOException {
        String rule = " result = Integer.compare(";
        String source =
                Files.readString(Path.of("../../gpu-sched-core/src/main/java/io/gpusched/queue/QueueOrder.java"));
        assertThat(source).contains(rule);
        Path changed = Files.createDirectories(folder.resolve("source")).resolve("QueueOrder.java");
        Files.writeString(changed, source.replace(rule, " result = -Integer.compare("));
        Path classes = Files.createDirectories(folder.resolve("classes"));
        int failed = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-proc:none", "-cp", CLASSES, "-d", classes.toString(), changed.toString());
        assertThat(failed).isZero();
        return jar("changed.jar", GpuSched.class.getName(), classes);
    }

    @Test
    void bisect_findsNothing_betweenTwoVersionsThatDecideAlike() throws IOException {
        assertThat(run("replay", "bisect", HOUR, "recorded", "jar=" + same()))
                .as(out + "" + err)
                .isZero();
        assertThat(out).hasToString("all decisions are the same by both\n");
    }

    @Test
    void bisect_findsTheFirstDecisionThatAnotherVersionMakesDifferently() throws IOException {
        String jar = "jar=" + changed();
        assertThat(run("replay", "bisect", HELIOS, "recorded", jar))
                .as(err + "")
                .isOne();
        assertThat(out.toString())
                .contains("the first that differs: history-000001.jsonl.gz line ", "A is recorded, B is " + jar)
                .contains("the same pods on the same nodes and the same reasons, with other GPUs, numbers or in another"
                        + " order\n");
    }

    @Test
    void bisect_printsTheWordsOfAnotherVersion_asItPrintsItsOwn() throws IOException {
        assertThat(run("replay", "bisect", HELIOS, "policy=spread", "recorded")).isOne();
        String here = out.toString();
        assertThat(here).containsPattern("job \\d+:\n  A: starts .* on node-.*\n  B: starts .* on node-");
        String jar = ",jar=" + same();
        assertThat(run("replay", "bisect", HELIOS, "policy=spread" + jar, "recorded"))
                .as(err + "")
                .isOne();
        assertThat(out.toString().replace(jar, "")).isEqualTo(here);
    }

    @Test
    void whatIf_isPlayedByAnotherVersion() throws IOException {
        List<String> changes = List.of("--backfill", "nobody", "--add", "1@n1");
        run(args(changes, "--json"));
        String here = out.toString().replace("backfill nobody, with 1@n1", "asked");
        assertThat(here).contains("\"asked\" : {");
        assertThat(run(args(changes, "--json", "--jar", same().toString())))
                .as(err + "")
                .isZero();
        assertThat(out.toString().replace("backfill nobody, with 1@n1, by same.jar", "asked"))
                .as("to the last digit")
                .isEqualTo(here);
    }

    private static String[] args(List<String> changes, String... more) {
        return Stream.concat(Stream.of("replay", HOUR), Stream.concat(changes.stream(), Stream.of(more)))
                .toArray(String[]::new);
    }

    @Test
    void expectations_areAskedOfAnotherVersion() throws IOException {
        Path expect = Files.writeString(folder.resolve("e.yaml"), "expect: [{p95WaitMinutes: 0}]");
        assertThat(run("replay", HOUR, "--expect", expect.toString(), "--jar", same().toString()))
                .as(err + "")
                .isOne();
        assertThat(out.toString()).contains("NOT MET: all jobs: 95th percentile of waits in minutes");
    }

    @Test
    void jarThatCannotAnswer_isRefused_andWhyIsSaid() throws IOException {
        assertRefused(folder.resolve("none.jar"), "which cannot be read: ");
        assertRefused(Files.writeString(folder.resolve("text.jar"), "no jar"), "which cannot be read: ");
        Path none = Files.createDirectories(folder.resolve("none"));
        assertRefused(jar("other.jar", "com.example.Program", none), "which is the program com.example.Program");

        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, GpuSched.class.getName());
        Path alone = Files.createDirectories(folder.resolve("alone")).resolve("gpu-sched-cli.jar");
        new JarOutputStream(Files.newOutputStream(alone), manifest).close();
        assertRefused(alone, "must begin with \"gpu-sched answers 1\", but Error: Could not find or load main class");

        assertThat(run("replay", HOUR, "--add", "1@nowhere", "--jar", same().toString()))
                .isEqualTo(2);
        assertThat(err.toString()).contains("answered no more: gpu-sched replay answers: --add: there is no node");
    }

    private void assertRefused(Path jar, String why) {
        assertThat(run("replay", "bisect", HOUR, "recorded", "jar=" + jar)).isEqualTo(2);
        assertThat(err.toString()).contains("jar", jar.toString(), why);
        assertThat(run("replay", HOUR, "--jar", jar.toString())).isEqualTo(2);
        assertThat(err.toString()).contains("jar", jar.toString(), why);
    }
}
