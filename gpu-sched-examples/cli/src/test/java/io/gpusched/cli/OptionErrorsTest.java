package io.gpusched.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class OptionErrorsTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder;

    private int run(String... args) {
        CommandLine line = GpuSched.commandLine();
        line.setOut(new PrintWriter(out));
        line.setErr(new PrintWriter(err));
        return line.execute(args);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "--nonsense; unknown option: '--nonsense'",
                "--threads 0; option '--threads': must be in 1..1024, got \"0\"",
                "--threads x; option '--threads': must be a whole number in 1..1024, got \"x\"",
                "--threads; missing required parameter for option '--threads' (n)",
                "--inflate 0; option '--inflate': must be in 0.1..10, got \"0\"",
                "--inflate NaN; option '--inflate': must be a number in 0.1..10, got \"NaN\"",
                "--scale 7; option '--scale': must be in 0.001..1, got \"7\"",
                "--seeds 5..3; expected seeds such as 42, 42..51 or 42,45..47, each at least 0, got \"5..3\"",
                "--policies nonsense; --policies: policy must be one of best-fit, bin-pack",
                "--policies fgd,,best-fit; got \"\"",
                "--nodes n.csv; --nodes and --pods go together, got only --nodes n.csv",
                "--nodes n.csv --pods p.csv --scale 0.1; --scale is for the generated cluster",
                "--order o.txt; --order goes with --nodes and --pods",
                "--csv /no/such/folder/f.csv; --csv must be a file in a folder that exists, got"
                        + " \"/no/such/folder/f.csv\"",
                "--report /; --report must be a file in a folder that exists, got \"/\"",
                "--failures-per-day 3; --failures-per-day 3 is for replays and goes with --replay",
                "--queue shortest-first; --queue shortest-first is for replays and goes with --replay",
                "--jobs j.csv; --jobs j.csv is for replays and goes with --replay",
                "--gang-nodes 4; --gang-nodes 4 is for replays and goes with --replay",
                "--load 1; --load 1 is for replays and goes with --replay",
                "--drains-per-day 1; --drains-per-day 1 is for replays and goes with --replay",
                "--out-hours 1; --out-hours 1 is for replays and goes with --replay",
                "--replay --failures-per-day -1; option '--failures-per-day': must be in 0..100000, got \"-1\"",
                "--replay --drains-per-day 1e9; option '--drains-per-day': must be in 0..100000, got \"1e9\"",
                "--replay --out-hours 0; option '--out-hours': must be in 0.01..1000, got \"0\"",
                "--replay --out-hours 2; --out-hours is for nodes that fail or are drained and goes with"
                        + " --failures-per-day or",
                "--policies ,; --policies: ",
                "--policies bin-pack,; --policies: ",
                "--replay --load 0; option '--load': must be in 0.01..10, got \"0\"",
                "--replay --queue nonsense; option '--queue': must be fifo-skip or shortest-first, got \"nonsense\"",
                "--replay --gang-nodes 4; --gang-nodes is for job lists and goes with --jobs, got 4",
                "--replay --jobs j.csv --gang-nodes 0; option '--gang-nodes': must be in 1..100000, got \"0\"",
                "--replay --jobs j.csv --scale 0.1; --scale is for the generated cluster and does not go with --jobs",
                "--replay --jobs j.csv --nodes n.csv --pods p.csv; --jobs takes the place of --nodes and --pods",
                "--mig --csv out.csv; --mig goes with --seeds, --threads and --summary alone, got --csv",
                "--mig --scale 0.1; --mig goes with --seeds, --threads and --summary alone, got --scale",
                "--mig --seeds 42 --replay; --mig goes with --seeds, --threads and --summary alone, got --replay",
                "--replay --inflate 1; --replay plays pods at their own times and does not go with --inflate",
                "--replay --policies fgd-paper; --policies: policy must be one of the library's own: ",
            })
    void simulate_withABadOptionPrintsOneLineOfErrorAndOneOfUsage(String arguments, String message) {
        assertThat(run(("simulate " + arguments).split(" "))).isEqualTo(2);
        List<String> lines = err.toString().lines().toList();
        assertThat(lines).hasSize(2);
        assertThat(lines.get(0)).startsWith("gpu-sched simulate: ").containsIgnoringCase(message);
        assertThat(lines.get(1))
                .isEqualTo("usage: gpu-sched simulate [OPTIONS]  (gpu-sched simulate --help explains it)");
        assertThat(out.toString()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "paper --threads 2000; gpu-sched paper: invalid value for option '--threads': must be in 1..1024, got"
                        + " \"2000\"",
                "paper --policies x; gpu-sched paper: --policies: policy must be one of",
                "paper --seeds -1; gpu-sched paper: invalid value for option '--seeds'",
                "paper more; gpu-sched paper: unmatched argument",
                "bench --json /no/such/folder/f.json; gpu-sched bench: --json must be a file in a folder that exists",
                "bench --json; gpu-sched bench: missing required parameter for option '--json' (F)",
                "nonsense; gpu-sched: there is no command \"nonsense\"; there are simulate, place,",
            })
    void otherCommands_withABadOptionDoTheSame(String arguments, String message) {
        assertThat(run(arguments.split(" "))).isEqualTo(2);
        List<String> lines = err.toString().lines().toList();
        assertThat(lines).hasSize(2);
        assertThat(lines.get(0)).startsWithIgnoringCase(message);
        assertThat(lines.get(1)).startsWith("usage: gpu-sched");
    }

    @Test
    void noCommand_isAnErrorToo() {
        assertThat(run()).isEqualTo(2);
        List<String> lines = err.toString().lines().toList();
        assertThat(lines).hasSize(2);
        assertThat(lines.get(0)).isEqualTo("gpu-sched: a command is missing");
        assertThat(lines.get(1)).startsWith("usage: gpu-sched [OPTIONS] ").contains("COMMAND", "gpu-sched --help");
    }

    @Test
    void policies_namedTwiceCountOnce() throws IOException {
        Path csv = folder.resolve("out.csv");
        assertThat(run(
                        "simulate",
                        "--scale",
                        "0.01",
                        "--seeds",
                        "42",
                        "--policies",
                        "bin-pack,first-fit, bin-pack",
                        "--csv",
                        csv.toString()))
                .isZero();
        assertThat(out.toString().lines().filter(line -> line.startsWith("bin-pack ")))
                .hasSize(1);
        List<String> lines = Files.readAllLines(csv);
        assertThat(lines).doesNotHaveDuplicates().anyMatch(line -> line.startsWith("generated,first-fit,42,100,"));
    }

    @Test
    void replayPolicies_namedTwiceCountOnce() {
        assertThat(run("simulate", "--replay", "--scale", "0.01", "--policies", "bin-pack,bin-pack"))
                .isZero();
        assertThat(out.toString().lines().filter(line -> line.startsWith("bin-pack ")))
                .hasSize(1);
    }

    @Test
    void simulate_defaultsNeedNoOption() {
        assertThat(run("simulate", "--scale", "0.001", "--seeds", "1")).isZero();
        assertThat(err.toString()).isEmpty();
        assertThat(out.toString()).contains("at 130 %");
    }
}
