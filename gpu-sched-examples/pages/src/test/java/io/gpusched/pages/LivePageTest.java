package io.gpusched.pages;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.gpusched.model.Cluster;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.NodeMode;
import io.gpusched.testkit.Browser;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LivePageTest {
    private static final String CAUSE =
            "node n2: 1 GPU is held by pods without a readable grant: default/p (must be JSON)";

    @TempDir
    private Path folder;

    private static Node node(int index, int gpus) {
        return Node.builder("n" + index)
                .mode(NodeMode.MIXED)
                .capacity(64_000, 65_536)
                .gpus(gpus, GpuModel.of("nvidia", "T4", 0))
                .build();
    }

    private static LiveReport report(String state, Cluster cluster, List<LiveReport.Pending> pending) {
        return LiveReport.of("gpu-sched", state, cluster, List.of(CAUSE), new LiveReport.Queue(1, 2, 3, 4), pending, 2);
    }

    private static LiveReport.Pending pending(String name, String message) {
        return new LiveReport.Pending(name, 3, true, "no room", message);
    }

    private static Cluster cluster(int nodes) {
        return Cluster.of(
                IntStream.range(0, nodes).mapToObj(index -> node(index, 4)).toList());
    }

    /** Serves the page with one report after the other, the last one for ever. */
    private String dom(String path, LiveReport... reports) throws IOException, InterruptedException {
        Browser browser = Browser.find(folder);
        Deque<LiveReport> left = new ArrayDeque<>(List.of(reports));
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> answer(exchange, left));
        server.start();
        try {
            return browser.dom("http://127.0.0.1:" + server.getAddress().getPort() + path);
        } finally {
            server.stop(0);
        }
    }

    private static void answer(HttpExchange exchange, Deque<LiveReport> left) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String text = switch (path) {
            case "/" -> html("");
            case "/narrow" -> html(WIDTH);
            case "/frame" -> FRAME;
            case "/wide" -> html(MEASURES);
            case "/wideframe" -> FRAME.replace("narrow", "wide").replace("420", "1300");
            case "/" + LivePage.DATA -> next(left);
            default -> "";
        };
        boolean isHtml = !path.equals("/" + LivePage.DATA);
        exchange.getResponseHeaders().add("Content-Type", isHtml ? "text/html; charset=utf-8" : "application/json");
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(text.isEmpty() ? 503 : 200, body.length == 0 ? -1 : body.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
        }
    }

    private static synchronized String next(Deque<LiveReport> left) throws IOException {
        return left.isEmpty()
                ? ""
                : new ObjectMapper().writeValueAsString(left.size() > 1 ? left.removeFirst() : left.getFirst());
    }

    private static String html(String more) throws IOException {
        return LivePage.html().replace("</body>", more + "</body>");
    }

    private static final String WIDTH = "<script>setInterval(() => parent.postMessage("
            + "document.documentElement.scrollWidth + ' of ' + innerWidth + ' ' + at('pending').rows.length, '*'), 100)"
            + "</script>";

    private static final String MEASURES =
            "<script>setInterval(() => at('pending').rows.length > 1 && parent.postMessage('measured ' +"
                    + " at('pending').rows[1].cells[0].clientWidth + ' ' + at('pending').rows[1].cells[3].clientWidth + '"
                    + " ' + document.querySelector('#map rect').getAttribute('width') + ' end', '*'), 100)</script>";

    /** A browser's own window is never narrower than 500 pixels. */
    private static final String FRAME = "<script>addEventListener('message', e => document.title = e.data)</script>"
            + "<iframe src=\"narrow\" width=\"420\" height=\"9000\" frameborder=\"0\"></iframe>";

    @Test
    void page_showsNumbersNodesAndWhoWaits() throws IOException, InterruptedException {
        String dom = dom(
                "/",
                report(
                        "leading",
                        cluster(3),
                        List.of(
                                pending("default/a", "12 nodes are full"),
                                pending("default/b", "x"),
                                pending("c", "y"))));
        assertThat(dom).contains("data-rendered=\"true\"", "data-cells=\"12\"", "3 nodes, 12 GPUs");
        assertThat(Pattern.compile("class=\"gpu idle\"").matcher(dom).results()).hasSize(12);
        assertThat(dom).contains("group default/a", "12 nodes are full", "The first 2 of 3 are shown.");
        assertThat(dom).contains("4 × T4, 64 cores, 64 GiB", "held whole");
    }

    @Test
    void aPageOfOneMoment_needsNothingButItself() throws IOException, InterruptedException {
        LiveReport report = report("snapshot", cluster(2), List.of(pending("default/a", "</script> is no end")));
        Path page = Files.writeString(
                folder.resolve("map.html"), LivePage.of(new ObjectMapper().writeValueAsString(report)));
        String dom = Browser.find(folder).dom(page.toUri().toString());
        assertThat(dom)
                .contains("data-rendered=\"true\"", "data-cells=\"8\"", "2 nodes, 8 GPUs")
                .contains("What their own schedulers told them.", "&lt;/script&gt; is no end", CAUSE);
    }

    /** As on a laptop: names on one line, words in lines that can be read, GPUs that can be pointed at. */
    @Test
    void at1300Pixels_theTableIsReadable_andTheMapLarge() throws IOException, InterruptedException {
        String words = "pod \"a-long-name-of-a-pod\": no room now on any of 1,000 nodes ".repeat(20);
        String dom = dom("/wideframe", report("leading", cluster(12), List.of(pending("team-a/trainer-0", words))));
        Matcher measured =
                Pattern.compile("measured ([0-9]+) ([0-9]+) ([0-9]+) end").matcher(dom);
        assertThat(measured.find()).as(dom).isTrue();
        assertThat(Integer.parseInt(measured.group(1))).as("name").isBetween(200, 400);
        assertThat(Integer.parseInt(measured.group(2))).as("words").isGreaterThan(600);
        assertThat(Integer.parseInt(measured.group(3))).as("GPU").isGreaterThanOrEqualTo(16);
    }

    @Test
    void page_followsWhatChanges_withoutBeingLoadedAgain() throws IOException, InterruptedException {
        Cluster before = cluster(3);
        Cluster broken = Cluster.of(List.of(node(0, 4).withGpuHealth(2, false), node(1, 4), node(2, 4)));
        String dom = dom(
                "/",
                report("leading", before, List.of(pending("default/gone", "x"))),
                report("leading", broken, List.of(pending("default/next", "y"))));
        assertThat(dom).contains("group default/next", CAUSE).doesNotContain("default/gone");
        assertThat(Pattern.compile("class=\"gpu idle\"").matcher(dom).results()).hasSize(11);
        assertThat(dom).containsPattern("data-node=\"0\" data-gpu=\"2\" class=\"gpu unhealthy\"");
    }

    @Test
    void page_drawsAnew_whenNodesComeAndGo() throws IOException, InterruptedException {
        String dom = dom("/", report("leading", cluster(3), List.of()), report("leading", cluster(5), List.of()));
        assertThat(dom).contains("data-cells=\"20\"");
        assertThat(Pattern.compile("class=\"gpu idle\"").matcher(dom).results()).hasSize(20);
    }

    @Test
    void names_neverBecomeMarkup() throws IOException, InterruptedException {
        String evil = "<img src=x onerror=document.title='taken'>";
        Cluster cluster = Cluster.of(List.of(Node.builder("n")
                .mode(NodeMode.MIXED)
                .capacity(64_000, 65_536)
                .gpus(1, GpuModel.of("nvidia", "<b>T4</b>", 0))
                .build()));
        String dom = dom("/", report("leading", cluster, List.of(pending(evil, evil))));
        assertThat(dom).contains("group &lt;img src=x").doesNotContain("<img", "<b>T4", "<title>taken");
    }

    @Test
    void replicaThatWaits_andServerThatDoesNotAnswer_saySo() throws IOException, InterruptedException {
        assertThat(dom("/", report("waiting", Cluster.of(List.of()), List.of())))
                .contains("This replica waits for its turn", "no nodes with GPUs");
        assertThat(dom("/")).contains("No answer since");
    }

    @Test
    void page_inANarrowWindow_needsNoSidewaysScrolling() throws IOException, InterruptedException {
        List<LiveReport.Pending> pending = List.of(pending("default/" + "long".repeat(30), "word".repeat(60)));
        assertThat(dom("/frame", report("leading", cluster(200), pending))).contains("<title>420 of 420 2</title>");
    }

    @Test
    void page_needsNothingFromElsewhere() throws IOException {
        assertThat(LivePage.html()).doesNotContain("src=", "<link", "@import", "url(http", "REPORT-");
    }
}
