package io.gpusched.examples.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gpusched.examples.paper.PaperPolicies;
import io.gpusched.examples.replay.Disruptions;
import io.gpusched.examples.replay.QueueOrder;
import io.gpusched.examples.replay.Replay;
import io.gpusched.examples.replay.ReplayResult;
import io.gpusched.examples.replay.Scenario;
import io.gpusched.examples.simulate.Arrivals;
import io.gpusched.examples.simulate.Experiment;
import io.gpusched.examples.simulate.NamedPolicy;
import io.gpusched.examples.simulate.RunListener;
import io.gpusched.examples.simulate.RunResult;
import io.gpusched.examples.trace.GeneratedWorkload;
import io.gpusched.examples.trace.Workload;
import io.gpusched.policy.BinPack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
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
        return new Experiment(workload, List.of(Arrivals.shuffled(workload, 42, 1.3)), policies)
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
        String dom = dom(browser(), page);
        int gpus = (int) (workload.gpuMillis() / 1_000);
        assertThat(dom).contains("data-rendered=\"true\"", "data-cells=\"" + gpus + "\"");
        assertThat(count(dom, "class=\"curve\"")).as("three charts").isEqualTo(3 * POLICIES.size());
        assertThat(count(dom, "class=\"gpu ")).isEqualTo(gpus);
        assertThat(dom).contains("allocated GPU compute, %", "fragmented GPU compute, %", "held whole", "fgd-paper");
        long classes = results().get(0).end().classes().keySet().stream()
                .filter(nodeClass -> !nodeClass.gpus().isEmpty())
                .count();
        assertThat(count(dom, "<div class=\"row\">")).isEqualTo((int) classes);
    }

    @Test
    void replayPage_rendersInABrowser() throws IOException, InterruptedException {
        Scenario scenario = Scenario.of(GeneratedWorkload.of(1, 0.01, 2));
        List<ReplayResult> replays = Stream.of(7L, 8L)
                .map(seed -> Replay.play(
                        scenario, "bin-pack", BinPack.of(), QueueOrder.FIFO_SKIP, new Disruptions(9, 0, 1), seed))
                .toList();
        Path page = folder.resolve("replay.html");
        ReportPage.write(page, ReplayReport.of("title", "subtitle", replays));
        String dom = dom(browser(), page);
        assertThat(dom)
                .contains("data-rendered=\"true\"", "data-curves=\"3\"", "jobs that wait", "hours since the start");
        assertThat(dom).doesNotContain("The cluster at the end</h2>");
    }

    private static int count(String text, String part) {
        return (text.length() - text.replace(part, "").length()) / part.length();
    }

    /** Returns the browser; without one the test is skipped, or fails where one is required. */
    private static Path browser() {
        Optional<Path> found = Stream.of("chromium", "chromium-browser", "google-chrome")
                .flatMap(name -> Stream.of(
                                System.getenv().getOrDefault("PATH", "").split(":"))
                        .map(part -> Path.of(part, name)))
                .filter(Files::isExecutable)
                .findFirst();
        boolean required = "true".equals(System.getenv("GPU_SCHED_REQUIRE_BROWSER"));
        assertThat(required && found.isEmpty())
                .as("GPU_SCHED_REQUIRE_BROWSER is set, and there is no chromium on the path")
                .isFalse();
        assumeTrue(found.isPresent(), "skipped: no chromium on the path");
        return found.orElseThrow();
    }

    private String dom(Path browser, Path page) throws IOException, InterruptedException {
        Path output = folder.resolve("dom.html");
        Process process = new ProcessBuilder(
                        browser.toString(),
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-quic",
                        "--no-first-run",
                        "--disable-background-networking",
                        "--disable-component-update",
                        "--disable-sync",
                        "--disable-dev-shm-usage",
                        "--user-data-dir=" + folder.resolve("profile"),
                        "--dump-dom",
                        page.toUri().toString())
                .redirectOutput(output.toFile())
                .redirectError(folder.resolve("browser.log").toFile())
                .start();
        assertThat(process.waitFor(120, TimeUnit.SECONDS)).as("browser ends").isTrue();
        return Files.readString(output);
    }
}
