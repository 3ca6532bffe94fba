package io.gpusched.simulator.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.policy.BinPack;
import io.gpusched.queue.JobQueue;
import io.gpusched.queue.QueueTree;
import io.gpusched.simulator.ArrivalSequence;
import io.gpusched.simulator.Experiment;
import io.gpusched.simulator.NamedPolicy;
import io.gpusched.simulator.RunListener;
import io.gpusched.simulator.RunResult;
import io.gpusched.simulator.cycle.CycleReplay;
import io.gpusched.simulator.cycle.CycleRule;
import io.gpusched.simulator.cycle.CycleScenario;
import io.gpusched.simulator.cycle.RunTimes;
import io.gpusched.simulator.paper.PaperPolicies;
import io.gpusched.simulator.replay.Disruptions;
import io.gpusched.simulator.replay.QueueOrder;
import io.gpusched.simulator.replay.Replay;
import io.gpusched.simulator.replay.ReplayResult;
import io.gpusched.simulator.replay.ReplaySummary;
import io.gpusched.simulator.replay.Scenario;
import io.gpusched.simulator.trace.GangTrace;
import io.gpusched.simulator.trace.GeneratedWorkload;
import io.gpusched.simulator.trace.JobColumns;
import io.gpusched.simulator.trace.JobTrace;
import io.gpusched.simulator.trace.SmallTraces;
import io.gpusched.simulator.trace.Workload;
import io.gpusched.testkit.Browser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportPageTest {
    private static final List<String> POLICIES = List.of("random-paper", "best-fit-paper", "fgd-paper");

    @TempDir
    private Path folder;

    private final Workload workload = GeneratedWorkload.of(1, 0.02, 1);

    private List<RunResult> results() {
        List<NamedPolicy> policies = POLICIES.stream()
                .map(name -> new NamedPolicy(name, (w, a, mix) -> PaperPolicies.placer(name, w, a, mix)))
                .toList();
        return new Experiment(workload, List.of(ArrivalSequence.shuffled(workload, 42, 1.3)), policies)
                .run(2, RunListener.NONE);
    }

    @Test
    void page_needsNothingFromElsewhere() throws IOException {
        String html = ReportPage.html(Report.of(workload, results()));
        assertThat(html).doesNotContain("REPORT-DATA", "src=", "<link", "@import", "url(http");
        assertThat(Pattern.compile("https?://")
                        .matcher(html)
                        .results()
                        .map(hit -> html.substring(hit.start(), hit.end() + 10)))
                .as("only the name of the SVG namespace")
                .allMatch(address -> address.equals("http://www.w3.org/20".substring(0, address.length())));
    }

    @Test
    void page_keepsNamesFromBecomingMarkup() throws IOException {
        Workload odd = new Workload("</script><b>", workload.nodes(), workload.pods());
        assertThat(ReportPage.html(Report.of(odd, results()))).doesNotContain("</script><b>");
    }

    @Test
    void page_rendersInABrowser() throws IOException, InterruptedException {
        Path page = folder.resolve("report.html");
        ReportPage.write(page, Report.of(workload, results()));
        String dom = dom(page);
        int gpus = (int) (workload.gpuMillis() / 1_000);
        assertThat(dom).contains("data-rendered=\"true\"", "data-cells=\"" + gpus + "\"");
        assertThat(count(dom, "class=\"curve\"")).as("three charts").isEqualTo(3 * POLICIES.size());
        assertThat(count(dom, "class=\"gpu ")).isEqualTo(gpus);
        assertThat(dom).contains("allocated GPU compute, %", "fragmented GPU compute, %", "held whole", "fgd-paper");
        assertThat(count(dom, "<div class=\"row\">"))
                .as("bars and kinds of nodes")
                .isEqualTo(POLICIES.size() + 15);
        assertThat(dom).contains("Idle compute by cause", "too few GPUs in one place", "too little CPU");
        assertThat(count(dom, "stroke-dasharray=\"8 4\""))
                .as("in the key and each chart")
                .isEqualTo(4);
    }

    @Test
    void pages_inANarrowWindowNeedNoSidewaysScrolling() throws IOException, InterruptedException {
        for (Record report : List.of(Report.of(workload, results()), replayReport())) {
            String asks = "<script>parent.postMessage(document.documentElement.scrollWidth + ' of ' + innerWidth, '*');"
                    + "</script></body>";
            Files.writeString(
                    folder.resolve("narrow.html"), ReportPage.html(report).replace("</body>", asks));
            // A browser's own window is never narrower than 500 pixels.
            Path frame = Files.writeString(
                    folder.resolve("frame.html"),
                    "<script>addEventListener('message', e => document.title = e.data)</script>"
                            + "<iframe src=\"narrow.html\" width=\"420\" height=\"9000\" frameborder=\"0\"></iframe>");
            assertThat(dom(frame)).contains("<title>420 of 420</title>");
        }
    }

    @Test
    void replayReport_holdsNumbersAndTheClusterWhenTheLastJobArrived() {
        ReplayReport report = replayReport();
        ReplayReport.PolicyPart part = report.policies().get(0);
        assertThat(part.numbers().usedInterval()).hasSize(2).allMatch(end -> end >= 0 && end <= 100);
        assertThat(part.numbers().p99WaitMinutes())
                .isGreaterThanOrEqualTo(part.numbers().medianWaitMinutes());
        assertThat(part.cluster().seed()).isEqualTo(7);
        assertThat(part.cluster().map())
                .anyMatch(row -> row.nodes().stream()
                        .anyMatch(node -> node.gpus().stream().anyMatch(use -> use != 0)));
        assertThat(report.notes()).allMatch(note -> note.startsWith("no steady state: bin-pack, in "));
    }

    @Test
    void replayPage_rendersInABrowser() throws IOException, InterruptedException {
        Path page = folder.resolve("replay.html");
        ReportPage.write(page, replayReport());
        String dom = dom(page);
        assertThat(dom)
                .contains("data-rendered=\"true\"", "data-curves=\"3\"", "jobs that wait", "hours since the start");
        assertThat(dom).contains("mean wait, min", "never started", "Idle compute by cause");
        assertThat(count(dom, "class=\"gpu ")).as("a map").isPositive();
        assertThat(dom).contains("<h2 id=\"maptitle\">The cluster when the last job arrived</h2>");
    }

    @Test
    void queuePage_rendersInABrowser() throws IOException, InterruptedException {
        CycleScenario scenario = CycleScenario.of(
                "helios",
                GangTrace.nodes(2),
                QueueTree.of(List.of(
                        JobQueue.builder("a").build(), JobQueue.builder("b").build())),
                JobTrace.read(SmallTraces.folder("gang").resolve("helios_head.csv"), JobColumns.NONE)
                        .jobs());
        Path page = folder.resolve("queues.html");
        ReportPage.write(
                page,
                CurveReport.ofQueues(
                        "Two </script>queues",
                        List.of("a note"),
                        CycleReplay.play(scenario, CycleRule.ANYONE, RunTimes.EXACT)));
        assertThat(dom(page))
                .contains(
                        "data-rendered=\"true\"",
                        "data-curves=\"6\"",
                        "fair share of the GPUs, %",
                        "all queues",
                        "a note");
    }

    private static ReplayReport replayReport() {
        Scenario scenario = Scenario.of(GeneratedWorkload.of(1, 0.01, 2));
        List<ReplayResult> replays = Stream.of(7L, 8L)
                .map(seed -> Replay.play(
                        scenario, "bin-pack", BinPack.of(), QueueOrder.FIFO_SKIP, new Disruptions(9, 0, 1), seed))
                .toList();
        return ReplayReport.of("title", "subtitle", scenario, ReplaySummary.of(replays));
    }

    private static int count(String text, String part) {
        return (text.length() - text.replace(part, "").length()) / part.length();
    }

    private String dom(Path page) throws IOException, InterruptedException {
        return Browser.find(folder).dom(page.toUri().toString());
    }
}
