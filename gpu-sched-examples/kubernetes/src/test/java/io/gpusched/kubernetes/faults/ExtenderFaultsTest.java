package io.gpusched.kubernetes.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.gpusched.kubernetes.Await;
import io.gpusched.kubernetes.Manifests;
import io.gpusched.kubernetes.command.ListenAddress;
import io.gpusched.kubernetes.extender.ExtenderProcess;
import io.gpusched.manifests.dialect.Dialects;
import io.gpusched.manifests.view.DialectSet;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The extender against an API server whose watches end in every way. */
class ExtenderFaultsTest {
    private static final int NODES = 30;
    private static final int MOST_NODES = 600;
    private static final List<Fault> ENDS = List.of(Fault.WATCH_ENDS, Fault.WATCH_ENDS_GONE, Fault.WATCH_ENDS_FAILED);

    @Test
    void whateverEndsAWatch_theExtenderGoesOnToFollow() throws IOException {
        Faults faults = new Faults(1, 0, 0, 40, new FaultTurns());
        DialectSet dialects = new DialectSet(List.of(Dialects.find("nano-gpu").orElseThrow()));
        try (FaultyApiServer server = new FaultyApiServer(faults);
                KubernetesClient test = server.client(WrittenBy.TEST);
                KubernetesClient own = server.client("extender");
                ExtenderProcess extender = ExtenderProcess.start(
                        own,
                        dialects,
                        "gpu-sched",
                        new ListenAddress("127.0.0.1", 0),
                        Optional.empty(),
                        plain -> plain)) {
            for (int i = 0; i < NODES || i < MOST_NODES && !haveEnded(faults); i++) {
                test.resource(Manifests.node("n" + i, Map.of(), Map.of("nano-gpu/gpu-percent", "100")))
                        .create();
                if (i % 5 == 4) {
                    awaitKnown(extender, "n" + i);
                }
            }
            Await.until(
                    "it is ready", () -> ExtenderCalls.get(extender, "readyz").statusCode() == 200);
            assertThat(server.listsFromCache).isEmpty();
        }
        assertThat(haveEnded(faults)).as("ends among %s", faults.happened()).isTrue();
    }

    /** A node that comes while no watch is open is told by a list, and nothing goes wrong with it. */
    private static boolean haveEnded(Faults faults) {
        return faults.happened().keySet().containsAll(ENDS);
    }

    private static void awaitKnown(ExtenderProcess extender, String node) {
        Await.until(
                "it knows node " + node,
                () -> ExtenderCalls.filter(extender, node).body().contains("\"NodeNames\":[\"" + node + "\"]"));
    }
}
