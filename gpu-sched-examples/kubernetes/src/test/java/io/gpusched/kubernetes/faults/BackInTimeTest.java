package io.gpusched.kubernetes.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.mockwebserver.crud.AttributeSet;
import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.kubernetes.Await;
import io.gpusched.kubernetes.Bookings;
import io.gpusched.kubernetes.Manifests;
import io.gpusched.kubernetes.command.ListenAddress;
import io.gpusched.kubernetes.decide.PendingReason;
import io.gpusched.kubernetes.extender.ExtenderProcess;
import io.gpusched.kubernetes.process.SchedulerProcess;
import io.gpusched.manifests.dialect.Dialects;
import io.gpusched.manifests.view.DialectSet;
import io.gpusched.model.PodId;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The API server's etcd is restored from a backup: pods that were deleted since are there again, under their identities. */
class BackInTimeTest {
    private final FaultyApiServer server = new FaultyApiServer(Faults.none());

    @Test
    void aPodThatIsThereAgain_keepsItsPartOfAGpu() {
        try (FaultScene scene = new FaultScene(server)) {
            SchedulerProcess process = scene.start("one");
            share(scene, "first", 60);
            scene.calls.awaitBound("first");
            Map<AttributeSet, String> backup = server.backup();
            scene.calls.delete("first");
            share(scene, "between", 90);
            scene.calls.awaitBound("between");

            server.restore(backup);
            Await.until(
                    "the first is counted, and the other not",
                    () -> runs(process, "first") && !runs(process, "between"));
            share(scene, "second", 60);
            share(scene, "third", 40);

            scene.calls.awaitBound("first", "third");
            Await.until(
                    "the second has no room",
                    () -> process.view().pendingByReason().equals(Map.of(PendingReason.NO_ROOM, 1)));
            assertThat(scene.calls.nodeOf("second")).isEmpty();
            assertThat(Bookings.overbooked(scene.calls.pods())).isEmpty();
        }
    }

    private static void share(FaultScene scene, String name, int percent) {
        scene.calls.create(Manifests.pod(name, T9kDialect.GPU_PERCENT, String.valueOf(percent)));
    }

    private static boolean runs(SchedulerProcess process, String pod) {
        return process.view().cluster().placement(PodId.of(pod)).isPresent();
    }

    /** What it has read is gone; it must be started again. */
    @Test
    void theExtender_answersNothingAnyMore_andIsNotHealthy() throws IOException {
        DialectSet dialects = new DialectSet(List.of(Dialects.find("nano-gpu").orElseThrow()));
        try (KubernetesClient test = server.client(WrittenBy.TEST);
                KubernetesClient own = server.client("extender");
                ExtenderProcess extender = ExtenderProcess.start(
                        own,
                        dialects,
                        "gpu-sched",
                        new ListenAddress("127.0.0.1", 0),
                        Optional.empty(),
                        plain -> plain)) {
            test.resource(Manifests.pod("old", "cpu", "1")).create();
            Map<AttributeSet, String> backup = server.backup();
            test.nodes()
                    .resource(Manifests.node("n1", Map.of(), Map.of("nano-gpu/gpu-percent", "100")))
                    .create();
            String bind = "{\"PodName\":\"p\",\"PodNamespace\":\"default\",\"PodUID\":\"u\",\"Node\":\"n1\"}";
            Await.until(
                    "it answers",
                    () -> ExtenderCalls.post(extender, "bind", bind).statusCode() == 200);
            assertThat(ExtenderCalls.get(extender, "healthz").statusCode()).isEqualTo(200);
            Await.until(
                    "it has seen the node",
                    () -> ExtenderCalls.filter(extender, "n1").body().contains("\"NodeNames\":[\"n1\"]"));

            Pod more = Manifests.pod("new", "nano-gpu/gpu-percent", "60");
            more.getSpec().setNodeName("n1");
            test.resource(more).create();
            Await.until(
                    "it has seen the pod",
                    () -> ExtenderCalls.filter(extender, "n1").body().contains("\"NodeNames\":[]"));

            server.restore(backup);

            Await.until(
                    "it is not healthy",
                    () -> ExtenderCalls.get(extender, "healthz").statusCode() == 503);
            assertThat(ExtenderCalls.post(extender, "bind", bind).statusCode()).isEqualTo(503);
            assertThat(ExtenderCalls.filter(extender, "n1").body()).contains("earlier version");
        } finally {
            server.close();
        }
    }
}
