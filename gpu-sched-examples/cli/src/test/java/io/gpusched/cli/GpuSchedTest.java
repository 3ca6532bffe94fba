package io.gpusched.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class GpuSchedTest {
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

    @Test
    void simulate_withoutLists_playsTwoOrders_andSaysHowToPlayMore() {
        assertThat(run("simulate", "--scale", "0.005")).isZero();
        assertThat(out.toString()).contains("seeds 42..43", "--seeds 42..51 plays ten");
    }

    @Test
    void simulate_withoutFilesPrintsTheTable() {
        assertThat(run("simulate", "--scale", "0.02", "--seeds", "42..43")).isZero();
        assertThat(out.toString())
                .contains("generated:", "at 100 %: mean", "at 130 %: mean", "sd", "95 % CI", "decisions/s")
                .containsPattern("\nfgd +\\d+\\.\\d\\d +\\d+\\.\\d\\d +\\d+\\.\\d\\d\\.\\.\\d+\\.\\d\\d");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void simulate_writesTheCsv() throws IOException {
        Path csv = folder.resolve("out.csv");
        assertThat(run(
                        "simulate",
                        "--scale",
                        "0.02",
                        "--seeds",
                        "42",
                        "--policies",
                        "fgd,fgd-paper",
                        "--csv",
                        csv + ""))
                .isZero();
        List<String> lines = Files.readAllLines(csv);
        assertThat(lines.get(0))
                .isEqualTo("workload,policy,seed,arrived_percent,allocated_percent,frag_percent,placed,rejected");
        assertThat(lines.stream().filter(line -> line.startsWith("generated,fgd-paper,42,")))
                .hasSize(131);
    }

    @Test
    void simulate_doesNotDependOnTheNumberOfThreads() throws IOException {
        List<List<String>> outputs = Stream.of("1", "3")
                .map(threads -> {
                    Path csv = folder.resolve(threads + ".csv");
                    assertThat(run(
                                    "simulate",
                                    "--scale",
                                    "0.02",
                                    "--seeds",
                                    "42..44",
                                    "--policies",
                                    "random,fgd",
                                    "--threads",
                                    threads,
                                    "--csv",
                                    csv.toString()))
                            .isZero();
                    return lines(csv);
                })
                .toList();
        assertThat(outputs.get(0)).isEqualTo(outputs.get(1));
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private List<String> simulateInOrder(Path openb, String pods, Path order) {
        Path csv = folder.resolve("out.csv");
        assertThat(run(
                        "simulate",
                        "--nodes",
                        openb.resolve(Traces.NODE_LIST).toString(),
                        "--pods",
                        openb.resolve(pods).toString(),
                        "--order",
                        order.toString(),
                        "--policies",
                        "best-fit",
                        "--seeds",
                        "42",
                        "--csv",
                        csv.toString()))
                .isZero();
        return lines(csv);
    }

    private static String expectedAt100(Path points, String start) {
        return lines(points).stream()
                .filter(line -> line.startsWith(start))
                .findFirst()
                .orElseThrow()
                .split(",")[7];
    }

    @Test
    void simulate_withAnOrderReproducesThePublishedRun() {
        Path openb = Traces.all();
        List<String> csv = simulateInOrder(openb, "openb_pod_list_default.csv", openb.resolve("orders/default.txt.gz"));
        String expected = expectedAt100(openb.resolve("expected_points.csv"), "default,05-BestFit,42,");
        assertThat(csv).anyMatch(line -> line.startsWith("default,best-fit,42,100," + expected + ","));
    }

    @Test
    void simulate_withAnOrderOfAPartOfTheTraceReproducesTheRecordedRun() throws IOException {
        Path openb = Traces.small();
        Path order = PaperFolder.order(folder.resolve("order.txt"), Traces.workload(), 42);
        String expected = expectedAt100(openb.resolve("points_small.csv"), "small,05-BestFit,42,");
        assertThat(simulateInOrder(openb, Traces.POD_LIST, order))
                .anyMatch(line -> line.startsWith("small,best-fit,42,100," + expected + ","));
    }

    @Test
    void simulate_withABadFileNamesLineAndField() throws IOException {
        Path nodes = Files.writeString(folder.resolve("n.csv"), "sn,cpu_milli,memory_mib,gpu,model\nn,1,1,99,T4\n");
        Path pods =
                Files.writeString(folder.resolve("p.csv"), "name,cpu_milli,memory_mib,num_gpu,gpu_milli\np,1,1,0,0\n");
        assertThat(run("simulate", "--nodes", nodes.toString(), "--pods", pods.toString()))
                .isEqualTo(2);
        assertThat(err.toString())
                .isEqualToIgnoringNewLines("gpu-sched simulate: file \"" + nodes
                        + "\", line 2, field \"gpu\": must be in 0..64, got \"99\"");
    }

    @Test
    void replay_printsWaitsAndSteadyState() throws IOException {
        Path csv = folder.resolve("replay.csv");
        assertThat(run(
                        "simulate",
                        "--replay",
                        "--scale",
                        "0.01",
                        "--policies",
                        "fgd,bin-pack",
                        "--queue",
                        "shortest-first",
                        "--failures-per-day",
                        "5",
                        "--csv",
                        csv.toString()))
                .isZero();
        assertThat(out.toString())
                .contains("shortest-first", "mean wait", "used %", "95 % CI", "frag %", "restarts", "steady state: ");
        assertThat(lines(csv).get(0)).isEqualTo("workload,policy,seed,hours,used_percent,frag_percent,running,waiting");
    }

    @Test
    void replay_underOverloadSaysThatThereWasNoSteadyState() {
        assertThat(run("simulate", "--replay", "--scale", "0.01", "--load", "3", "--policies", "bin-pack"))
                .isZero();
        assertThat(out.toString())
                .containsPattern("no steady state: bin-pack, in 1 of 1 replays: jobs that wait went from "
                        + "\\d+\\.\\d in the third quarter of the arrivals to \\d+\\.\\d in the last \\(seed 42\\)");
    }

    @Test
    void reports_sayHowTheyCameAbout_andASummaryIsForPrograms() throws IOException {
        Path page = folder.resolve("page.html");
        Path file = folder.resolve("summary.json");
        assertThat(run(
                        "simulate",
                        "--scale",
                        "0.02",
                        "--seeds",
                        "7",
                        "--policies",
                        "best-fit,fgd-paper",
                        "--report",
                        page.toString(),
                        "--summary",
                        file.toString()))
                .isZero();

        assertThat(out.toString())
                .contains(
                        "gpu-sched development: gpu-sched simulate --scale 0.02",
                        "seed 7\n",
                        "best-fit: the node with the least left over\n",
                        "\"Beware of Fragmentation\"");
        assertThat(Files.readString(page)).contains("gpu-sched simulation of", "seed 7", "least left over");
        JsonNode summary = new ObjectMapper().readTree(file.toFile());
        assertThat(summary.path("seeds").get(0).asInt()).isEqualTo(7);
        assertThat(summary.path("command").asText()).contains("--policies best-fit,fgd-paper");
        assertThat(summary.path("policies").path("best-fit").asText()).isNotEmpty();
        assertThat(summary.at("/results/fgd-paper/allocatedPercentAt130").asDouble())
                .isBetween(1.0, 100.0);
    }

    @Test
    void bench_withoutItsProgramSaysHowToBuildIt() {
        String before = System.getProperty("gpusched.bench.jar");
        System.setProperty("gpusched.bench.jar", folder.resolve("missing.jar").toString());
        try {
            assertThat(run("bench", "--quick")).isEqualTo(2);
            assertThat(err.toString()).contains("missing.jar", "Maybe start with ./gpu-sched bench");
        } finally {
            if (before == null) {
                System.clearProperty("gpusched.bench.jar");
            } else {
                System.setProperty("gpusched.bench.jar", before);
            }
        }
    }

    @Test
    void bench_handsItsArgumentsOn() {
        CommandLine line = new CommandLine(new BenchCommand());
        line.parseArgs("--quick", "--json", "f.json", "-wi", "1", "Placement");
        BenchCommand bench = line.getCommand();
        assertThat(bench.command(Path.of("b.jar")))
                .containsSequence("-jar", "b.jar", "--quick", "--json", "f.json", "-wi", "1", "Placement");
    }

    @Test
    void help_listsTheCommands() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString()).contains("simulate", "paper", "bench");
        assertThat(run("simulate", "--help")).isZero();
        assertThat(out.toString()).contains("With --order the names random");
    }

    @Test
    void paper_printsThePublishedMeansBesideOurs() throws IOException {
        Path traces = PaperFolder.make(folder);
        assertThat(run("paper", "--quick", "--traces", traces.toString())).isZero();
        assertThat(out.toString())
                .contains(
                        "trace",
                        "published",
                        "vs fgd",
                        "default  best-fit-paper",
                        "upper bound, seed 42",
                        "mean over 1 traces")
                .containsPattern("default +fgd-paper +\\d+\\.\\d\\d +\\S+ +95\\.23 ");
    }

    @Test
    void paper_withoutTracesSaysWhatItNeeds() {
        assertThat(run("paper", "--traces", folder.toString())).isEqualTo(2);
        assertThat(err.toString()).contains("expected files openb_pod_list_NAME.csv, got none");
    }
}
