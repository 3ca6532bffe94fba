package io.gpusched.kubernetes.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.kubernetes.Await;
import io.gpusched.kubernetes.Manifests;
import io.gpusched.kubernetes.process.SchedulerProcess;
import io.gpusched.kubernetes.process.SchedulerSettings;
import io.gpusched.manifests.dialect.Dialects;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is to be said once is said though the API server fails at the first try and nothing else changes. */
class FailedWritesTest {
    private final FaultyApiServer server =
            new FaultyApiServer(Faults.ofFirstWrites(Fault.WRITE_FAILED, Fault.WRITE_TOO_MANY));
    private final KubernetesClient client = server.client(WrittenBy.TEST);
    private final KubernetesClient own = server.client("one");

    private SchedulerProcess start() throws IOException {
        return SchedulerProcess.start(
                own,
                SchedulerSettings.of(List.of(Dialects.find("t9k").orElseThrow()))
                        .withStatusInterval(Duration.ofMillis(200)));
    }

    private void assertBothFailed() {
        assertThat(server.faults.happened()).containsOnlyKeys(Fault.WRITE_FAILED, Fault.WRITE_TOO_MANY);
    }

    /** The server in memory does not know this kind of patch; that it is asked again is what counts. */
    @Test
    void whyAPodWaits_isWrittenAgain() throws IOException {
        client.resource(Manifests.pod("p", T9kDialect.GPU, "1")).create();
        try (SchedulerProcess process = start()) {
            Await.until("it has read the cluster", process::isReady);
            Await.until(
                    "it is tried a third time", () -> server.writtenBy("one").count("pods") == 3);
        }
        assertBothFailed();
    }

    @Test
    void theTaintOfNodesForWholeGpus_isWritten() throws IOException {
        client.nodes().resource(Manifests.t9kNode("whole", "xgn", 1)).create();
        try (SchedulerProcess process = start()) {
            Await.until("it has read the cluster", process::isReady);
            Await.until(
                    "the node is tainted",
                    () -> client.nodes().withName("whole").get().getSpec().getTaints().stream()
                            .anyMatch(taint -> T9kDialect.XGN_TAINT.key().equals(taint.getKey())));
        }
        assertBothFailed();
    }

    @AfterEach
    void close() {
        own.close();
        client.close();
        server.close();
    }
}
