package io.gpusched.kubernetes;

import static io.gpusched.kubernetes.Manifests.labelled;
import static io.gpusched.kubernetes.Manifests.pod;
import static io.gpusched.kubernetes.Manifests.t9kNode;
import static io.gpusched.kubernetes.QueueObjects.budget;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.kubernetes.defrag.DefragSettings;
import io.gpusched.kubernetes.process.SchedulerSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Defragmentation on a real API server, with the rights of {@code deploy} and {@code deploy/queues} alone. */
class DefragOnControlPlaneTest {
    @RegisterExtension
    static final TestPlane plane = TestPlane.own();

    private static KubernetesClient client;
    private static KubernetesClient kube;

    private final ClusterCalls calls = plane.calls();

    @BeforeAll
    static void install() throws IOException {
        client = plane.client();
        plane.install("namespace", "kube", "queues");
        kube = plane.clientOf("gpu-sched-kube");
    }

    @AfterEach
    void clean() {
        client.policy().v1().podDisruptionBudget().inNamespace("default").delete();
        client.pods().inNamespace("default").withGracePeriod(0).delete();
        client.nodes().delete();
    }

    private static SchedulerSettings settings(DefragSettings defrag) {
        return TestPlane.settings("t9k").withDefrag(defrag.withInterval(Duration.ofSeconds(2)));
    }

    private static Pod owned(String name) {
        return new PodBuilder(labelled(pod(name, T9kDialect.GPU, "1"), "app", "a"))
                .editMetadata()
                .addNewOwnerReference()
                .withApiVersion("apps/v1")
                .withKind("ReplicaSet")
                .withName("set")
                .withUid("uid-of-the-set")
                .withController(true)
                .endOwnerReference()
                .endMetadata()
                .build();
    }

    private static void create(PodDisruptionBudget budget) {
        client.policy()
                .v1()
                .podDisruptionBudget()
                .inNamespace("default")
                .resource(budget)
                .create();
        allow(budget);
    }

    /** As the controller does, which does not run here. */
    private static void allow(PodDisruptionBudget budget) {
        client.policy()
                .v1()
                .podDisruptionBudget()
                .inNamespace("default")
                .withName(budget.getMetadata().getName())
                .editStatus(now -> new PodDisruptionBudgetBuilder(now)
                        .withStatus(new PodDisruptionBudgetBuilder(budget)
                                .editStatus()
                                .withObservedGeneration(now.getMetadata().getGeneration())
                                .endStatus()
                                .buildStatus())
                        .build());
    }

    /** Two pods of one GPU on n1, one of two on n2, each of four GPUs. */
    private void scatter(DefragSettings defrag) {
        plane.addNodes(t9kNode("n1", "xgn", 4));
        plane.run(kube, settings(defrag));
        calls.create(pod("filler", T9kDialect.GPU, "2"));
        calls.create(owned("a-0"));
        calls.create(owned("a-1"));
        calls.awaitBound("filler", "a-0", "a-1");
        ready("a-0");
        ready("a-1");
        plane.addNodes(t9kNode("n2", "xgn", 4));
        calls.create(pod("large", T9kDialect.GPU, "2"));
        calls.awaitBound("large");
        assertThat(calls.nodeOf("large")).isEqualTo("n2");
        calls.delete("filler");
    }

    /** As the kubelet says, which does not run here: a budget protects pods that are ready, and no others. */
    private static void ready(String name) {
        client.pods()
                .inNamespace("default")
                .withName(name)
                .editStatus(pod -> new PodBuilder(pod)
                        .editStatus()
                        .withPhase("Running")
                        .addNewCondition()
                        .withType("Ready")
                        .withStatus("True")
                        .endCondition()
                        .endStatus()
                        .build());
    }

    private List<String> ending() {
        return Stream.of("a-0", "a-1")
                .filter(name -> calls.pods().stream()
                        .anyMatch(one -> one.getMetadata().getName().equals(name)
                                && one.getMetadata().getDeletionTimestamp() != null))
                .toList();
    }

    private String awaitEnding() {
        Await.until("one is evicted", () -> !ending().isEmpty());
        assertThat(ending()).hasSize(1);
        return ending().get(0);
    }

    @Test
    void aBudgetIsObeyed_podsLeaveOneByOne_andANodeBecomesWhole() {
        create(budget("keeps-one", "app", "a", 0));
        scatter(DefragSettings.dryRun().evicting());
        Await.pause(4_000);
        assertThat(ending()).as("while the budget allows nobody").isEmpty();

        allow(budget("keeps-one", "app", "a", 1));
        String first = awaitEnding();
        calls.delete(first);
        calls.create(owned("again-0"));
        calls.awaitBound("again-0");
        ready("again-0");
        assertThat(calls.nodeOf("again-0")).isEqualTo("n2");
        Await.pause(2_000);
        assertThat(ending())
                .as("the server has counted the first; nobody has allowed another")
                .isEmpty();

        allow(budget("keeps-one", "app", "a", 1));
        String second = awaitEnding();
        assertThat(second).isNotEqualTo(first);
        calls.delete(second);
        calls.create(owned("again-1"));
        calls.awaitBound("again-1");
        assertThat(calls.nodeOf("again-1")).isEqualTo("n2");
        calls.create(pod("whole", T9kDialect.GPU, "4"));
        calls.awaitBound("whole");
        assertThat(calls.nodeOf("whole")).isEqualTo("n1");
        calls.awaitEvent("Moved", first);
    }

    @Test
    void aDryRun_evictsNobody() {
        scatter(DefragSettings.dryRun());
        Await.pause(5_000);
        assertThat(ending()).isEmpty();
    }
}
