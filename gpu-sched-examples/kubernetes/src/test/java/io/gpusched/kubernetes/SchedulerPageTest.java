package io.gpusched.kubernetes;

import static io.gpusched.kubernetes.Manifests.pod;
import static io.gpusched.kubernetes.Manifests.t9kNode;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.kubernetes.process.SchedulerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a scheduler that runs serves at its health port for people to look at. */
class SchedulerPageTest {
    @RegisterExtension
    static final TestPlane plane = TestPlane.shared();

    private final ClusterCalls calls = plane.calls();

    @Test
    void healthPort_servesThePage_withWhatRuns_andWhyOthersWait() {
        plane.addNodes(t9kNode("n1", "xgn", 4));
        calls.create(pod("small", T9kDialect.GPU, "3"));
        calls.create(pod("large", T9kDialect.GPU, "8"));
        SchedulerProcess process = plane.run(TestPlane.settings("t9k").withHealthPort(0));
        assertThat(Fetch.text(process.healthPort(), "/"))
                .contains("<h1 id=\"title\">")
                .contains("live.json");
        Await.until("one waits", () -> !data(process).at("/pending").isEmpty());
        calls.awaitBound("small");
        Await.until(
                "the page has the pod that is bound",
                () -> data(process).at("/pods").asInt() == 1);
        JsonNode data = data(process);
        assertThat(data.at("/state").asText()).isEqualTo("leading");
        assertThat(data.at("/map/0/nodes/0/gpus").toString()).isEqualTo("[-1,-1,-1,0]");
        assertThat(data.at("/pending/0/name").asText()).isEqualTo("default/large");
        assertThat(data.at("/pending/0/reason").asText()).isEqualTo("no room");
        assertThat(data.at("/pending/0/message").asText()).contains("8");
    }

    @Test
    void metrics_keepTheConventionsOfPrometheus_afterPodsWereBoundAndRefused() {
        plane.addNodes(t9kNode("n1", "xgn", 4), t9kNode("n2", "xgn", 1));
        calls.create(pod("small", T9kDialect.GPU, "3"));
        calls.create(pod("large", T9kDialect.GPU, "8"));
        SchedulerProcess process = plane.run(TestPlane.settings("t9k").withHealthPort(0));
        calls.awaitBound("small");
        Await.until(
                "the binding is counted",
                () -> Fetch.text(process.healthPort(), "/metrics")
                        .contains("gpusched_bindings_total{result=\"bound\"} 1"));
        String text = Fetch.text(process.healthPort(), "/metrics");
        assertThat(PrometheusText.problems(text, "gpusched_")).isEmpty();
        assertThat(text)
                .contains("# TYPE gpusched_decision_seconds histogram", "# TYPE process_cpu_seconds_total counter")
                .contains("gpusched_node_gpus{node=\"n1\",state=\"whole\"} 3");
    }

    private static JsonNode data(SchedulerProcess process) {
        try {
            return new ObjectMapper().readTree(Fetch.text(process.healthPort(), "/live.json"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
