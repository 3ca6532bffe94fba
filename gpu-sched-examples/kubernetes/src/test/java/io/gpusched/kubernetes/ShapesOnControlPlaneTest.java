package io.gpusched.kubernetes;

import static io.gpusched.kubernetes.Manifests.labelled;
import static io.gpusched.kubernetes.Manifests.pod;
import static io.gpusched.kubernetes.Manifests.t9kNode;
import static io.gpusched.kubernetes.QueueObjects.budget;
import static io.gpusched.kubernetes.QueueObjects.queue;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.kubernetes.process.SchedulerProcess;
import io.gpusched.kubernetes.process.SchedulerSettings;
import io.gpusched.kubernetes.quota.QueueVocabulary;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Queues that own cells, on a real API server, with the rights of {@code deploy/kube} and {@code deploy/queues} alone. */
class ShapesOnControlPlaneTest {
    private static final String MODEL = "NVIDIA-A10";

    @RegisterExtension
    static final TestPlane plane = TestPlane.own();

    private static KubernetesClient client;
    private static KubernetesClient kube;

    private final ClusterCalls calls = plane.calls();

    @BeforeAll
    static void install() throws IOException {
        client = plane.client();
        plane.install("namespace", "kube", "queues");
        Await.until("queues are served", () -> client.supports(QueueVocabulary.GPU_SCHED.apiVersion(), "Queue"));
        kube = plane.clientOf("gpu-sched-kube");
    }

    /** The scheduler has stopped by then, as extensions are called after the test. */
    @AfterEach
    void clean() {
        client.policy().v1().podDisruptionBudget().inNamespace("default").delete();
        client.genericKubernetesResources(QueueVocabulary.GPU_SCHED.context()).delete();
        client.pods().inNamespace("default").withGracePeriod(0).delete();
        client.nodes().delete();
    }

    private static SchedulerSettings settings() {
        return TestPlane.settings("t9k").withQueues(QueueVocabulary.GPU_SCHED);
    }

    private static Pod asking(String name, String queue, int gpus) {
        return labelled(pod(name, T9kDialect.GPU, String.valueOf(gpus)), QueueVocabulary.QUEUE, queue);
    }

    private static void createQueue(String name, Map<String, ?> spec) {
        var object = queue(QueueVocabulary.GPU_SCHED, name, spec);
        object.getMetadata().setUid(null);
        client.genericKubernetesResources(QueueVocabulary.GPU_SCHED.context())
                .resource(object)
                .create();
    }

    private static Map<String, ?> owning(int count, String level, int size, String model) {
        return Map.of("shapes", List.of(Map.of("count", count, "level", level, "size", size, "model", model)));
    }

    /** Nobody may take back what it uses, but for cells. */
    private static void createDeservingQueue() {
        Map<String, Integer> any = Map.of("deserved", -1);
        createQueue("default", Map.of("resources", Map.of("gpu", any, "cpu", any, "memory", any)));
    }

    private List<String> evicted() {
        return calls.pods().stream()
                .filter(pod -> pod.getMetadata().getDeletionTimestamp() != null)
                .map(pod -> pod.getMetadata().getName())
                .toList();
    }

    private void awaitStatus(String queue, String... words) {
        Await.until(
                queue + " says " + List.of(words),
                () -> List.of(words).stream().allMatch(status(queue)::contains),
                () -> status(queue));
    }

    private static String status(String queue) {
        return String.valueOf(client.genericKubernetesResources(QueueVocabulary.GPU_SCHED.context())
                .withName(queue)
                .get()
                .getAdditionalProperties()
                .get("status"));
    }

    /** Three nodes full of low pods; a budget protects one on a node, so that the cell is in another. */
    @Test
    void aPodThatTakesANodeOfItsQueue_evictsThoseWhoRunThere_butNoneThatABudgetProtects_alsoIfTheSchedulerStartsAgain()
            throws IOException {
        plane.addNodes(t9kNode("n1", "xgn", 2), t9kNode("n2", "xgn", 2), t9kNode("n3", "xgn", 2));
        createDeservingQueue();
        createQueue("owner", owning(1, "node", 2, MODEL));
        SchedulerProcess before = plane.run(kube, settings());
        IntStream.range(0, 6).forEach(i -> calls.create(asking("low-" + i, "default", 1)));
        IntStream.range(0, 6).forEach(i -> calls.awaitBound("low-" + i));
        List<String> kept = IntStream.range(0, 6)
                .mapToObj(i -> "low-" + i)
                .filter(name -> !calls.nodeOf(name).equals("n2"))
                .toList();
        kept.forEach(
                name -> client.pods().inNamespace("default").withName(name).edit(now -> labelled(now, "app", "kept")));
        protect(kept.size());
        before.close();

        SchedulerProcess between = plane.run(kube, settings());
        calls.create(asking("first", "owner", 2));
        Await.until("those on n2 are evicted", () -> evicted().size() == 2, () -> calls.whyPending("first"));
        assertThat(evicted()).doesNotContainAnyElementsOf(kept);
        between.close();

        SchedulerProcess after = plane.run(kube, settings());
        evicted().forEach(calls::delete);
        calls.awaitBound("first");
        assertThat(calls.nodeOf("first")).isEqualTo("n2");
        assertThat(calls.annotation("first", "gpu-sched.io/started"))
                .contains("\"cells\":[{\"model\":\"" + MODEL + "\",\"level\":\"node\",\"name\":\"n2\"}]");
        after.close();

        plane.run(kube, settings());
        calls.create(asking("second", "owner", 2));
        calls.awaitPendingBecause("second", "no room now");
        Await.pause(1_000);
        assertThat(evicted()).isEmpty();
        assertThat(calls.nodeOf("first")).isEqualTo("n2");
    }

    private void protect(int pods) {
        var budget = budget("keep", "app", "kept", 0);
        budget.getStatus().setExpectedPods(pods);
        client.policy()
                .v1()
                .podDisruptionBudget()
                .inNamespace("default")
                .resource(budget)
                .create();
        client.policy()
                .v1()
                .podDisruptionBudget()
                .inNamespace("default")
                .withName("keep")
                .editStatus(now -> {
                    now.setStatus(budget.getStatus());
                    now.getStatus().setObservedGeneration(now.getMetadata().getGeneration());
                    return now;
                });
    }

    @Test
    void whatAQueueOwnsAndDoesNotHave_isInItsStatus_untilItIsThere() {
        plane.addNodes(t9kNode("n1", "xgn", 2), t9kNode("n2", "xgn", 2));
        createQueue("owner", owning(2, "node", 2, MODEL));
        createQueue("elsewhere", owning(1, "rack", 1, "H100"));
        plane.run(kube, settings());
        awaitStatus("owner", "status=False, type=GpuSchedReduced", "status=True, type=GpuSchedHonoured");
        awaitStatus(
                "elsewhere",
                "status=False, type=GpuSchedHonoured",
                "spec.shapes[0].level: no node has label \"rack\"",
                "spec.shapes[0].model: no node has GPUs of model \"H100\"",
                "status=True, type=GpuSchedReduced");
        client.nodes().withName("n2").edit(node -> {
            node.getSpec().setUnschedulable(true);
            return node;
        });
        awaitStatus(
                "owner",
                "status=True, type=GpuSchedReduced",
                "1 missing of 2 x node of at least 2 of " + MODEL
                        + " (bad, cordoned, or in use by who may not be evicted: n2)");
        client.nodes().withName("n2").edit(node -> {
            node.getSpec().setUnschedulable(false);
            return node;
        });
        awaitStatus("owner", "status=False, type=GpuSchedReduced");
    }

    @Test
    void aShapeOutOfRange_isRefusedByTheServer() {
        assertThatThrownBy(() -> createQueue("owner", owning(0, "node", 2, MODEL)))
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining("spec.shapes[0].count");
    }
}
