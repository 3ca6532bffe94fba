package io.gpusched.examples.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.examples.dialect.Dialects;
import io.gpusched.examples.kubernetes.process.LeaseSettings;
import io.gpusched.examples.kubernetes.process.SchedulerProcess;
import io.gpusched.examples.kubernetes.process.SchedulerSettings;
import io.gpusched.examples.kubernetes.queue.Backoff;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The whole process against an API server of which a third of all writes fail. */
class SchedulerFaultsTest {
    private static SchedulerSettings settings(String identity) {
        return SchedulerSettings.of(List.of(Dialects.find("t9k").orElseThrow()))
                .withBackoff(new Backoff(20, 200))
                .withStatusInterval(Duration.ofSeconds(5))
                .withLease(new LeaseSettings(
                        "default",
                        "gpu-sched",
                        identity,
                        Duration.ofSeconds(3),
                        Duration.ofSeconds(2),
                        Duration.ofMillis(100)));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void whenWritesFail_andTheLeaderGoes_everyPodThatFitsIsBoundOnce_andNoGpuTwice(long seed) throws IOException {
        try (FaultyApiServer server = new FaultyApiServer(seed, 33);
                KubernetesClient client = server.client();
                KubernetesClient one = server.client();
                KubernetesClient two = server.client()) {
            client.nodes().resource(Manifests.t9kNode("whole", "xgn", 8)).create();
            client.nodes().resource(Manifests.t9kNode("shared", "sgn", 2)).create();
            SchedulerProcess first = SchedulerProcess.start(one, settings("one"));
            try (SchedulerProcess second = SchedulerProcess.start(two, settings("two"))) {
                await("one leads", () -> first.isLeading() || second.isLeading());
                for (int i = 0; i < 12; i++) {
                    create(client, "whole-" + i, T9kDialect.GPU, "1");
                    create(client, "share-" + i, T9kDialect.GPU_PERCENT, "25");
                }
                await("some are bound", () -> bound(client) >= 4);
                first.close();
                await("all that fit are bound", () -> bound(client) == 16);
                client.pods().inNamespace("default").withName(anyBound(client)).delete();
                await("its place is taken", () -> bound(client) == 16);
                await("assumptions are settled", () -> second.view().binding() == 0);
            } finally {
                first.close();
            }
            List<Pod> pods = client.pods().inAnyNamespace().list().getItems();
            assertThat(Bookings.overbooked(pods)).isEmpty();
            assertThat(server.bindings.values()).containsOnly(1);
            assertThat(server.writes.get()).as("writes of pods").isLessThan(150);
        }
    }

    private static void create(KubernetesClient client, String name, String resource, String amount) {
        client.pods()
                .inNamespace("default")
                .resource(Manifests.pod(name, resource, amount))
                .create();
    }

    private static String anyBound(KubernetesClient client) {
        return client.pods().inNamespace("default").list().getItems().stream()
                .filter(pod -> pod.getSpec().getNodeName() != null)
                .map(pod -> pod.getMetadata().getName())
                .filter(name -> name.startsWith("whole"))
                .findFirst()
                .orElseThrow();
    }

    private static long bound(KubernetesClient client) {
        return client.pods().inNamespace("default").list().getItems().stream()
                .filter(pod -> pod.getSpec().getNodeName() != null)
                .count();
    }

    private static void await(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - end).as(what).isNegative();
            try {
                TimeUnit.MILLISECONDS.sleep(50);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
