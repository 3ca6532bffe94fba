package io.gpusched.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpusched.json.JsonFormat;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code gpu-sched replay} on a history that {@code simulate --cycle --record} wrote. */
class HistoryCommandsTest {
    private static final String HELIOS = "../simulator/src/test/resources/traces/gang/helios_head.csv";

    private StringWriter out = new StringWriter();
    private StringWriter err = new StringWriter();

    @TempDir
    private Path folder;

    private String history = "";

    private int run(String... args) {
        out = new StringWriter();
        err = new StringWriter();
        var line = GpuSched.commandLine();
        line.setOut(new PrintWriter(out));
        line.setErr(new PrintWriter(err));
        return line.execute(args);
    }

    @BeforeEach
    void record() {
        history = folder.resolve("history").toString();
        assertThat(run("simulate", "--cycle", "--trace", HELIOS, "--pool", "1x8", "--load", "1.5", "--record", history))
                .as(err + "")
                .isZero();
    }

    @Test
    void replay_saysThatAllDecisionsAreTheSame() {
        assertThat(run("replay", history)).isZero();
        assertThat(out.toString())
                .containsPattern("\\d+ events in 1 file of [\\d,]+ bytes, from 0 to \\d+")
                .containsPattern("(\\d+) of \\1 decisions are the same");
        assertThat(err.toString()).isEmpty();
        assertThat(run("replay", "--json", history)).isZero();
        assertThat(out.toString()).contains("\"firstDifference\" : null");
    }

    @Test
    void whatIf_standsBesideWhatWas() {
        assertThat(run("replay", history, "--backfill", "nobody", "--policy", "spread"))
                .isZero();
        assertThat(out.toString())
                .contains("recorded", "same rules", "policy spread, backfill nobody", "GPUs in use")
                .containsPattern("all jobs: started +\\d+ +\\d+ +\\d+");
        assertThat(run("replay", history, "--add", "1@node-0000,1@node-0000")).isZero();
        assertThat(out.toString()).containsPattern("GPUs +8.0 +8.0 +24.0");
        assertThat(run("replay", history, "--add", "2@node-0000", "--json"))
                .as(err + "")
                .isZero();
        assertThat(out.toString()).contains("\"with 2@node-0000\"", "\"gpus\" : 24.0", "\"worse\" : [ ]");
    }

    @Test
    void changesGoTogether_andTheLastColumnNamesThemAll() throws IOException {
        Path queues = Files.writeString(folder.resolve("one.yaml"), "queues: [{name: all}]");
        Path nodes = Files.writeString(folder.resolve("nodes.csv"), "name,count,gpus,model\nn,2,8,V100\n");
        assertThat(run(
                        "replay",
                        history,
                        "--policy",
                        "spread",
                        "--backfill",
                        "easy",
                        "--queues",
                        queues + "",
                        "--nodes",
                        nodes + "",
                        "--add",
                        "2@n-0",
                        "--without",
                        "node-0000",
                        "--json"))
                .as(err + "")
                .isZero();
        assertThat(out.toString())
                .contains("\"policy spread, backfill easy, queues of one.yaml, nodes of nodes.csv, with 2@n-0,"
                        + " without node-0000\" : {")
                .contains("\"gpus\" : 8.0", "\"gpus\" : 32.0");
    }

    @Test
    void grid_writesARowForEachCombination_asReplayTellsIt_andPlaysNoneTwice() throws IOException {
        Path csv = folder.resolve("grid.csv");
        String[] grid = {
            "replay", "grid", history, "--policy", "recorded,spread", "--add", "recorded,1@node-0000", "--csv", csv + ""
        };
        assertThat(run(grid)).as(err + "").isZero();
        assertThat(out).hasToString("4 variants: 4 played, 0 were in " + csv + "\n");
        String all = Files.readString(csv);
        assertThat(all.lines().map(line -> line.replaceAll(",[0-9a-f]{16},.*", "")))
                .containsExactly(
                        "variant,digest,started,not_started,mean_wait_minutes,median_wait_minutes,p95_wait_minutes,"
                                + "evicted_pods,lost_gpu_hours,gpus,used_gpus,stranded_gpus,promised_starts,kept_starts",
                        "as recorded",
                        "policy spread",
                        "\"policy spread, with 1@node-0000\"",
                        "with 1@node-0000");
        run("replay", history, "--policy", "spread", "--add", "1@node-0000", "--json");
        JsonNode told =
                new ObjectMapper().readTree(out.toString()).get("outcomes").get("policy spread, with 1@node-0000");
        assertThat(all)
                .contains(told.get("gpus").asText() + "," + told.get("usedGpus").asText() + ","
                        + told.get("strandedGpus").asText());
        Files.writeString(csv, all.substring(0, all.length() - 20));
        assertThat(run(grid)).isZero();
        assertThat(out).hasToString("4 variants: 1 played, 3 were in " + csv + "\n");
        assertThat(csv).hasContent(all);
        assertThat(run("replay", "grid", "../examples/hour/history", "--csv", csv + ""))
                .isEqualTo(2);
        assertThat(err.toString()).contains("line 2: variant \"as recorded\" was played of another history");
        assertThat(run("replay", "grid", history)).isEqualTo(2);
        assertThat(err.toString()).contains("one of --csv and --variants must be given");
        assertThat(run("replay", "grid", history, "--policy", "spread,spread", "--csv", csv + ""))
                .isEqualTo(2);
        assertThat(err.toString()).contains("variants must have different names, got two \"policy spread\"");
    }

    @Test
    void report_drawsWhatWasInUseAndWaited_withTheMeansOfTheTable() throws IOException {
        Path page = folder.resolve("page.html");
        String helios = "../examples/helios/history";
        assertThat(run("replay", helios, "--backfill", "nobody", "--report", page.toString()))
                .as(err + "")
                .isZero();
        double inUse = Double.parseDouble(out.toString().replaceAll("(?s).*GPUs in use +([0-9.]+) .*", "$1"));
        Matcher data = Pattern.compile("<script type=\"application/json\" id=\"data\">(.*?)</script>", Pattern.DOTALL)
                .matcher(Files.readString(page));
        assertThat(data.find()).isTrue();
        JsonNode drawn = new ObjectMapper().readTree(data.group(1));
        assertThat(drawn.get("policies"))
                .extracting(each -> each.get("name").asText())
                .containsExactly("recorded", "same rules", "backfill nobody");
        JsonNode recorded = drawn.get("policies").get(0).get("values");
        assertThat(recorded).hasSize(3);
        assertThat(mean(recorded.get(0))).isCloseTo(inUse, within(1.0));
        assertThat(mean(recorded.get(2))).as("jobs that wait").isPositive();
        assertThat(mean(drawn.get("policies").get(2).get("values").get(2))).isGreaterThan(mean(recorded.get(2)));
        assertThat(run("replay", helios, "--report", page.toString())).isEqualTo(2);
        assertThat(err.toString()).contains("--report draws what would have happened");
    }

    private static double mean(JsonNode values) {
        return StreamSupport.stream(values.spliterator(), false)
                .mapToDouble(JsonNode::asDouble)
                .average()
                .orElseThrow();
    }

    @Test
    void jobsThatFareWorse_areNamed() {
        String larger = folder.resolve("larger").toString();
        run("simulate", "--cycle", "--trace", HELIOS, "--pool", "2x8", "--load", "1.5", "--record", larger);
        assertThat(run("replay", larger, "--without", "node-0001")).as(err + "").isZero();
        assertThat(out.toString())
                .contains("without node-0001", " jobs would wait more than a minute longer, the most:")
                .containsPattern("GPUs +16.0 +16.0 +8.0");
    }

    @Test
    void expectations_areMetOrNot_andWrittenAsJUnitDoes() throws IOException {
        Path expect = Files.writeString(folder.resolve("e.yaml"), """
            expect:
            - {job: "0", startsWithinMinutes: 1}
            - {queue: all, evictedPods: 0, p95WaitMinutes: 0.5}
            """);
        Path junit = folder.resolve("junit.xml");
        assertThat(run("replay", history, "--expect", expect.toString(), "--junit", junit.toString()))
                .isOne();
        assertThat(out.toString())
                .contains("met: job 0 starts within 1 minute\n", "met: queue all: pods evicted: at most 0\n")
                .contains("NOT MET: queue all: 95th percentile of waits in minutes: at most 0.5: got ");
        assertThat(junit).content().contains("tests=\"3\"", "failures=\"1\"", "message=\"got ");
        assertThat(run("replay", history, "--add", "4@node-0000", "--expect", expect.toString()))
                .as(out + "")
                .isZero();
        Files.writeString(expect, "expect: [{queue: all, leastGpus: 0.5}, {queue: all, leastGpus: 9}]");
        assertThat(run("replay", history, "--expect", expect.toString())).isEqualTo(1);
        assertThat(out.toString())
                .contains("met: queue all: never fewer GPUs while a job waits than 0.5")
                .contains("NOT MET: queue all: never fewer GPUs while a job waits than 9: got ");
        Files.writeString(expect, "expect: [{job: ghost, startsWithinMinutes: 1}]");
        assertThat(run("replay", history, "--expect", expect.toString())).isEqualTo(2);
        assertThat(err.toString()).contains("must be a job of the history, got \"ghost\"");
        Files.writeString(expect, "expect:\n- job:\n  startsWithinMinutes: 1");
        assertThat(run("replay", history, "--expect", expect.toString())).isEqualTo(2);
        assertThat(err.toString())
                .contains("e.yaml, line 2, field expect[0].job: must be a text or a number, got nothing");
        Files.writeString(expect, "expect:\n- queue:\n  evictedPods: 0");
        assertThat(run("replay", history, "--expect", expect.toString())).isEqualTo(2);
        assertThat(err.toString()).contains("field expect[0].queue: must be a text or a number, got nothing");
        Files.writeString(expect, "expect: [{queue: all, wishes: 1}]");
        assertThat(run("replay", history, "--expect", expect.toString())).isEqualTo(2);
        assertThat(err.toString()).contains("wishes").contains("p95WaitMinutes");
        for (String both : List.of("{job: a, queue: all, evictedPods: 0}", "{queue: all, startsWithinMinutes: 1}")) {
            Files.writeString(expect, "expect: [" + both.replace("a,", "\"0\",") + "]");
            assertThat(run("replay", history, "--expect", expect.toString())).isEqualTo(2);
            assertThat(err.toString()).contains("unknown; known here are evictedPods, ");
        }
        Files.writeString(expect, "expect: [{job: \"0\", startsWithinMinutes: -1}]");
        assertThat(run("replay", history, "--expect", expect.toString())).isEqualTo(2);
        assertThat(err.toString()).contains("startsWithinMinutes: must be at least 0, got -1");
        assertThat(run("replay", history, "--expect", expect.toString(), "--check"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("--check judges what was recorded, and goes with --from alone");
        assertThat(run("replay", history, "--junit", junit.toString())).isEqualTo(2);
        assertThat(err.toString()).contains("--junit goes with --expect");
    }

    @Test
    void check_judgesWhatWasRecorded() {
        assertThat(run("replay", history, "--check")).isZero();
        assertThat(out.toString()).containsPattern("\\d+ plans or placements judged, 0 break a law");
    }

    @Test
    void anonymous_copiesUnderPseudonyms_whichReplayAsTheHistoryDoes() {
        String copy = folder.resolve("copy").toString();
        assertThat(run("replay", history, "--anonymous", copy)).as(err + "").isZero();
        assertThat(out.toString())
                .containsPattern("\\d+ names replaced in \\S+copy\n")
                .containsPattern("(\\d+) of \\1 decisions are the same under the new names");
        assertThat(run("replay", copy)).isZero();
        assertThat(out.toString()).containsPattern("(\\d+) of \\1 decisions are the same");
        assertThat(run("replay", history, "--anonymous", copy)).isEqualTo(2);
        assertThat(err.toString()).contains("must have no history yet, got ", "history-000001.jsonl.gz");
        assertThat(run("replay", history, "--anonymous", copy + "2", "--check")).isEqualTo(2);
        assertThat(err.toString()).contains("--anonymous copies what was recorded");
    }

    @Test
    void why_asksTheDecisionOfThatTime() {
        assertThat(run("replay", "bisect", history, "recorded", "backfill=nobody"))
                .isOne();
        String time = out.toString().replaceAll("(?s).*, time (\\d+)\n.*", "$1");
        String job = out.toString().replaceAll("(?s).*\njob ([^:]+):.*", "$1");
        assertThat(run("replay", "why", history, job, "--at", time, "--by", "backfill=nobody"))
                .isBetween(0, 1);
        assertThat(out.toString())
                .startsWith("asked history-000001.jsonl.gz line ")
                .contains("job " + job);
        assertThat(run("replay", "why", history, "nobody", "--at", time)).isEqualTo(2);
        assertThat(err.toString()).contains("there is no job or pod \"nobody\" at " + time);
        assertThat(run("replay", "why", history, job, "--at", "99999999")).isEqualTo(2);
        assertThat(err.toString())
                .containsPattern("--at must be in the history, which goes from 0 to \\d+, got 99999999");
        assertThat(run("replay", "why", history, job, "--at", "noon")).isEqualTo(2);
        assertThat(err.toString()).contains("--at must be a time of the history as a number, or a date such as");
    }

    @Test
    void why_ofAPodThatIsNamedWithoutItsNamespace_namesIt() throws IOException {
        Path printed = folder.resolve("printed.json");
        Files.writeString(printed, """
                {"kind": "Node", "apiVersion": "v1", "metadata": {"name": "a", "creationTimestamp": "2026-11-28T10:00:00Z"},
                 "status": {"allocatable": {"nvidia.com/gpu": "8", "cpu": "8", "memory": "8Gi", "pods": "10"}}}
                {"kind": "Pod", "apiVersion": "v1", "metadata": {"name": "train-0", "namespace": "ml", "creationTimestamp": "2026-11-28T10:00:00Z"},
                 "spec": {"containers": [{"name": "c", "resources": {"limits": {"nvidia.com/gpu": "1"}}}]}}
                """);
        String recorded = folder.resolve("recorded").toString();
        assertThat(run("record", "--out", recorded, "--from", printed.toString()))
                .isZero();
        assertThat(run("replay", "why", recorded, "train-0", "--at", "2026-11-28T10:00:00Z"))
                .isEqualTo(2);
        assertThat(err.toString())
                .contains("there is no job or pod \"train-0\" at ")
                .contains("nor at any other time\nMaybe ml/train-0.");
    }

    @Test
    void bisectAndWhy_sayReasonsInTheWordsThatWhySays_andPromisedStartsAsTimes() {
        String history = "../examples/helios/history";
        assertThat(run("replay", "bisect", history, "recorded", "backfill=easy"))
                .as(err + "")
                .isOne();
        assertThat(out.toString()).contains("""
                        job 117:
                          A: waits: no room now, and queue "research" would exceed its fair share of 32 GPUs, so no pod \
                        is evicted for it: uses 18 GPUs, asked 16 GPUs
                          B: is reserved a start at 380319 of 117-0 on node-0000, 117-1 on node-0001 waits: no room now; \
                        it starts at 380319 when job 115 ends, in a place that is reserved for it (not proven)
                        """);
        assertThat(run("replay", "why", history, "117", "--at", "349734")).isOne();
        assertThat(out.toString())
                .contains("job 117 waits: no room now, and queue \"research\" would exceed its fair share of 32 GPUs")
                .doesNotContain("OverFairShare", "certainty=");
    }

    @Test
    void bisectAndWhy_asJson_sayTheSame() throws IOException {
        String history = "../examples/helios/history";
        assertThat(run("replay", "bisect", history, "recorded", "backfill=easy", "--json"))
                .isOne();
        JsonNode bisect = new ObjectMapper().readTree(out.toString()).at("/bisect");
        assertThat(bisect.at("/differs").asBoolean()).isTrue();
        assertThat(bisect.at("/decision/time").asLong()).isEqualTo(349_734);
        assertThat(bisect.at("/jobs")).anySatisfy(job -> {
            assertThat(job.at("/job").asText()).isEqualTo("117");
            assertThat(job.at("/a").asText()).startsWith("waits: no room now, and queue \"research\" would exceed");
            assertThat(job.at("/b").asText()).startsWith("is reserved a start at 380319 of 117-0 on node-0000");
        });
        assertThat(run("replay", "why", history, "117", "--at", "349734", "--by", "backfill=easy", "--json"))
                .isOne();
        JsonNode why = new ObjectMapper().readTree(out.toString()).at("/why");
        assertThat(why.at("/job").asText()).isEqualTo("117");
        assertThat(why.at("/steps/0/kind").asText()).isEqualTo("reserve");
        assertThat(why.at("/waits/kind").asText()).isEqualTo("reserved");
        assertThat(why.at("/waits/words").asText()).startsWith("no room now; it starts at 380319");
        assertThat(run("replay", "bisect", history, "recorded", "recorded", "--json"))
                .isZero();
        assertThat(out.toString()).contains("\"differs\" : false");
    }

    @Test
    void bisect_findsTheFirstDecisionThatDiffers_andWritesItsState() throws IOException {
        Path state = folder.resolve("state.json");
        assertThat(run(
                        "replay",
                        "bisect",
                        history,
                        "recorded",
                        "policy=spread,backfill=nobody",
                        "--state",
                        state.toString()))
                .isOne();
        assertThat(out.toString()).contains("the first that differs: history-000001", "  A:", "  B:");
        var jobs = JsonFormat.STATE.read(Files.readString(state)).jobs();
        String time = out.toString().replaceAll("(?s).*ask it: gpu-sched replay why \\S+ JOB --at (\\d+)\n.*", "$1");
        String job = jobs.get(jobs.size() - 1).name();
        assertThat(run("replay", "why", state.toString(), job, "--at", time)).isBetween(0, 1);
        assertThat(out.toString()).startsWith("asked state.json, time " + time).contains(job);
        assertThat(run("replay", "why", state.toString(), job, "--at", "2026-11-28T10:00:00Z"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("--at must be a number where a state is asked");
        assertThat(run("replay", "bisect", history, "recorded", "backfill=anyone"))
                .isZero();
        assertThat(out.toString()).isEqualTo("all decisions are the same by both\n");
    }

    @Test
    void badInput_isNamedWithWhatIsKnown() throws IOException {
        assertThat(run("replay", history, "--policy", "fastest")).isEqualTo(2);
        assertThat(err.toString()).contains("policy must be one of the library's own: random,", "got \"fastest\"");
        assertThat(run("replay", history, "--add", "two")).isEqualTo(2);
        assertThat(err.toString()).contains("--add must be a number in 1..9999");
        assertThat(run("replay", "bisect", history, "recorded", "backfill=easy,backfill=nobody"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("settings must say backfill once");
        assertThat(run("replay", "bisect", history, "recorded", "speed=high")).isEqualTo(2);
        assertThat(err.toString())
                .contains("settings must be recorded, or some of policy=NAME, backfill=RULE and jar=FILE");
        assertThat(run("replay", folder.resolve("none").toString())).isEqualTo(2);
        assertThat(err.toString()).contains("there must be files of a history, such as history-000001.jsonl.gz");
        Path file = Path.of(history).resolve("history-000001.jsonl.gz");
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length / 2] ^= 1;
        Files.write(file, bytes);
        assertThat(run("replay", history)).isEqualTo(2);
        assertThat(err.toString())
                .contains(
                        "history-000001.jsonl.gz line 1: is not what was written",
                        "Maybe go on with what can be read: 0 decisions before.");
    }
}
