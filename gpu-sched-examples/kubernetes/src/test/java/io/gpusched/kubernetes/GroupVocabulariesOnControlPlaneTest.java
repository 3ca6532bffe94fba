package io.gpusched.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.kubernetes.decide.QueueSettings;
import io.gpusched.kubernetes.process.SchedulerProcess;
import io.gpusched.kubernetes.process.SchedulerSettings;
import io.gpusched.kubernetes.quota.QueueVocabulary;
import io.gpusched.manifests.group.GroupVocabulary;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Groups whose API is not Kubernetes' own, on a real API server, by a scheduler with the rights of {@code deploy} alone. */
class GroupVocabulariesOnControlPlaneTest {
    @RegisterExtension
    static final TestPlane plane = TestPlane.shared();

    private static KubernetesClient client;

    private final ClusterCalls calls = plane.calls();

    @BeforeAll
    static void installApis() throws IOException {
        client = plane.client();
        for (String part :
                List.of("namespace", "crds", "kube", "groups/volcano", "groups/coscheduling", "groups/kai")) {
            DeployFiles.objects(client, part).forEach(GroupVocabulariesOnControlPlaneTest::put);
        }
        for (String file : List.of("/crds/volcano.yaml", "/crds/coscheduling.yaml", "/crds/kai.yaml")) {
            try (InputStream in = GroupVocabulariesOnControlPlaneTest.class.getResourceAsStream(file)) {
                client.load(in).items().forEach(GroupVocabulariesOnControlPlaneTest::put);
            }
        }
        for (GroupVocabulary vocabulary : GroupVocabulary.values()) {
            Await.until(vocabulary + " is served", () -> client.supports(vocabulary.apiVersion(), "PodGroup"));
        }
    }

    private static void put(HasMetadata object) {
        client.resource(object).forceConflicts().serverSideApply();
    }

    private static void createGroup(GroupVocabulary vocabulary, String name, int minimum) {
        createGroup(vocabulary, name, Map.of("minMember", minimum));
    }

    private static void createGroup(GroupVocabulary vocabulary, String name, Map<String, Object> spec) {
        GenericKubernetesResource group = new GenericKubernetesResource();
        group.setApiVersion(vocabulary.apiVersion());
        group.setKind("PodGroup");
        group.setMetadata(
                new ObjectMetaBuilder().withName(name).withNamespace("default").build());
        group.setAdditionalProperty("spec", spec);
        client.genericKubernetesResources(vocabulary.context())
                .inNamespace("default")
                .resource(group)
                .create();
    }

    private static Pod member(GroupVocabulary vocabulary, String group, String name) {
        Pod pod = Manifests.pod(name, T9kDialect.GPU, "1");
        return switch (vocabulary) {
            case T9K -> Manifests.labelled(pod, T9kDialect.GROUP_NAME, group);
            case COSCHEDULING -> Manifests.labelled(pod, "scheduling.x-k8s.io/pod-group", group);
            default ->
                new PodBuilder(pod)
                        .editMetadata()
                        .addToAnnotations("scheduling.k8s.io/group-name", group)
                        .endMetadata()
                        .build();
        };
    }

    private static Map<?, ?> status(GroupVocabulary vocabulary, String group) {
        Object status = client.genericKubernetesResources(vocabulary.context())
                .inNamespace("default")
                .withName(group)
                .get()
                .getAdditionalProperties()
                .get("status");
        return status instanceof Map<?, ?> map ? map : Map.of();
    }

    private static void awaitStatus(GroupVocabulary vocabulary, String group, Map<String, ?> expected) {
        Await.until(
                vocabulary + " says " + expected,
                () -> expected.entrySet().stream()
                        .allMatch(field -> Objects.equals(
                                String.valueOf(field.getValue()),
                                String.valueOf(status(vocabulary, group).get(field.getKey())))),
                () -> "it says " + status(vocabulary, group));
    }

    private static void awaitCondition(
            GroupVocabulary vocabulary, String group, String type, String value, String reason) {
        Await.until(
                type + " is " + value + " because " + reason,
                () -> status(vocabulary, group).get("conditions") instanceof List<?> conditions
                        && conditions.stream()
                                .anyMatch(one -> one instanceof Map<?, ?> condition
                                        && type.equals(condition.get("type"))
                                        && value.equals(condition.get("status"))
                                        && reason.equals(condition.get("reason"))),
                () -> "it says " + status(vocabulary, group));
    }

    /** What a kubelet says of the pods on its node. */
    private void setPhase(String phase) {
        for (Pod pod : calls.pods()) {
            client.pods()
                    .inNamespace("default")
                    .withName(pod.getMetadata().getName())
                    .editStatus(fresh -> {
                        fresh.getStatus().setPhase(phase);
                        return fresh;
                    });
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"T9K", "VOLCANO", "COSCHEDULING"})
    void aGang_startsAsAWhole_andItsStatusSaysHowFarItIs(GroupVocabulary vocabulary) {
        plane.addNodes(Manifests.t9kNode("n1", "xgn", 2));
        plane.run(plane.clientOf("gpu-sched-kube"), TestPlane.settings("t9k"));
        createGroup(vocabulary, "gang", 3);
        calls.create(member(vocabulary, "gang", "m0"));
        calls.create(member(vocabulary, "gang", "m1"));
        switch (vocabulary) {
            case T9K -> awaitCondition(vocabulary, "gang", "SufficientGroupMember", "False", "InsufficientMemberPods");
            case VOLCANO -> awaitCondition(vocabulary, "gang", "Unschedulable", "True", "NotEnoughTasks");
            default -> awaitStatus(vocabulary, "gang", Map.of("phase", "Pending"));
        }

        calls.create(member(vocabulary, "gang", "m2"));
        switch (vocabulary) {
            case T9K -> {
                awaitCondition(vocabulary, "gang", "SufficientGroupMember", "True", "SufficientMemberPods");
                awaitCondition(vocabulary, "gang", "GroupScheduled", "False", "Unschedulable");
                awaitStatus(vocabulary, "gang", Map.of("pending", 3, "running", 0));
            }
            case VOLCANO -> {
                awaitCondition(vocabulary, "gang", "Unschedulable", "True", "NotEnoughResources");
                awaitStatus(vocabulary, "gang", Map.of("phase", "Inqueue"));
            }
            default -> awaitStatus(vocabulary, "gang", Map.of("phase", "Scheduling", "scheduled", 0));
        }
        assertThat(calls.bound()).isEmpty();

        plane.addNodes(Manifests.t9kNode("n2", "xgn", 2));
        calls.awaitBound("m0", "m1", "m2");
        switch (vocabulary) {
            case T9K -> {
                awaitCondition(vocabulary, "gang", "GroupScheduled", "True", "PodGroupScheduled");
                awaitStatus(
                        vocabulary,
                        "gang",
                        Map.of("allocated", "{cpu=3, memory=3221225472, " + T9kDialect.GPU + "=3}"));
            }
            case VOLCANO -> {
                awaitCondition(vocabulary, "gang", "Scheduled", "True", "tasks in gang are ready to be scheduled");
                awaitCondition(vocabulary, "gang", "Unschedulable", "False", "");
                awaitStatus(vocabulary, "gang", Map.of("phase", "Running"));
            }
            default -> awaitStatus(vocabulary, "gang", Map.of("phase", "Scheduled", "scheduled", 3));
        }

        setPhase("Running");
        awaitStatus(vocabulary, "gang", Map.of("running", 3, "failed", 0));
        setPhase("Succeeded");
        awaitStatus(vocabulary, "gang", Map.of("running", 0, "succeeded", 3));
        switch (vocabulary) {
            case T9K -> awaitStatus(vocabulary, "gang", Map.of("pending", 0, "unknown", 0));
            case VOLCANO -> awaitStatus(vocabulary, "gang", Map.of("phase", "Completed"));
            default -> awaitStatus(vocabulary, "gang", Map.of("phase", "Finished"));
        }
    }

    @Test
    void aGangOfKai_waitsUntilOneDomainOfItsRequiredLevelTakesItsParts() {
        plane.addNodes(
                Manifests.t9kNode("n1", "xgn", 2, Map.of("rack", "a")),
                Manifests.t9kNode("n2", "xgn", 1, Map.of("rack", "b")));
        plane.run(plane.clientOf("gpu-sched-kube"), TestPlane.settings("t9k"));
        createGroup(
                GroupVocabulary.KAI,
                "parts",
                Map.of(
                        "topologyConstraint", Map.of("topology", "racks", "requiredTopologyLevel", "rack"),
                        "subGroups",
                                List.of(
                                        Map.of("name", "lead", "minMember", 1),
                                        Map.of("name", "worker", "minMember", 2))));
        for (String name : List.of("lead-0", "worker-0", "worker-1")) {
            calls.create(Manifests.labelled(
                    Manifests.annotated(Manifests.pod(name, T9kDialect.GPU, "1"), "pod-group-name", "parts"),
                    "kai.scheduler/subgroup-name",
                    name.substring(0, name.length() - 2)));
        }
        awaitStatus(GroupVocabulary.KAI, "parts", Map.of("pending", 3, "running", 0));
        Await.until(
                "it says why it waits",
                () -> String.valueOf(status(GroupVocabulary.KAI, "parts").get("schedulingConditions"))
                        .contains("status=True"));
        assertThat(calls.bound()).isEmpty();

        plane.addNodes(Manifests.t9kNode("n3", "xgn", 2, Map.of("rack", "b")));
        calls.awaitBound("lead-0", "worker-0", "worker-1");
        assertThat(calls.bound()).extracting(pod -> pod.getSpec().getNodeName()).containsOnly("n2", "n3");
        Await.until(
                "it waits no more",
                () -> String.valueOf(status(GroupVocabulary.KAI, "parts").get("schedulingConditions"))
                        .contains("status=False"));
    }

    /** Groups come by one watch, their pods by another, and statuses are written one after the other: the first would be written first. */
    @Test
    void theStatusOfAGroup_whosePodsAnotherSchedulerPlaces_isNotTouched() {
        plane.run(plane.clientOf("gpu-sched-kube"), TestPlane.settings("t9k"));
        createGroup(GroupVocabulary.VOLCANO, "theirs", 1);
        Pod theirs = member(GroupVocabulary.VOLCANO, "theirs", "theirs");
        theirs.getSpec().setSchedulerName("volcano");
        calls.create(theirs);
        for (String name : List.of("ours", "later")) {
            createGroup(GroupVocabulary.VOLCANO, name, 1);
            calls.create(member(GroupVocabulary.VOLCANO, name, name));
            awaitStatus(GroupVocabulary.VOLCANO, name, Map.of("phase", "Inqueue"));
        }
        assertThat(status(GroupVocabulary.VOLCANO, "theirs")).isEmpty();
    }

    /** Both stopped a scheduler once: a role without a name, and the name that pods without a role had. */
    @ParameterizedTest
    @ValueSource(strings = {" ", "(no role)"})
    void aRoleOfAnOddName_keepsNoPodOfOthersFromStarting_alsoAfterARestart(String role) throws IOException {
        plane.addNodes(Manifests.t9kNode("n1", "xgn", 8));
        SchedulerSettings settings = TestPlane.settings("t9k").withQueues(QueueSettings.of(QueueVocabulary.VOLCANO));
        String group = role.isBlank() ? "blank" : "no-role";
        createGroup(GroupVocabulary.VOLCANO, group, Map.of("minMember", 2, "minTaskMember", Map.of("worker", 1)));
        try (SchedulerProcess before = SchedulerProcess.start(client, settings)) {
            for (String name : List.of("odd-0", "odd-1")) {
                calls.create(Manifests.annotated(
                        member(GroupVocabulary.VOLCANO, group, name), "volcano.sh/task-spec", role));
            }
            calls.create(member(GroupVocabulary.VOLCANO, group, "odd-2"));
            calls.create(Manifests.pod("before", T9kDialect.GPU, "1"));
            calls.awaitBound("before");
            assertThat(before.isHealthy()).isTrue();
        }

        SchedulerProcess after = plane.run(settings);
        calls.create(Manifests.pod("after", T9kDialect.GPU, "1"));

        calls.awaitBound("after");
        assertThat(after.isHealthy()).isTrue();
    }
}
