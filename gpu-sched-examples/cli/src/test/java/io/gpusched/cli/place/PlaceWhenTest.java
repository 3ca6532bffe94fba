package io.gpusched.cli.place;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code place --when}: two nodes of two GPUs, and when what runs there ends. */
class PlaceWhenTest {
    @TempDir
    private Path folder;

    private static final String NODES = PlaceRun.NODE + "---\n" + PlaceRun.NODE.replace("n1", "n2");

    private static final String STARTED = "status: {startTime: \"2026-01-01T11:00:00Z\"}\n";

    /** A pod; with a node it runs there since eleven o'clock. */
    private static String pod(String name, String metadata, String spec, int gpus) {
        return "---\nkind: Pod\nmetadata: {name: " + name + metadata + "}\nspec:\n" + spec
                + "  containers: [{name: main, resources: {limits: {nvidia.com/gpu: " + gpus + "}}}]\n"
                + (spec.contains("nodeName") ? STARTED : "");
    }

    private static String on(String node, String spec) {
        return "  nodeName: " + node + "\n" + spec;
    }

    /** Ends by half past twelve, the default grace of 30 s included. */
    private static final String LIMIT = "  activeDeadlineSeconds: 5370\n";

    private static final String EXPECTED = ", annotations: {gpu-sched.io/expected-seconds: \"7200\"}";

    private static final String A = pod("a", "", on("n1", LIMIT), 2);

    private PlaceRun when(String cluster, String asked, String... more) {
        List<String> options = new ArrayList<>(List.of("--when", "--now", "2026-01-01T12:00:00Z"));
        options.addAll(List.of(more));
        return PlaceRun.manifests(folder, cluster, asked, options.toArray(String[]::new));
    }

    @Test
    void aPodThatWaitsForOneWithADeadline_startsByItsEndAtTheLatest() {
        PlaceRun run = when(NODES + A + pod("b", EXPECTED, on("n2", ""), 2), pod("p", "", "", 2));
        assertThat(run.code()).as(run.err()).isEqualTo(1);
        assertThat(run.out())
                .contains("not placed: pod \"p\"")
                .contains("start of pod \"p\": 2026-01-01T12:30:00Z at the latest on n1:"
                        + " waits for pod \"a\" on n1 to end\n");
    }

    @Test
    void anExpectedRunTime_makesAnEstimate() {
        PlaceRun run =
                when(NODES + pod("a", "", on("n1", ""), 2) + pod("b", EXPECTED, on("n2", ""), 2), pod("p", "", "", 2));
        assertThat(run.out())
                .as(run.err())
                .contains("start of pod \"p\": about 2026-01-01T13:00:00Z (estimate) on n2:"
                        + " waits for pod \"b\" on n2 to end\n");
    }

    @Test
    void whereNoEndIsKnown_theStartIsUnknown() {
        String cluster = NODES
                + pod("a", "", on("n1", LIMIT), 1)
                + pod("c", "", on("n1", ""), 1)
                + pod("b", "", on("n2", ""), 2);
        assertThat(when(cluster, pod("p", "", "", 2)).out())
                .contains("start of pod \"p\": unknown: no room even after the end of all pods whose end is known"
                        + " (1 of 3)\n");
    }

    @Test
    void aDeadlineThatIsOver_orOfAPodThatHasNotStarted_isNoBound() {
        String over =
                NODES + pod("a", "", on("n1", "  activeDeadlineSeconds: 60\n"), 2) + pod("b", "", on("n2", ""), 2);
        assertThat(when(over, pod("p", "", "", 2)).out()).contains("start of pod \"p\": about ", " (estimate) on n1");
        String notStarted = NODES + A.replace(STARTED, "") + pod("b", "", on("n2", ""), 2);
        assertThat(when(notStarted, pod("p", "", "", 2)).out())
                .contains("start of pod \"p\": about 2026-01-01T13:30:00Z (estimate) on n1");
    }

    @Test
    void theDeadlineOfItsJob_andItsDeletion_endAPodToo() {
        String job = "---\napiVersion: batch/v1\nkind: Job\nmetadata: {name: j}\n"
                + "spec: {activeDeadlineSeconds: 4170, template: {spec: {containers: [{name: main}]}}}\n" + STARTED;
        String owner = ", ownerReferences: [{apiVersion: batch/v1, kind: Job, name: j, uid: u}]";
        String rest = pod("b", "", on("n2", ""), 2);
        assertThat(when(NODES + job + pod("a", owner, on("n1", LIMIT), 2) + rest, pod("p", "", "", 2))
                        .out())
                .contains("start of pod \"p\": 2026-01-01T12:10:00Z at the latest on n1");
        String deleted = ", deletionTimestamp: \"2026-01-01T12:00:20Z\"";
        assertThat(when(NODES + pod("a", deleted, on("n1", ""), 2) + rest, pod("p", "", "", 2))
                        .out())
                .contains("start of pod \"p\": 2026-01-01T12:00:20Z at the latest on n1");
    }

    @Test
    void severalThatWait_areServedInTheOrderAsked_andNoneDelaysOneBeforeIt() {
        String cluster = NODES + A + pod("b", "", on("n2", ""), 2);
        PlaceRun run = when(cluster, pod("p", "", LIMIT, 2) + pod("q", "", LIMIT, 1) + pod("r", "", "", 1));
        assertThat(run.out())
                .as(run.err())
                .contains("start of pod \"p\": 2026-01-01T12:30:00Z at the latest on n1: waits for pod \"a\" on n1")
                .contains("start of pod \"q\": 2026-01-01T14:00:00Z at the latest on n1: waits for pod \"p\" to end")
                .contains("start of pod \"r\": 2026-01-01T14:00:00Z at the latest on n1: waits for pod \"p\" to end");
    }

    @Test
    void whatIsPlaced_startsNow_andEndsByItsJobsDeadline() {
        String job =
                "---\napiVersion: batch/v1\nkind: Job\nmetadata: {name: j}\nspec: {activeDeadlineSeconds: 570, template: "
                        + "{spec: {containers: [{name: main, resources: {limits: {nvidia.com/gpu: 2}}}]}}}\n";
        PlaceRun run = when(NODES + A, job + job.replace("name: j", "name: k"));
        assertThat(run.out())
                .as(run.err())
                .contains("start of pod \"j-0\": now on n2\n")
                .contains("start of pod \"k-0\": 2026-01-01T12:10:00Z at the latest on n2:"
                        + " waits for pod \"j-0\" on n2 to end\n");
    }

    @Test
    void aGroup_startsWhenAllOfItsMinimumHasRoomTogether() {
        String group = "apiVersion: scheduling.k8s.io/v1beta1\nkind: PodGroup\nmetadata: {name: g}\n"
                + "spec: {schedulingPolicy: {gang: {minCount: 2}}}\n";
        String member = "  schedulingGroup: {podGroupName: g}\n";
        String cluster = NODES + A + pod("b", "", on("n2", "  activeDeadlineSeconds: 7170\n"), 2);
        assertThat(when(cluster, group + pod("p0", "", member, 2) + pod("p1", "", member, 2))
                        .out())
                .contains("start of group \"g\": 2026-01-01T13:00:00Z at the latest on n1, n2:"
                        + " waits for pod \"b\" on n2 to end\n");
    }

    @Test
    void asJson_theStartIsData() {
        String cluster = NODES + A + pod("b", "", on("n2", ""), 2);
        assertThat(when(cluster, pod("p", "", "", 2), "--json").out().replaceAll("\\s+", ""))
                .contains("\"start\":{\"certainty\":\"BOUND\",\"at\":\"2026-01-01T12:30:00Z\",\"nodes\":[\"n1\"],"
                        + "\"reason\":\"waitsforpod\\\"a\\\"onn1toend\"}");
        assertThat(PlaceRun.manifests(folder, cluster, pod("p", "", "", 2), "--json")
                        .out())
                .doesNotContain("\"start\"");
    }

    @Test
    void whatIsMalformed_isToldWithItsLine() {
        String wrong = pod("p", ", annotations: {gpu-sched.io/expected-seconds: 2h}", "", 1);
        assertThat(when(NODES, wrong).err())
                .contains("p.yaml, line 3, field metadata.annotations.gpu-sched.io/expected-seconds:"
                        + " must be a whole number of seconds in 0..2147483647, got \"2h\"");
        assertThat(when(NODES + A.replace("11:00:00Z", "eleven"), pod("p", "", "", 1))
                        .err())
                .contains("a time must be like 2026-01-31T12:00:00Z, got \"2026-01-01Televen\"");
        assertThat(PlaceRun.manifests(folder, NODES, pod("p", "", "", 1), "--now", "2026-01-01T12:00:00Z")
                        .err())
                .contains("--now goes with --when");
    }
}
