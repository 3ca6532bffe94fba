package io.gpusched.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimulateCycleTest {
    private static final String HELIOS = "../simulator/src/test/resources/traces/gang/helios_head.csv";

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder;

    private int run(String... args) {
        var line = GpuSched.commandLine();
        line.setOut(new PrintWriter(out));
        line.setErr(new PrintWriter(err));
        return line.execute(
                Stream.concat(Stream.of("simulate", "--cycle"), Stream.of(args)).toArray(String[]::new));
    }

    private String file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text).toString();
    }

    @Test
    void queues_haveARowEachAndOneForAll() throws IOException {
        String queues = file("q.yaml", """
                queues:
                - {name: company}
                - {name: research, parent: company, priority: 1, resources: {gpu: {deserved: 8}}}
                - {name: product, parent: company, resources: {gpu: {deserved: 4, limit: 16, overQuotaWeight: 2}}}
                """);
        assertThat(run("--trace", HELIOS, "--queues", queues, "--pool", "2x8", "--load", "0.9"))
                .isZero();
        assertThat(out.toString())
                .startsWith("helios_head: 2 nodes, 16 GPUs; 30 jobs arrive over ")
                .contains("offered load 0.90", "mean wait", "completion", "evictions", "fair share %")
                .containsPattern("\nresearch +\\d+ +\\d+\\.\\d")
                .containsPattern("\nproduct +\\d+ ")
                .containsPattern("\nall queues +30 ");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void files_holdJobsSeriesNumbersAndAPage() throws IOException {
        Path jobs = folder.resolve("jobs.csv");
        Path series = folder.resolve("series.csv");
        Path summary = folder.resolve("summary.json");
        Path page = folder.resolve("page.html");
        assertThat(run(
                        "--trace",
                        HELIOS,
                        "--jobs-csv",
                        jobs + "",
                        "--csv",
                        series + "",
                        "--summary",
                        summary + "",
                        "--report",
                        page + ""))
                .isZero();
        assertThat(Files.readAllLines(jobs)).hasSize(31);
        assertThat(Files.readAllLines(series)).hasSizeGreaterThan(100);
        assertThat(Files.readString(summary)).contains("\"all queues\"", "\"meanCompletionMinutes\"", "helios_head");
        assertThat(Files.readString(page)).contains("Queues over time", "helios_head");
    }

    @Test
    void theCommandOfThePage_works() throws IOException {
        String page = Files.readString(Path.of("../../docs/queues.md"));
        file("queues.yaml", block(page, "yaml"));
        List<String> words =
                List.of(block(page, "sh").replace("\\\n", " ").strip().split(" +"));
        assertThat(words.subList(0, 3)).containsExactly("./gpu-sched", "simulate", "--cycle");
        String[] arguments = words.stream()
                .skip(3)
                .map(word -> word.contains("/") ? "../../" + word : word)
                .map(word ->
                        word.matches("[a-z]+\\.[a-z]+") ? folder.resolve(word).toString() : word)
                .toArray(String[]::new);
        assertThat(run(arguments)).as(err.toString()).isZero();
        assertThat(out.toString()).contains("4 nodes, 32 GPUs", "\nresearch ", "\nproduct ");
        assertThat(folder.resolve("page.html")).isNotEmptyFile();
        assertThat(folder.resolve("jobs.csv")).isNotEmptyFile();
    }

    private static String block(String page, String language) {
        String open = "```" + language + "\n";
        int start = page.indexOf(open) + open.length();
        return page.substring(start, page.indexOf("```", start));
    }

    @Test
    void severalRules_areComparedInATable() throws IOException {
        String trace = file("t.csv", "job_id,submit_s,gpus,duration_s\n0,0,4,5000\n1,0,8,600\n2,60,4,900\n");
        assertThat(run("--trace", trace, "--pool", "8", "--backfill", "nobody,conservative", "--told", "hours"))
                .isZero();
        assertThat(out.toString())
                .contains("p99 slip")
                .containsPattern("\nnobody +\\d+\\.\\d ")
                .containsPattern("\nconservative +");
        assertThat(run("--trace", trace, "--backfill", "nobody,easy", "--jobs-csv", folder.resolve("j.csv") + ""))
                .isEqualTo(2);
        assertThat(err.toString()).contains("--jobs-csv goes with one rule of --backfill");
    }

    /** On eight GPUs one of four runs to 1000; the job of eight comes next, then shorter ones that overtake it without end. */
    @Test
    void ofShortJobsFirst_aLargeOneStartsAsPromised_andTheOthersAroundIt() throws IOException {
        StringBuilder trace = new StringBuilder("job_id,submit_s,gpus,duration_s\nlong,0,4,1000\nlarge,1,8,500\n");
        for (int i = 0; i < 40; i++) {
            trace.append("short").append(i).append(',').append(2 + 100 * i).append(",4,190\n");
        }
        Path jobs = folder.resolve("jobs.csv");
        String file = file("t.csv", trace + "");
        assertThat(startOfLarge(jobs, file, "anyone:shortest")).isGreaterThan(4_000);
        assertThat(startOfLarge(jobs, file, "promised:shortest")).isEqualTo(1_000);
        assertThat(run("--trace", file, "--pool", "8", "--backfill", "promised:longest"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("promised:longest", ":submitted or :shortest");
        assertThat(run("--trace", file, "--pool", "8", "--backfill", "nobody,promised:shortest"))
                .isZero();
        assertThat(out.toString()).contains("\nnobody ", "\npromised:shortest ");
    }

    private long startOfLarge(Path jobs, String trace, String rule) throws IOException {
        assertThat(run(
                        "--trace",
                        trace,
                        "--pool",
                        "8",
                        "--promise-above",
                        "4",
                        "--backfill",
                        rule,
                        "--jobs-csv",
                        jobs + ""))
                .isZero();
        return Files.readAllLines(jobs).stream()
                .map(line -> line.split(","))
                .filter(row -> row[0].equals("large"))
                .mapToLong(row -> Long.parseLong(row[6]))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({"nobody, 4", "easy, 5", "conservative, 6"})
    void jobsOfARealTrace_startWhenTheTextbookSaysSo(String rule, int column) throws IOException {
        List<String[]> rows = Files.readAllLines(Path.of("../conformance/src/test/resources/rigid/pcs-5.csv")).stream()
                .filter(line -> Character.isDigit(line.charAt(0)))
                .map(line -> line.split(","))
                .toList();
        String trace = rows.stream()
                .map(row -> String.join(",", List.of(row).subList(0, 4)))
                .collect(Collectors.joining("\n", "job_id,submit_s,gpus,duration_s\n", "\n"));
        Path jobs = folder.resolve("jobs.csv");
        assertThat(run("--trace", file("t.csv", trace), "--pool", "64", "--backfill", rule, "--jobs-csv", jobs + ""))
                .isZero();
        List<String[]> played = Files.readAllLines(jobs).stream()
                .skip(1)
                .map(line -> line.split(","))
                .toList();
        assertThat(played.stream().map(row -> row[0] + " at " + row[6]))
                .containsExactlyElementsOf(
                        rows.stream().map(row -> row[0] + " at " + row[column]).toList());
        assertThat(played)
                .anyMatch(row -> !row[5].isEmpty())
                .allMatch(row -> row[5].isEmpty() || Long.parseLong(row[6]) <= Long.parseLong(row[5]));
    }

    @Test
    void aJobThatCanNeverStart_makesTheCommandFail() throws IOException {
        String trace = file("t.csv", "job_id,submit_s,gpus,duration_s\nbig,0,65,10\nsmall,0,64,10\n");
        assertThat(run("--trace", trace, "--pool", "64")).isEqualTo(1);
        assertThat(out.toString()).contains("\njob big never started: ");
        assertThat(out.toString().lines().filter(line -> line.startsWith("all queues")))
                .singleElement()
                .asString()
                .endsWith(" 1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "--load 1; --cycle and --trace go together",
                "--trace t.csv --replay; --replay does not go with --cycle",
                "--trace t.csv --backfill some; option '--backfill': must be anyone, nobody, easy, conservative, promised or tiresias, got \"some\"",
                "--trace t.csv --pool 0; option '--pool': must be in 1..64, got \"0\"",
                "--trace t.csv --pool 4xmany; option '--pool': must be a whole number in 1..64, got \"many\"",
                "--trace t.csv; file \"t.csv\": cannot be read: there is no such file",
            })
    void badOptions_areNamed(String arguments, String message) {
        assertThat(run(arguments.split(" "))).isEqualTo(2);
        assertThat(err.toString()).containsIgnoringCase(message);
        assertThat(out.toString()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "queues: []; line 1, field queues: must hold at least one queue",
                "queues: [{parent: a}]; field queues[0]",
                "queues: [{name: a, parent: b}]; queue \"a\": there is no parent \"b\"",
                "queues: [{name: a, color: red}]; field queues[0].color: unknown",
                "queues: [{name: a, resources: {gpu: {deserved: many}}}]; field queues[0].resources.gpu",
                "queues: [{name: a, resources: {gpu: {overQuotaWeight: -1}}}]; field queues[0].resources.gpu: quantity must be a number from 0",
            })
    void badQueues_nameTheField(String text, String message) throws IOException {
        String trace = file("t.csv", "job_id,submit_s,gpus,duration_s\n0,0,1,10\n");
        assertThat(run("--trace", trace, "--queues", file("q.yaml", text))).isEqualTo(2);
        assertThat(List.of(err.toString().split("\n")).get(0)).contains(message);
    }
}
