package io.gpusched.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SimulatePlanTest {
    private static final String OWN_FORM = """
            nodes:
              - {name: n1, cpu: 96, memory: 768Gi, gpus: {count: 8, vendor: nvidia, model: V100, memory: 32Gi}}
              - {name: n2, cpu: 96, memory: 768Gi, gpus: {count: 8, vendor: nvidia, model: V100, memory: 32Gi}}
            """;

    private static final String EXPORT = """
            apiVersion: v1
            kind: List
            items:
              - apiVersion: v1
                kind: Node
                metadata: {name: n1, labels: {nvidia.com/gpu.product: V100}}
                spec: {taints: [{key: gpu, effect: NoSchedule}]}
                status: {allocatable: {cpu: "96", memory: 768Gi, pods: "110", nvidia.com/gpu: "8"}}
              - apiVersion: v1
                kind: Node
                metadata: {name: n2, labels: {nvidia.com/gpu.product: V100}}
                status: {allocatable: {cpu: "96", memory: 768Gi, pods: "110", nvidia.com/gpu: "8"}}
            """;

    private static final String TABLE = "name,count,gpus,model\nn,2,8,V100\n";

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private Path jobs;

    /** A job of 8 GPUs every ten minutes that runs for an hour: six nodes of 8 would do. */
    @BeforeEach
    void writeJobs() throws IOException {
        List<String> rows = new ArrayList<>(List.of("name,submit,gpus,run_seconds"));
        for (int i = 0; i < 60; i++) {
            rows.add("j" + i + "," + 600 * i + ",8,3600");
        }
        jobs = Files.write(folder.resolve("jobs.csv"), rows);
    }

    private int run(String... arguments) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        return GpuSched.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments);
    }

    private int plan(String... more) {
        List<String> all = new ArrayList<>(List.of("simulate", "plan", "--trace", jobs.toString()));
        all.addAll(List.of(more));
        return run(all.toArray(String[]::new));
    }

    private String file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text).toString();
    }

    @Test
    void itSaysHowManyNodes_andWhyItStopsThere() {
        assertThat(plan("--pool", "2x8", "--until", "mean wait < 10m", "--grow", "16@8xV100"))
                .isZero();
        assertThat(out.toString())
                .contains("jobs: 60 jobs, 0 of them gangs")
                .containsPattern("\n\\+0@8xV100 +2 +16 +\\d+\\.\\d")
                .contains("+4@8xV100\n4 more nodes meet it: mean wait 0.0 min; 3 do not: mean wait 55.0 min");
        assertThat(plan("--pool", "2x8", "--until", "mean wait < 10m", "--grow", "2@8xV100"))
                .isEqualTo(1);
        assertThat(out.toString()).contains(": not met\neven with 2 more nodes it is not met: mean wait ");
    }

    @Test
    void asJson_itHasTheNumbersOfAllClusters_andTheAnswer() throws IOException {
        assertThat(plan(
                        "--json",
                        "--pool",
                        "2x8",
                        "--until",
                        "mean wait < 10m",
                        "--grow",
                        "16@8xV100",
                        "--seeds",
                        "1..3"))
                .isZero();
        JsonNode document = new ObjectMapper().readTree(out.toString());
        assertThat(document.get("version").asInt()).isEqualTo(1);
        JsonNode plan = document.get("plan");
        assertThat(plan.at("/jobs/count").asInt()).isEqualTo(60);
        assertThat(plan.at("/goal/isMet").asBoolean()).isTrue();
        assertThat(plan.at("/goal/cluster").asText()).matches("\\+\\d+@8xV100");
        JsonNode first = plan.get("clusters").get(0);
        assertThat(first.get("gpus").asInt()).isEqualTo(16);
        assertThat(first.get("meanWaitInterval95").get(0).asDouble())
                .isLessThanOrEqualTo(first.get("meanWaitMinutes").asDouble());
        assertThat(plan.get("neverRun")).isEmpty();

        assertThat(plan("--json", "--pool", "2x4")).isZero();
        jobs = Path.of(file("large.csv", "submit,gpus,workers,run_seconds\n0,1000,1,60\n"));
        assertThat(plan("--json", "--pool", "2x4", "--what-if", "+1@8xV100")).isEqualTo(1);
        JsonNode never = new ObjectMapper().readTree(out.toString()).at("/plan/neverRun");
        assertThat(never.get(0).get("cluster").asText()).isEqualTo("now");
        assertThat(never.get(0).get("jobs")).hasSize(1);
    }

    @Test
    void theHeading_countsJobsWithoutGpus_andTheCommandIsAsAShellTakesIt() throws IOException {
        jobs = Path.of(file("few.csv", "submit,gpus,run_seconds\n0,0,60\n3600,8,60\n"));
        assertThat(plan("--pool", "1x8", "--until", "mean wait < 10m", "--grow", "1@8xV100"))
                .isZero();
        assertThat(out.toString())
                .contains("few: 2 jobs, 0 of them gangs, 1 without GPU compute, arrive over 1.0 hours;")
                .contains(" --until 'mean wait < 10m' --grow 1@8xV100\n");
    }

    @Test
    void theList_mayComeFromStandardInput_compressedToo() throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (OutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write("submit,gpus,run_seconds\n0,8,60\n".getBytes(StandardCharsets.UTF_8));
        }
        InputStream before = System.in;
        try {
            System.setIn(new ByteArrayInputStream(packed.toByteArray()));
            assertThat(run("simulate", "plan", "--trace", "-", "--pool", "1x8")).isZero();
        } finally {
            System.setIn(before);
        }
        assertThat(out.toString()).startsWith("standard-input: 1 job, 0 of them gangs");
    }

    @Test
    void aUnitThatIsNone_isNamed_andNotTakenForAPartOfTheColumn() throws IOException {
        jobs = Path.of(file("units.csv", "at,n,took\n0,8,60\n"));
        assertThat(plan("--pool", "1x8", "--columns", "submit=at:weeks,gpus=n,duration=took"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("the unit of submit must be s, ms, min or h, got \"weeks\"");
    }

    @Test
    void everyFormOfACluster_givesTheSameNumbers() throws IOException {
        List<String> rows = new ArrayList<>();
        for (String cluster :
                List.of(file("own.yaml", OWN_FORM), file("export.yaml", EXPORT), file("table.csv", TABLE))) {
            assertThat(plan("--cluster", cluster)).isZero();
            rows.add(out.toString()
                    .lines()
                    .filter(line -> line.startsWith("now "))
                    .findFirst()
                    .orElseThrow());
        }
        assertThat(plan("--pool", "2x8")).isZero();
        assertThat(out.toString()).contains(rows.get(0));
        assertThat(rows).containsOnly(rows.get(0));
    }

    @Test
    void changes_standSideBySide_inTheTableAndOnThePage_withPricesAndSpeeds() throws IOException {
        Path page = folder.resolve("page.html");
        String models = file("models.csv", "model,speed,price\nV100,1,2\nH100,3,9\n");
        assertThat(plan(
                        "--pool",
                        "6x8",
                        "--what-if=-6@V100,+2@8xH100",
                        "--models",
                        models,
                        "--report",
                        page.toString()))
                .isZero();
        assertThat(out.toString())
                .contains("price/h")
                .containsPattern("\nnow +6 +48 +96 +0\\.\\d ")
                .containsPattern("\n-6@V100,\\+2@8xH100 +2 +16 +144 +0\\.\\d ");
        assertThat(Files.readString(page)).contains("-6@V100,+2@8xH100", "on 2 clusters");
    }

    @Test
    void jobsThatCanNeverRun_areListed_andTheCommandFails() throws IOException {
        Files.writeString(jobs, Files.readString(jobs) + "large,10,64,60\nlarger,10,65,60\nmodel,10,65,60\n");
        assertThat(plan("--pool", "6x8")).isEqualTo(1);
        assertThat(out.toString())
                .contains("on cluster now job large can never run:\n  pod group \"large\": can never fit")
                .contains("job larger and 1 like it can never run");
        assertThat(run(
                        "simulate",
                        "--replay",
                        "--jobs",
                        jobs.toString(),
                        "--gang-nodes",
                        "6",
                        "--policies",
                        "bin-pack"))
                .isEqualTo(1);
        assertThat(out.toString()).contains("\njob large can never run:\n");
    }

    @Test
    void seeds_drawOtherArrivals_orAreRefused() {
        assertThat(plan("--pool", "6x8", "--seeds", "1..3", "--block-hours", "2"))
                .isZero();
        assertThat(out.toString())
                .contains("95 % CI", "seeds 1..3")
                .containsPattern("\nnow .*\\d+\\.\\d\\.\\.\\d+\\.\\d ");
        String[] replay = {
            "simulate", "--replay", "--jobs", jobs.toString(), "--policies", "bin-pack", "--seeds", "1..2"
        };
        assertThat(run(replay)).isEqualTo(2);
        assertThat(err.toString()).contains("--seeds makes no difference to these replays");
        List<String> drawn = new ArrayList<>(List.of(replay));
        drawn.addAll(List.of("--block-hours", "2", "--arrivals", "12"));
        assertThat(run(drawn.toArray(String[]::new))).isZero();
        assertThat(out.toString()).contains("seeds 1..2");
    }

    @Test
    void runsThatAreKept_areNotPlayedAgain() throws IOException {
        Path runs = folder.resolve("runs.csv");
        assertThat(plan("--pool", "4x8", "--csv", runs.toString())).isZero();
        String first = Files.readString(runs);
        assertThat(first).startsWith("cluster,seed,input,mean_wait_minutes,");
        assertThat(plan("--pool", "4x8", "--csv", runs.toString(), "--threads", "1"))
                .isZero();
        assertThat(Files.readString(runs)).isEqualTo(first);
        assertThat(plan("--pool", "4x8", "--csv", runs.toString(), "--interval", "60"))
                .isZero();
        assertThat(Files.readString(runs).lines()).hasSize(3);
    }

    @Test
    void moreArrivals_waitLonger_whateverTheCluster() {
        assertThat(plan("--pool", "6x8", "--arrivals", "2", "--interval", "1")).isZero();
        assertThat(out.toString()).contains("offered load 2.");
        assertThat(run("simulate", "--cycle", "--trace", jobs.toString(), "--pool", "6x8", "--arrivals", "2"))
                .isZero();
        assertThat(out.toString()).contains("offered load 2.");
    }

    @Test
    void nodeLists_areTakenByAllReplays_andByPlace() throws IOException {
        String table = file("table.csv", TABLE);
        assertThat(run("simulate", "--cycle", "--trace", jobs.toString(), "--cluster", table))
                .isZero();
        assertThat(out.toString()).contains("2 nodes, 16 GPUs");
        assertThat(run("simulate", "--replay", "--jobs", jobs.toString(), "--cluster", table, "--policies", "bin-pack"))
                .isZero();
        assertThat(out.toString()).contains("2 nodes, 16 GPUs");
        String pod = file("pod.yaml", "pod: {name: p, cpu: 4, memory: 16Gi, gpu: {exclusive: 3}}\n");
        assertThat(run("place", "--cluster", table, "--pod", pod)).isZero();
        assertThat(out.toString()).contains("n-0");
    }

    @Test
    void theUnitOfTheList_isSaid_andColumnsMayBeNamed() throws IOException {
        assertThat(plan("--pool", "6x8")).isZero();
        assertThat(out.toString()).contains("list: own columns: submit in s, run_seconds in s\n");
        String list = file("other.csv", "when,cards,mins\n0,8,60\n1,8,60\n");
        assertThat(run(
                        "simulate",
                        "plan",
                        "--trace",
                        list,
                        "--pool",
                        "1x8",
                        "--columns",
                        "submit=when:h,gpus=cards,duration=mins:min"))
                .isZero();
        assertThat(out.toString()).contains("list: columns as named: when in h, mins in min\n");
        assertThat(plan("--columns", "submit=when")).isEqualTo(2);
        assertThat(err.toString()).contains("there is no column \"when\" for submit");
    }

    @Test
    void aGoal_isComparedWithTheWholeInterval_whereSeedsGiveOne() {
        assertThat(plan("--pool", "2x8", "--until", "mean wait < 10m", "--grow", "16@8xV100"))
                .isZero();
        assertThat(out.toString())
                .contains("mean wait < 10m (of the list as it is; --seeds compares an interval): +4@");
        assertThat(plan(
                        "--pool",
                        "2x8",
                        "--until",
                        "mean wait < 10m",
                        "--grow",
                        "16@8xV100",
                        "--seeds",
                        "1..6",
                        "--block-hours",
                        "2"))
                .isZero();
        assertThat(out.toString())
                .contains("mean wait < 10m (by the upper end of the 95 % interval): +")
                .containsPattern(
                        "more nodes? meets? it: mean wait \\d+\\.\\d min \\(95 % interval \\d+\\.\\d\\.\\.\\d\\.\\d\\)")
                .contains("warning: 5 blocks are few");
    }

    @Test
    void cheapest_isTheLeastPriceThatMeetsTheGoal_ofAllChoices() throws IOException {
        String models = file("models.csv", "model,price\nV100,1\nT4,0.4\nH100,3\n");
        assertThat(plan(
                        "--pool",
                        "2x8",
                        "--models",
                        models,
                        "--cheapest",
                        "--until",
                        "mean wait < 10m",
                        "--grow",
                        "6@8xH100",
                        "--grow",
                        "3@8xT4",
                        "--grow",
                        "6@8xV100"))
                .isZero();
        assertThat(out.toString())
                .as("three nodes of 3.20 and one of 8 an hour")
                .contains(
                        "+3@8xT4,+1@8xV100 meets it for 33.60 an hour: mean wait 0.0 min; no choice that costs less does");
        assertThat(plan("--cheapest", "--until", "mean wait < 10m", "--grow", "6@8xH100"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("--cheapest goes with --until, --grow and --models");
        assertThat(plan("--cheapest", "--models", models, "--until", "mean wait < 10m", "--grow", "6@8xB200"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("the price of \"B200\" is not known\nMaybe add it to --models.");
    }

    @Test
    void queuesAndBackfill_canBePlannedFor() throws IOException {
        Files.writeString(
                jobs,
                "name,submit,gpus,run_seconds,limit_seconds,queue\nlong,0,8,7200,7200,a\nwide,10,16,600,600,a\n"
                        + "narrow,20,8,1200,1300,b\n");
        assertThat(plan("--pool", "2x8", "--backfill", "nobody")).isZero();
        assertThat(row("now")).contains(" 83.2 ");
        assertThat(plan("--pool", "2x8", "--backfill", "easy", "--told", "limits"))
                .isZero();
        assertThat(row("now")).as("the narrow one starts at once").contains(" 39.9 ");
        assertThat(plan("--pool", "1x8", "--backfill", "nobody", "--until", "mean wait < 1m", "--grow", "4@8xV100"))
                .isZero();
        assertThat(out.toString()).contains("3 more nodes meet it");
        assertThat(plan("--pool", "2x8", "--told", "limits")).isEqualTo(2);
        assertThat(err.toString()).contains("--queues and --told go with --backfill");
        assertThat(plan("--pool", "2x8", "--backfill", "easy", "--failures-per-day", "1"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("--failures-per-day does not go with --backfill");
    }

    private String row(String cluster) {
        return out.toString()
                .lines()
                .filter(line -> line.startsWith(cluster + " "))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void failuresOfNodes_andTheTopologyOfGangs_makeJobsWait() throws IOException {
        assertThat(plan("--pool", "6x8")).isZero();
        String without = row("now");
        assertThat(plan("--pool", "6x8", "--out-hours", "3")).isEqualTo(2);
        assertThat(err.toString()).contains("--out-hours is for nodes that fail or are drained and goes with");
        assertThat(plan("--pool", "6x8", "--failures-per-day", "40", "--out-hours", "3"))
                .isZero();
        assertThat(row("now")).isNotEqualTo(without);
        Files.writeString(jobs, "name,submit,gpus,run_seconds\nj,0,16,60\n");
        String nodes = file("nodes.csv", "name,gpus,model,rack\na,8,V100,r1\nb,8,V100,r2\n");
        assertThat(plan("--cluster", nodes)).isZero();
        assertThat(plan("--cluster", nodes, "--gangs-within", "rack")).isEqualTo(1);
        assertThat(out.toString()).contains("on cluster now job j can never run");
    }

    @Test
    void sharesPartitionsAndSlots_areJobsToo() throws IOException {
        Files.writeString(
                jobs,
                "name,submit,gpus,run_seconds,gpu_percent,mig\na,0,1,60,40,\nb,0,1,60,60,\nc,0,1,60,,1g.10gb\nd,0,1,60,0,\n");
        String plain = file("plain.csv", "name,gpus,model,gpu_memory_gib\na,2,A100,80\n");
        assertThat(plan("--cluster", plain)).isEqualTo(1);
        assertThat(out.toString()).contains("on cluster now job c can never run");
        String cut = file("cut.csv", "name,gpus,model,gpu_memory_gib,mig\na,3,A100,80,yes\n");
        assertThat(plan("--cluster", cut)).isZero();
        assertThat(row("now")).contains(" 0.0 ");
        Files.writeString(jobs, "submit,gpus,run_seconds,gpu_percent\n0,1,60,0\n0,1,60,0\n0,1,60,0\n");
        String turns = file("turns.csv", "name,gpus,model,slots\na,1,T4,2\n");
        assertThat(plan("--cluster", turns)).isZero();
        assertThat(row("now")).as("two by turns, the third after them").contains(" 0.3 ");
    }

    @Test
    void thePage_showsGoalIntervalPriceAndCurve_andJobsThatCanNeverRun() throws IOException {
        Files.writeString(jobs, Files.readString(jobs) + "large,10,99,60\n");
        String models = file("models.csv", "model,price\nV100,2\n");
        Path page = folder.resolve("page.html");
        assertThat(plan(
                        "--pool",
                        "2x8",
                        "--models",
                        models,
                        "--until",
                        "p95 wait < 10m",
                        "--grow",
                        "3@8xV100",
                        "--seeds",
                        "1..4",
                        "--block-hours",
                        "1",
                        "--report",
                        page.toString()))
                .isEqualTo(1);
        assertThat(Files.readString(page))
                .contains("\"rows\":\"cluster\"", "\"number\":\"p95 wait\"", "\"goalMinutes\":10.0", "\"price\":32.0")
                .contains("p95 wait < 10m (by the upper end".replace("<", "\\u003c"))
                .contains("job large can never run")
                .containsPattern("\"interval\":\\[\\d+\\.\\d+,\\d+\\.\\d+\\]");
    }

    @Test
    void whatDoesNotGoTogether_isRefused() {
        assertThat(plan("--until", "mean wait < 10m")).isEqualTo(2);
        assertThat(err.toString()).contains("--until and --grow go together");
        assertThat(plan("--until", "wait < 10m", "--grow", "2@8xT4")).isEqualTo(2);
        assertThat(err.toString()).contains("expected a goal such as \"mean wait < 10m\"");
        assertThat(plan("--what-if", "8xT4")).isEqualTo(2);
        assertThat(err.toString()).contains("expected a change such as -200@V100,+40@8xH100");
        assertThat(plan("--what-if", "-1@T4")).isEqualTo(2);
        assertThat(err.toString()).contains("the cluster has only 0 nodes of T4");
        assertThat(plan("--policy", "nonsense")).isEqualTo(2);
        assertThat(plan("--block-hours", "3")).isEqualTo(2);
        assertThat(err.toString()).contains("--block-hours goes with --seeds");
    }
}
