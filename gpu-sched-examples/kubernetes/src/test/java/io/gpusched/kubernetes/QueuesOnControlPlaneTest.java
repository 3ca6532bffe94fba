package io.gpusched.kubernetes;

import static io.gpusched.kubernetes.Manifests.labelled;
import static io.gpusched.kubernetes.Manifests.pod;
import static io.gpusched.kubernetes.Manifests.t9kNode;
import static io.gpusched.kubernetes.QueueObjects.budget;
import static io.gpusched.kubernetes.QueueObjects.deserving;
import static io.gpusched.kubernetes.QueueObjects.queue;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicyBindingBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicyBuilder;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetBuilder;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClassBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.kubernetes.decide.QueueSettings;
import io.gpusched.kubernetes.process.SchedulerProcess;
import io.gpusched.kubernetes.process.SchedulerSettings;
import io.gpusched.kubernetes.quota.QueueVocabulary;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Queues on a real API server: who is evicted for whom, with the rights of {@code deploy} and {@code deploy/queues} alone. */
class QueuesOnControlPlaneTest {
    @RegisterExtension
    static final TestPlane plane = TestPlane.own();

    private static KubernetesClient client;
    private static KubernetesClient kube;

    private final ClusterCalls calls = plane.calls();

    @BeforeAll
    static void install() throws IOException {
        client = plane.client();
        plane.install("namespace", "kube", "queues", "queues/volcano", "queues/kai", "queues/t9k");
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
        client.policy().v1().podDisruptionBudget().inNamespace("default").delete();
        client.genericKubernetesResources(QueueVocabulary.GPU_SCHED.context()).delete();
        client.admissionRegistration().v1().validatingAdmissionPolicyBindings().delete();
        client.admissionRegistration().v1().validatingAdmissionPolicies().delete();
        client.pods().inNamespace("default").withGracePeriod(0).delete();
        client.nodes().delete();
    }

    private void run() {
        plane.run(kube, settings());
    }

    private static SchedulerSettings settings() {
        return TestPlane.settings("t9k")
                .withQueues(QueueSettings.of(QueueVocabulary.GPU_SCHED).verifying());
    }

    private static Pod asking(String name, int gpus) {
        return pod(name, T9kDialect.GPU, String.valueOf(gpus));
    }

    private static Pod important(Pod pod) {
        pod.getSpec().setPriorityClassName("important");
        return pod;
    }

    private static Pod in(String queue, Pod pod) {
        return labelled(pod, QueueVocabulary.QUEUE, queue);
    }

    private static void create(PodDisruptionBudget budget) {
        var resource = client.policy()
                .v1()
                .podDisruptionBudget()
                .inNamespace("default")
                .resource(budget);
        resource.create();
        allow(budget, budget.getStatus().getDisruptionsAllowed());
    }

    /** As the controller does, which does not run here. */
    private static void allow(PodDisruptionBudget budget, int disruptions) {
        client.policy()
                .v1()
                .podDisruptionBudget()
                .inNamespace("default")
                .withName(budget.getMetadata().getName())
                .editStatus(now -> new PodDisruptionBudgetBuilder(now)
                        .withStatus(new PodDisruptionBudgetBuilder(budget)
                                .editStatus()
                                .withDisruptionsAllowed(disruptions)
                                .withObservedGeneration(now.getMetadata().getGeneration())
                                .endStatus()
                                .buildStatus())
                        .build());
    }

    private static void createQueue(String name, Map<String, ?> spec) {
        var object = queue(QueueVocabulary.GPU_SCHED, name, spec);
        object.getMetadata().setUid(null);
        client.genericKubernetesResources(QueueVocabulary.GPU_SCHED.context())
                .resource(object)
                .create();
    }

    private boolean isEnding(String name) {
        return calls.get(name).getMetadata().getDeletionTimestamp() != null;
    }

    private List<String> ending(String... names) {
        return List.of(names).stream().filter(this::isEnding).toList();
    }

    private String nominated(String name) {
        return Objects.requireNonNullElse(calls.get(name).getStatus().getNominatedNodeName(), "");
    }

    private void awaitEnding(String name) {
        Await.until(
                name + " is evicted",
                () -> isEnding(name),
                () -> "all: "
                        + calls.pods().stream()
                                .map(one -> one.getMetadata().getName() + " "
                                        + calls.whyPending(one.getMetadata().getName()))
                                .toList());
    }

    @Test
    void aPodOfHigherPriority_takesThePlaceOfOneThatNoBudgetProtects_andItIsHeldUntilThatHasEnded() {
        plane.addNodes(t9kNode("n1", "xgn", 2));
        create(budget("keeps-a", "app", "a", 0));
        run();
        calls.create(labelled(asking("a", 1), "app", "a"));
        calls.create(asking("b", 1));
        calls.awaitBound("a", "b");

        calls.create(important(asking("first", 1)));
        awaitEnding("b");
        assertThat(nominated("first")).isEqualTo("n1");
        calls.create(asking("late", 1));
        calls.awaitPendingBecause("late", "no room now");
        assertThat(isEnding("a")).isFalse();

        calls.delete("b");
        calls.awaitBound("first");
        assertThat(calls.nodeOf("late")).isEmpty();
        calls.awaitEvent("Preempted", "b");
    }

    @Test
    void whatAQueueDeserves_isTakenBackFromOneThatUsesMore() {
        plane.addNodes(t9kNode("n1", "xgn", 4));
        createQueue("red", deserving(2));
        createQueue("blue", deserving(2));
        run();
        IntStream.range(0, 4).forEach(i -> calls.create(in("red", asking("red-" + i, 1))));
        calls.awaitBound("red-0", "red-1", "red-2", "red-3");

        calls.create(in("blue", asking("blue-0", 2)));
        Await.until(
                "two of red are evicted",
                () -> ending("red-0", "red-1", "red-2", "red-3").size() == 2,
                () -> calls.whyPending("blue-0"));
        calls.create(in("blue", asking("blue-1", 1)));
        calls.awaitPendingBecause("blue-1", "queue \"blue\" would exceed its fair share");

        ending("red-0", "red-1", "red-2", "red-3").forEach(calls::delete);
        calls.awaitBound("blue-0");
        assertThat(calls.bound()).hasSize(3);
    }

    @Test
    void aBudgetThatAllowsNobody_leavesThePlanWaiting_untilItAllowsSomebody() {
        plane.addNodes(t9kNode("n1", "xgn", 1));
        PodDisruptionBudget budget = budget("keeps-a", "app", "a", 0);
        create(budget);
        run();
        calls.create(labelled(asking("a", 1), "app", "a"));
        calls.awaitBound("a");
        calls.create(important(asking("first", 1)));
        calls.awaitPendingBecause("first", "disruption budgets protect 1 pod");
        assertThat(isEnding("a")).isFalse();

        allow(budget, 1);
        awaitEnding("a");
        calls.delete("a");
        calls.awaitBound("first");
    }

    /** Each of the two could leave by itself; both are needed. */
    @Test
    void whereABudgetAllowsFewerThanAreNeeded_nobodyLeavesInVain() {
        plane.addNodes(t9kNode("n1", "xgn", 2));
        create(budget("keeps-one", "app", "a", 1));
        run();
        calls.create(labelled(asking("a-0", 1), "app", "a"));
        calls.create(labelled(asking("a-1", 1), "app", "a"));
        calls.awaitBound("a-0", "a-1");
        calls.create(important(asking("both", 2)));
        calls.awaitPendingBecause("both", "disruption budgets protect");
        Await.pause(1_000);
        assertThat(ending("a-0", "a-1")).isEmpty();

        calls.create(important(asking("one", 1)));
        Await.until("one is evicted", () -> ending("a-0", "a-1").size() == 1);
        ending("a-0", "a-1").forEach(calls::delete);
        calls.awaitBound("one");
    }

    /** By a policy, which answers as neither a budget does nor a missing right. */
    @Test
    void aVictimWhoseEvictionIsRefused_isLeftAlone_anotherIsEvicted_andThePodThatWaitsSaysWhy() {
        plane.addNodes(t9kNode("n1", "xgn", 2));
        forbidEviction("kept");
        run();
        calls.create(asking("other", 1));
        calls.awaitBound("other");
        calls.create(asking("kept", 1));
        calls.awaitBound("kept");
        calls.create(important(asking("first", 1)));
        awaitEnding("other");
        calls.create(important(asking("second", 1)));
        calls.awaitPendingBecause("second", "the eviction of 1 pod was refused, of pod \"kept\"");
        assertThat(isEnding("kept")).isFalse();

        calls.delete("other");
        calls.awaitBound("first");
    }

    private static void forbidEviction(String pod) {
        var policies = client.admissionRegistration().v1();
        policies.validatingAdmissionPolicies()
                .resource(new ValidatingAdmissionPolicyBuilder()
                        .withNewMetadata()
                        .withName("keeps-a-pod")
                        .endMetadata()
                        .withNewSpec()
                        .withFailurePolicy("Fail")
                        .withNewMatchConstraints()
                        .addNewResourceRule()
                        .withApiGroups("")
                        .withApiVersions("v1")
                        .withOperations("CREATE")
                        .withResources("pods/eviction")
                        .endResourceRule()
                        .endMatchConstraints()
                        .addNewValidation()
                        .withExpression("request.name != '" + pod + "'")
                        .withMessage("it is kept")
                        .endValidation()
                        .endSpec()
                        .build())
                .create();
        policies.validatingAdmissionPolicyBindings()
                .resource(new ValidatingAdmissionPolicyBindingBuilder()
                        .withNewMetadata()
                        .withName("keeps-a-pod")
                        .endMetadata()
                        .withNewSpec()
                        .withPolicyName("keeps-a-pod")
                        .withValidationActions("Deny")
                        .endSpec()
                        .build())
                .create();
        Await.pause(2_000); // a policy holds once the server has seen it
    }

    @Test
    void podsOfAQueueThatIsGone_orHasPartsByNow_stillCount_andAreEvictedForThoseWhoDeserve() {
        plane.addNodes(t9kNode("n1", "xgn", 4));
        createQueue("gone", deserving(0));
        createQueue("parted", deserving(0));
        createQueue("blue", deserving(4));
        run();
        IntStream.range(0, 2).forEach(i -> calls.create(in("gone", asking("gone-" + i, 1))));
        IntStream.range(0, 2).forEach(i -> calls.create(in("parted", asking("parted-" + i, 1))));
        calls.awaitBound("gone-0", "gone-1", "parted-0", "parted-1");
        client.genericKubernetesResources(QueueVocabulary.GPU_SCHED.context())
                .withName("gone")
                .delete();
        createQueue("part", Map.of("parent", "parted"));

        calls.create(in("blue", asking("all", 4)));

        Await.until(
                "all are evicted",
                () -> ending("gone-0", "gone-1", "parted-0", "parted-1").size() == 4,
                () -> calls.whyPending("all"));
    }

    /** Where no policy keeps him from it: by the room of a node, and by another's pod as the one who leaves. */
    @Test
    void aTenantWhoNominatesHisPod_holdsNothing_andHasNobodyEvicted() {
        plane.addNodes(t9kNode("n1", "xgn", 2));
        SchedulerProcess before = plane.run(kube, settings());
        Pod victim = calls.create(pod("victim", T9kDialect.GPU, "1"));
        calls.awaitBound("victim");
        before.close();
        String free = calls.annotation("victim", "gpu-sched.io/grant").contains("n1-gpu-0") ? "n1-gpu-1" : "n1-gpu-0";
        String grant = "{\\\"version\\\":1,\\\"node\\\":\\\"n1\\\",\\\"containers\\\":{\\\"main\\\":{\\\"gpus\\\":[\\\""
                + free + "\\\"]}}}";
        String leaves = "{\"namespace\":\"default\",\"name\":\"victim\",\"uid\":\""
                + victim.getMetadata().getUid() + "\"}";
        calls.create(Manifests.annotated(
                pod("forger", T9kDialect.GPU, "1"),
                "gpu-sched.io/nomination",
                "{\"grant\":\"" + grant + "\",\"victims\":[" + leaves + "]}"));
        client.pods().inNamespace("default").withName("forger").editStatus(pod -> {
            pod.getStatus().setNominatedNodeName("n1");
            return pod;
        });
        calls.create(important(pod("honest", T9kDialect.GPU, "1")));

        run();
        calls.awaitBound("honest");
        Await.until("the place is taken off", () -> nominated("forger").isEmpty());
        assertThat(calls.nodeOf("forger")).isEmpty();
        assertThat(isEnding("victim")).isFalse();
    }

    @Test
    void aVictimThatWouldTakeYearsToEnd_hasAnHour() {
        plane.addNodes(t9kNode("n1", "xgn", 1));
        run();
        Pod slow = pod("slow", T9kDialect.GPU, "1");
        slow.getSpec().setTerminationGracePeriodSeconds(1_000_000_000L);
        calls.create(slow);
        calls.awaitBound("slow");
        assertThat(calls.annotation("slow", "gpu-sched.io/started")).contains("\"queue\":\"default\"");
        client.pods()
                .inNamespace("default")
                .withName("slow")
                .withGracePeriod(1_000_000_000_000L)
                .delete();
        calls.create(important(pod("first", T9kDialect.GPU, "1")));
        Await.until(
                "it ends within the hour",
                () -> Long.valueOf(3_600).equals(calls.get("slow").getMetadata().getDeletionGracePeriodSeconds()),
                () -> String.valueOf(calls.get("slow").getMetadata()));
    }

    @Test
    void aPodForWhichAllWouldNotBeEnough_evictsNobody() {
        plane.addNodes(t9kNode("n1", "xgn", 2), t9kNode("n2", "xgn", 2));
        run();
        calls.create(asking("a", 2));
        calls.create(asking("b", 2));
        calls.awaitBound("a", "b");
        calls.create(important(asking("large", 3)));
        calls.awaitPendingBecause("large", "asked 3");
        assertThat(ending("a", "b")).isEmpty();
    }

    @Test
    void aFieldThatIsNotHonoured_isNamedInTheStatusOfTheQueue_andAPodOfAQueueThatIsNotThere_saysSo() {
        plane.addNodes(t9kNode("n1", "xgn", 2));
        createQueue("team", Map.of("maxDuration", "2h", "resources", Map.of("gpu", Map.of("limit", 1))));
        run();
        calls.create(in("elsewhere", asking("lost", 1)));
        calls.awaitPendingBecause("lost", "queue \"elsewhere\" not found");
        calls.create(in("team", asking("two", 2)));
        calls.awaitPendingBecause("two", "queue \"team\" would exceed its limit of 1 GPU: uses 0 GPUs, asked 2 GPUs");
        calls.create(in("team", asking("one", 1)));
        calls.awaitBound("one");
        Await.until(
                "the status names it",
                () -> String.valueOf(client.genericKubernetesResources(QueueVocabulary.GPU_SCHED.context())
                                .withName("team")
                                .get()
                                .getAdditionalProperties()
                                .get("status"))
                        .contains("spec.maxDuration: a job is evicted for another alone"));
    }

    /** Each has a limit of one GPU, in its own words, and a field that is not honoured. */
    @Test
    void theQueuesThatPeopleHave_boundTheirPods_andNameWhatIsNotHonoured() throws IOException {
        try (InputStream in = QueuesOnControlPlaneTest.class.getResourceAsStream("/crds/queues.yaml")) {
            client.load(in).items().forEach(crd -> client.resource(crd).create());
        }
        plane.addNodes(t9kNode("n1", "xgn", 8));
        Map<QueueVocabulary, Map<String, ?>> specs = Map.of(
                QueueVocabulary.VOLCANO,
                Map.of("capability", Map.of("nvidia.com/gpu", 1), "dequeueStrategy", "fifo"),
                QueueVocabulary.KAI,
                Map.of(
                        "resources", Map.of("gpu", Map.of("quota", 0, "limit", 1, "overQuotaWeight", 1)),
                        "reclaimMinRuntime", "1m",
                        "preemptMinRuntime", "2m"),
                QueueVocabulary.T9K,
                Map.of("quota", Map.of("requests", Map.of(T9kDialect.GPU, "1")), "maxDuration", "1w"));
        Map<QueueVocabulary, String> words =
                Map.of(QueueVocabulary.KAI, "the longer holds for both", QueueVocabulary.T9K, "spec.maxDuration");
        specs.forEach((vocabulary, spec) -> bounds(vocabulary, spec, words.getOrDefault(vocabulary, "")));
    }

    private void bounds(QueueVocabulary vocabulary, Map<String, ?> spec, String words) {
        Await.until(vocabulary + " is served", () -> client.supports(vocabulary.apiVersion(), "Queue"));
        var object = queue(vocabulary, "team", spec);
        object.getMetadata().setUid(null);
        var queues = client.genericKubernetesResources(vocabulary.context());
        queues.resource(object).create();
        String name = vocabulary.word();
        try (SchedulerProcess process = SchedulerProcess.start(
                kube, TestPlane.settings("t9k").withSchedulerName(name).withQueues(QueueSettings.of(vocabulary)))) {
            calls.create(of(name, in("team", asking(name + "-0", 1))));
            calls.awaitBound(name + "-0");
            calls.create(of(name, in("team", asking(name + "-1", 1))));
            calls.awaitPendingBecause(name + "-1", "queue \"team\" would exceed its limit of 1 GPU: uses 1 GPU");
            Await.until(
                    vocabulary + " says what is not honoured",
                    () -> words.isEmpty()
                            || String.valueOf(queues.withName("team")
                                            .get()
                                            .getAdditionalProperties()
                                            .get("status"))
                                    .contains(words));
            if (words.isEmpty()) {
                calls.awaitEvent("NotHonoured", "team");
            }
            assertThat(process.isHealthy()).isTrue();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Pod of(String scheduler, Pod pod) {
        pod.getSpec().setSchedulerName(scheduler);
        return pod;
    }

    /** It is killed as soon as the first of six has been evicted. */
    @Test
    void killedBetweenEvictions_anotherGoesOn_andNobodyElseLeaves(@TempDir Path folder) throws Exception {
        plane.addNodes(t9kNode("n1", "xgn", 8), t9kNode("n2", "xgn", 8));
        Process killed = start(folder);
        try {
            IntStream.range(0, 16).forEach(i -> calls.create(asking("low-" + i, 1)));
            IntStream.range(0, 16).forEach(i -> calls.awaitBound("low-" + i));
            calls.create(important(asking("large", 6)));
            while (evicted() == 0) {
                Thread.onSpinWait();
            }
        } finally {
            killed.destroyForcibly().waitFor();
        }
        long before = evicted();
        Process next = start(folder);
        try {
            Await.until("six have left", () -> evicted() >= 6, () -> evicted() + ", before the kill " + before);
            Await.pause(1_000);
            assertThat(evicted()).isEqualTo(6);
            calls.pods().stream()
                    .filter(pod -> pod.getMetadata().getDeletionTimestamp() != null)
                    .forEach(pod -> calls.delete(pod.getMetadata().getName()));
            calls.awaitBound("large");
            assertThat(calls.bound()).hasSize(11);
        } finally {
            next.destroyForcibly().waitFor();
        }
    }

    private long evicted() {
        return calls.pods().stream()
                .filter(pod -> pod.getMetadata().getDeletionTimestamp() != null)
                .count();
    }

    private static Process start(Path folder) throws IOException {
        return plane.startKube(folder, "--queues=gpu-sched");
    }
}
