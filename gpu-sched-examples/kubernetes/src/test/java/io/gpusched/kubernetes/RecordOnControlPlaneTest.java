package io.gpusched.kubernetes;

import static io.gpusched.kubernetes.Manifests.labelled;
import static io.gpusched.kubernetes.Manifests.pod;
import static io.gpusched.kubernetes.Manifests.t9kNode;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.BindingBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClassBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.kubernetes.decide.QueueSettings;
import io.gpusched.kubernetes.process.RecordSettings;
import io.gpusched.kubernetes.process.SchedulerProcess;
import io.gpusched.kubernetes.process.SchedulerSettings;
import io.gpusched.kubernetes.quota.QueueVocabulary;
import io.gpusched.kubernetes.record.ClusterRecorder;
import io.gpusched.manifests.dialect.DialectPolicies;
import io.gpusched.replay.History;
import io.gpusched.replay.HistoryReplay;
import io.gpusched.replay.Outcome;
import io.gpusched.replay.Past;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What {@code kube --record} writes on a real API server, and that replay gives the same answers. */
class RecordOnControlPlaneTest {
    @RegisterExtension
    static final TestPlane plane = TestPlane.own();

    private static KubernetesClient client;
    private static KubernetesClient kube;

    private final ClusterCalls calls = plane.calls();

    @BeforeAll
    static void install() throws IOException {
        client = plane.client();
        plane.install("namespace", "kube", "queues", "record");
        Await.until("queues are served", () -> client.supports(QueueVocabulary.GPU_SCHED.apiVersion(), "Queue"));
        kube = plane.clientOf("gpu-sched-kube");
        client.scheduling()
                .v1()
                .priorityClasses()
                .resource(new PriorityClassBuilder()
                        .withNewMetadata()
                        .withName("important")
                        .endMetadata()
                        .withValue(1_000)
                        .build())
                .create();
    }

    /** The scheduler has stopped by then, as extensions are called after the test. */
    @AfterEach
    void clean() {
        client.pods().inNamespace("default").withGracePeriod(0).delete();
        client.nodes().delete();
    }

    private static SchedulerSettings recording(Path folder) {
        return TestPlane.settings("t9k", "hami")
                .withQueues(QueueSettings.of(QueueVocabulary.GPU_SCHED))
                .withRecord(RecordSettings.of(folder));
    }

    private static Pod asking(String name, int gpus) {
        return pod(name, T9kDialect.GPU, String.valueOf(gpus));
    }

    private static Pod important(Pod pod) {
        pod.getSpec().setPriorityClassName("important");
        return pod;
    }

    private static boolean isEnding(Pod pod) {
        return pod.getMetadata().getDeletionTimestamp() != null;
    }

    private void endEvicted() {
        calls.pods().stream()
                .filter(RecordOnControlPlaneTest::isEnding)
                .forEach(pod -> calls.delete(pod.getMetadata().getName()));
    }

    /** Arrivals, ends, a node that is lost, a queue that comes, evictions, and another process that goes on. */
    private void live(Path folder) throws IOException {
        plane.addNodes(t9kNode("n1", "xgn", 8), t9kNode("n2", "xgn", 8), t9kNode("n3", "xgn", 4));
        try (SchedulerProcess first = SchedulerProcess.start(kube, recording(folder))) {
            IntStream.range(0, 16).forEach(i -> calls.create(asking("low-" + i, 1)));
            IntStream.range(0, 16).forEach(i -> calls.awaitBound("low-" + i));
            calls.create(asking("too-large", 16));
            calls.awaitPendingBecause("too-large", "no room");
            calls.delete("low-3");
            client.nodes().withName("n3").delete();
            calls.create(labelled(asking("later", 1), QueueVocabulary.QUEUE, "nobody-made-it"));
            calls.create(important(asking("large", 6)));
            Await.until("pods are evicted", () -> calls.pods().stream().anyMatch(RecordOnControlPlaneTest::isEnding));
        }
        try (SchedulerProcess next = SchedulerProcess.start(kube, recording(folder))) {
            Await.until("large runs", () -> {
                endEvicted();
                return calls.get("large").getSpec().getNodeName() != null;
            });
            plane.addNodes(t9kNode("n4", "xgn", 16));
            calls.awaitBound("too-large");
            assertThat(next.isHealthy()).isTrue();
        }
    }

    @Test
    void aHistoryWithEvictionsALostNodeAndARestart_givesTheSameAnswersAgain(@TempDir Path folder) throws IOException {
        live(folder);
        History history = History.open(folder).withPolicies(DialectPolicies::named);
        HistoryReplay.Result result = HistoryReplay.of(history);
        assertThat(result.first().map(difference -> difference.words(Long::toString)))
                .isEmpty();
        assertThat(result.same()).isEqualTo(result.decisions()).isGreaterThan(5);
        assertThat(history.unitsPerSecond()).isEqualTo(1_000);
        assertThat(history.files()).hasSize(2);
        Outcome truth = Past.of(history, any -> {}).outcome();
        assertThat(truth.jobs())
                .filteredOn(job -> job.name().contains("large"))
                .hasSize(2)
                .allMatch(job -> job.started().isPresent());
        assertThat(truth.jobs().stream().mapToInt(job -> job.evictions()).sum()).isGreaterThan(0);
    }

    /** With the rights of {@code deploy/record} alone, while another account binds. */
    @Test
    void aClusterThatAnotherSchedulerDecidesAbout_isRecordedByReadingAlone(@TempDir Path folder) throws Exception {
        plane.addNodes(t9kNode("n1", "xgn", 8));
        ClusterRecorder recorder =
                new ClusterRecorder(folder, 1 << 20, List.of(), QueueVocabulary.GPU_SCHED, words -> {});
        KubernetesClient reader = plane.clientOf("gpu-sched-record");
        Thread recording = new Thread(() -> recorder.record(reader));
        recording.start();
        try {
            Await.pause(3_000);
            Pod pod = asking("foreign", 2);
            pod.getSpec().setSchedulerName("another");
            calls.create(pod);
            Await.pause(2_000);
            client.bindings()
                    .inNamespace("default")
                    .resource(new BindingBuilder()
                            .withNewMetadata()
                            .withName("foreign")
                            .endMetadata()
                            .withNewTarget()
                            .withKind("Node")
                            .withName("n1")
                            .endTarget()
                            .build())
                    .create();
            Await.pause(2_000);
            calls.delete("foreign");
            Await.pause(3_000);
        } finally {
            recording.interrupt();
            recording.join();
        }
        Past past = Past.of(History.open(folder).withPolicies(DialectPolicies::named), any -> {});
        assertThat(past.isForeign()).isTrue();
        assertThat(past.outcome().jobs()).singleElement().satisfies(job -> {
            assertThat(job.name()).isEqualTo("pod foreign");
            assertThat(job.started().getAsLong()).isGreaterThan(job.arrived());
            assertThat(job.ended()).isPresent();
        });
    }

    /** A folder into which nothing can be written stands for a disk that fails. */
    @Test
    void aDiskThatFails_endsTheRecording_withAMetricAndAnEvent_andThePodsStart(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "");
        plane.addNodes(t9kNode("n1", "xgn", 8));
        SchedulerProcess process =
                plane.run(kube, recording(file.resolve("below")).withHealthPort(0));
        calls.create(asking("a", 1));
        calls.awaitBound("a");
        Await.until(
                "the metric says so",
                () -> Fetch.text(process.healthPort(), "/metrics")
                        .contains("gpusched_troubles_total{reason=\"RecordingEnded\"} 1"));
        Await.until(
                "the event says so",
                () -> client.events().v1().events().inNamespace("default").list().getItems().stream()
                        .anyMatch(event -> "RecordingEnded".equals(event.getReason())));
        assertThat(process.isHealthy()).isTrue();
    }
}
