package io.gpusched.kubernetes;

import static io.gpusched.kubernetes.Manifests.pod;
import static io.gpusched.kubernetes.Manifests.t9kNode;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClassBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.kubernetes.decide.QueueSettings;
import io.gpusched.kubernetes.process.SchedulerProcess;
import io.gpusched.kubernetes.quota.QueueVocabulary;
import io.gpusched.manifests.grant.PromiseRecord;
import io.gpusched.manifests.group.GroupVocabulary;
import io.gpusched.queue.Backfill;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Promised starts on a real API server, with the rights of {@code deploy/kube} and {@code deploy/queues} alone. */
class PromisesOnControlPlaneTest {
    @RegisterExtension
    static final TestPlane plane = TestPlane.own();

    private static final int HOUR = 3_600;

    private static KubernetesClient client;
    private static KubernetesClient kube;

    private final ClusterCalls calls = plane.calls();

    @BeforeAll
    static void install() throws IOException {
        client = plane.client();
        plane.install("namespace", "kube", "queues");
        Await.until("queues are served", () -> client.supports(QueueVocabulary.GPU_SCHED.apiVersion(), "Queue"));
        kube = plane.clientOf("gpu-sched-kube");
        client.scheduling()
                .v1()
                .priorityClasses()
                .resource(new PriorityClassBuilder()
                        .withNewMetadata()
                        .withName("urgent")
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

    /** A pod that ends so many seconds after its start, its grace included. */
    private static Pod asking(String name, int gpus, long limit) {
        return new PodBuilder(pod(name, T9kDialect.GPU, String.valueOf(gpus)))
                .editSpec()
                .withActiveDeadlineSeconds(limit - 30)
                .endSpec()
                .build();
    }

    /** Two pods of two GPUs that start together; the group itself may outlive its test. */
    private void createGang(String name) {
        GenericKubernetesResource group = new GenericKubernetesResource();
        group.setApiVersion("scheduling.k8s.io/v1beta1");
        group.setKind("PodGroup");
        group.setMetadata(
                new ObjectMetaBuilder().withName(name).withNamespace("default").build());
        group.setAdditionalProperty("spec", Map.of("schedulingPolicy", Map.of("gang", Map.of("minCount", 2))));
        client.genericKubernetesResources(GroupVocabulary.KUBERNETES.context())
                .inNamespace("default")
                .resource(group)
                .create();
        for (int i = 0; i < 2; i++) {
            calls.create(new PodBuilder(asking(name + "-" + i, 2, HOUR))
                    .editSpec()
                    .withNewSchedulingGroup(name)
                    .endSpec()
                    .build());
        }
    }

    private String told(String name) {
        return calls.get(name).getStatus().getConditions().stream()
                .filter(one -> PromiseRecord.CONDITION.equals(one.getType()))
                .map(one -> one.getStatus() + " " + one.getReason() + ": " + one.getMessage())
                .findFirst()
                .orElse("nothing");
    }

    private void awaitTold(String name, String words) {
        Await.until(name + " is told " + words, () -> told(name).contains(words), () -> "it is told " + told(name));
    }

    private List<String> events(String name) {
        return client.events().v1().events().inNamespace("default").list().getItems().stream()
                .filter(event -> "ExpectedStart".equals(event.getReason())
                        && name.equals(event.getRegarding().getName()))
                .map(event -> event.getNote())
                .toList();
    }

    /** Something that matters has changed. */
    private void touch(String name) {
        client.pods()
                .inNamespace("default")
                .withName(name)
                .edit(now -> Manifests.labelled(now, "touched", String.valueOf(System.nanoTime())));
    }

    @Test
    void aGroupThatWaits_isToldWhenItStarts_byAConditionAndAnEvent_atMostOnceAMinute_andPromisesThatSlipAreCounted() {
        Instant noon = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        TestClock clock = TestClock.at(noon.toString());
        plane.addNodes(t9kNode("n1", "xgn", 4));
        SchedulerProcess process = plane.run(
                kube,
                TestPlane.settings("t9k")
                        .withHealthPort(0)
                        .withQueues(QueueSettings.of(QueueVocabulary.GPU_SCHED).withBackfill(Backfill.PROMISED))
                        .withClock(clock));
        calls.create(asking("a", 1, HOUR));
        calls.create(asking("b", 1, 2 * HOUR));
        calls.awaitBound("a", "b");
        createGang("first");
        calls.awaitPendingBecause("first-1", "no room now");
        String first = noon.plusSeconds(2 * HOUR) + " at the latest on n1: waits for pod b on n1 to end";
        awaitToldAsTimePasses(clock, "first-0", "True Promised: " + first);
        awaitTold("first-1", "True Promised: " + first);
        Await.until("the event is there", () -> events("first-1").equals(List.of(first)));
        assertThat(calls.annotation("first-0", PromiseRecord.ANNOTATION)).contains("n1-gpu-");

        calls.delete("b");
        clock.pass(Duration.ofSeconds(20));
        touch("a");
        Await.pause(1_000);
        assertThat(told("first-0")).as("the minute is not over").contains(first);
        String second = noon.plusSeconds(HOUR) + " at the latest on n1: waits for pod a on n1 to end";
        awaitToldAsTimePasses(clock, "first-0", second);
        Await.until("the event is there", () -> events("first-0").size() == 2);
        assertThat(events("first-0")).containsExactlyInAnyOrder(first, second);

        String version = calls.get("first-0").getMetadata().getResourceVersion();
        clock.pass(Duration.ofMinutes(2));
        touch("a");
        Await.pause(1_000);
        assertThat(calls.get("first-0").getMetadata().getResourceVersion())
                .as("what did not change is not written")
                .isEqualTo(version);

        assertThat(Fetch.text(process.healthPort(), "/metrics")).contains("gpusched_promises_slipped_total 0.0");
        cordon(true);
        awaitToldAsTimePasses(clock, "first-0", "Unknown");
        assertThat(Fetch.text(process.healthPort(), "/metrics")).contains("gpusched_promises_slipped_total 1.0");
        cordon(false);
        calls.delete("a");
        calls.awaitBound("first-0", "first-1");
    }

    private static void cordon(boolean isCordoned) {
        client.nodes().withName("n1").edit(node -> {
            node.getSpec().setUnschedulable(isCordoned);
            return node;
        });
    }

    /** A second passes with each look. */
    private void awaitToldAsTimePasses(TestClock clock, String name, String words) {
        Await.until(
                name + " is told " + words,
                () -> {
                    clock.pass(Duration.ofSeconds(1));
                    touch("a");
                    return told(name).contains(words);
                },
                () -> "it is told " + told(name));
    }

    private static Instant promised(String told) {
        assertThat(told).startsWith("True Promised: ");
        return Instant.parse(told.split(" ")[2]);
    }

    @Test
    void aPromise_holdsOverAKill_howeverUrgentIsWhoComesMeanwhile_andOthersStartIfTheyEndBeforeIt(@TempDir Path folder)
            throws Exception {
        plane.addNodes(t9kNode("n1", "xgn", 4));
        Instant before;
        Process killed = start(folder);
        try {
            calls.create(asking("a", 2, HOUR));
            calls.awaitBound("a");
            createGang("second");
            awaitTold("second-0", "Promised");
            awaitTold("second-1", "Promised");
            before = promised(told("second-0"));
            assertThat(before)
                    .isBetween(
                            Instant.now().plusSeconds(HOUR - 300), Instant.now().plusSeconds(HOUR));
        } finally {
            killed.destroyForcibly().waitFor();
        }
        Pod urgent = asking("urgent", 4, HOUR);
        urgent.getSpec().setPriorityClassName("urgent");
        calls.create(urgent);
        calls.create(asking("late", 1, 2 * HOUR));
        calls.create(asking("soon", 1, HOUR / 2));
        Process next = start(folder);
        try {
            calls.awaitBound("soon");
            awaitTold("urgent", "(estimate)");
            assertThat(promised(told("second-0"))).isBeforeOrEqualTo(before);
            assertThat(List.of(calls.nodeOf("late"), calls.nodeOf("urgent"))).containsOnly("");
            assertThat(Objects.requireNonNullElse(calls.get("a").getMetadata().getDeletionTimestamp(), ""))
                    .isEmpty();

            calls.delete("soon");
            calls.delete("a");
            calls.awaitBound("second-0", "second-1");
        } finally {
            next.destroyForcibly().waitFor();
        }
    }

    private static Process start(Path folder) throws IOException {
        return plane.startKube(folder, "--queues=gpu-sched", "--backfill=promised");
    }
}
