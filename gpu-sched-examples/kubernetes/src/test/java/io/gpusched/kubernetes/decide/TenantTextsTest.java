package io.gpusched.kubernetes.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.kubernetes.Manifests;
import io.gpusched.kubernetes.QueueObjects;
import io.gpusched.kubernetes.queue.Backoff;
import io.gpusched.kubernetes.quota.QueueVocabulary;
import io.gpusched.manifests.dialect.Dialects;
import io.gpusched.manifests.group.GroupVocabulary;
import io.gpusched.manifests.view.DialectSet;
import io.gpusched.model.PodId;
import io.gpusched.queue.Backfill;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Whatever a tenant writes into the fields that are his, the pods of others start: every field with every odd value, and all pairs of
 * fields, on a scheduler with queues and without. He has a group of which one pod runs and two wait, and a pod by itself.
 */
class TenantTextsTest {
    private static final Clock CLOCK = Clock.fixed(Instant.ofEpochSecond(1_777_636_800), ZoneOffset.UTC);

    private static final List<String> TEXTS = List.of(
            "",
            " ",
            "\t\n",
            "(no role)",
            "worker",
            "Worker ",
            "x".repeat(70),
            "x".repeat(20_000),
            "ключ\u0000\uD800",
            "a/b/c",
            "../..",
            "null",
            "{",
            "[[]]",
            "-1",
            "0",
            "2.5",
            "1e400",
            "2147483647",
            "9223372036854775807",
            "99999999999999999999999",
            "NaN",
            "true",
            "Never",
            "kubernetes.io/hostname",
            "zone");

    /** What a field of an object without a class may hold beside texts. */
    private static final List<Object> OTHERS = Arrays.asList(
            null,
            -1,
            0,
            2,
            2.5,
            Long.MAX_VALUE,
            1e300,
            true,
            List.of(),
            List.of(1, "a", List.of()),
            List.of(Map.of("name", "a", "minMember", 1), Map.of("name", "a", "minMember", 2)),
            List.of(Map.of("name", " "), Map.of("minMember", "x")),
            Map.of(),
            Map.of(" ", 1),
            Map.of("a", -1, "b", Integer.MAX_VALUE, "(no role)", 1),
            Map.of("mode", 5, "highestTierAllowed", "x"),
            Map.of("gang", Map.of("minCount", 1_000_000)));

    /** What the tenant has. */
    private static final class Tenant {
        final GroupVocabulary vocabulary;
        Pod running;
        final List<Pod> waiting = new ArrayList<>();
        final Map<String, String> groupAnnotations = new HashMap<>();
        final Map<String, String> groupLabels = new HashMap<>();
        final Map<String, Object> groupSpec = new LinkedHashMap<>(Map.of(
                "minMember",
                2,
                "minTaskMember",
                Map.of("worker", 1),
                "roles",
                List.of(Map.of("name", "worker", "minMember", 1)),
                "subGroups",
                List.of(Map.of("name", "worker", "minMember", 1))));

        Tenant(GroupVocabulary vocabulary) {
            this.vocabulary = vocabulary;
            running = member("hostile-runs", vocabulary, "theirs");
            running = Manifests.annotated(
                    running,
                    "gpu-sched.io/grant",
                    "{\"version\":1,\"node\":\"n0\",\"containers\":{\"main\":{\"gpus\":[\"n0-gpu-0\"]}}}");
            running.getSpec().setNodeName("n0");
            waiting.add(new PodBuilder(member("hostile-0", vocabulary, "theirs"))
                    .editMetadata()
                    .addToAnnotations("volcano.sh/task-spec", "worker")
                    .addToLabels(T9kDialect.ROLE, "worker")
                    .addToLabels("kai.scheduler/subgroup-name", "worker")
                    .endMetadata()
                    .build());
            waiting.add(member("hostile-1", vocabulary, "theirs"));
            waiting.add(pod("hostile-single"));
        }

        /** Writes a field of all pods but the last, so that what is written contradicts what is not. */
        void everyPod(BiConsumer<PodBuilder, String> write, String value) {
            running = with(running, write, value);
            for (int i = 1; i < waiting.size(); i++) {
                waiting.set(i, with(waiting.get(i), write, value));
            }
        }

        private static Pod with(Pod pod, BiConsumer<PodBuilder, String> write, String value) {
            PodBuilder builder = new PodBuilder(pod);
            write.accept(builder, value);
            return builder.build();
        }
    }

    private static Pod pod(String name) {
        return new PodBuilder(Manifests.pod(name, T9kDialect.GPU, "1"))
                .editMetadata()
                .withUid("uid-" + name)
                .withResourceVersion("5")
                .withCreationTimestamp("2026-05-01T11:00:00Z")
                .endMetadata()
                .build();
    }

    private static Pod member(String name, GroupVocabulary vocabulary, String group) {
        Pod pod = pod(name);
        return switch (vocabulary) {
            case KUBERNETES ->
                new PodBuilder(pod)
                        .editSpec()
                        .withNewSchedulingGroup()
                        .withPodGroupName(group)
                        .endSchedulingGroup()
                        .endSpec()
                        .build();
            case COSCHEDULING -> Manifests.labelled(pod, "scheduling.x-k8s.io/pod-group", group);
            case VOLCANO -> Manifests.annotated(pod, "scheduling.k8s.io/group-name", group);
            case T9K -> Manifests.labelled(pod, T9kDialect.GROUP_NAME, group);
            case KAI -> Manifests.annotated(pod, "pod-group-name", group);
        };
    }

    private static Change group(
            GroupVocabulary vocabulary,
            String name,
            Map<String, String> annotations,
            Map<String, String> labels,
            Map<String, Object> spec) {
        GenericKubernetesResource object = new GenericKubernetesResource();
        object.setMetadata(new ObjectMetaBuilder()
                .withNamespace("default")
                .withName(name)
                .withUid("uid-" + name)
                .withAnnotations(annotations)
                .withLabels(labels)
                .build());
        object.setAdditionalProperty("spec", spec);
        return new Change.GroupPut(vocabulary.read(object), Map.of(), "1");
    }

    /** A field that a tenant may write, and the values that are tried. */
    private record Field(String name, List<?> values, BiConsumer<Tenant, Object> write) {}

    private static Field annotation(String key) {
        return ofPods(
                "annotation " + key,
                TEXTS,
                (pod, text) -> pod.editMetadata().addToAnnotations(key, text).endMetadata());
    }

    private static Field label(String key) {
        return ofPods(
                "label " + key,
                TEXTS,
                (pod, text) -> pod.editMetadata().addToLabels(key, text).endMetadata());
    }

    private static Field ofPods(String name, List<String> values, BiConsumer<PodBuilder, String> write) {
        return new Field(name, values, (tenant, value) -> tenant.everyPod(write, String.valueOf(value)));
    }

    private static Field ofGroup(String... path) {
        List<Object> values = new ArrayList<>(TEXTS);
        values.addAll(OTHERS);
        return new Field(
                "group " + String.join(".", path),
                values,
                (tenant, value) -> put(tenant.groupSpec, List.of(path), value));
    }

    @SuppressWarnings("unchecked") // the maps are this test's own
    private static void put(Map<String, Object> object, List<String> path, @Nullable Object value) {
        if (path.size() == 1) {
            object.put(path.get(0), value);
            return;
        }
        Map<String, Object> inner = new LinkedHashMap<>();
        if (object.get(path.get(0)) instanceof LinkedHashMap<?, ?> known) {
            inner = (Map<String, Object>) known;
        }
        object.put(path.get(0), inner);
        put(inner, path.subList(1, path.size()), value);
    }

    private static final List<String> TIMES =
            List.of("", " ", "x", "2026-05-01T12:00:00Z", "0000-01-01T00:00:00Z", "+999999999-12-31T23:59:59Z");
    private static final List<String> NUMBERS =
            List.of("-9223372036854775808", "-1", "0", "1", "2147483648", "9223372036854775807");
    private static final List<String> AMOUNTS = List.of(
            "", " ", "-1", "0", "0.5", "1e400", "9223372036854775807", "99999999999999999999", "1Zi", "x", "NaN");

    private static List<Field> fields() {
        List<Field> fields = new ArrayList<>();
        Stream.of(
                        "volcano.sh/task-spec",
                        "volcano.sh/preemptable",
                        "scheduling.k8s.io/group-name",
                        "scheduling.volcano.sh/queue-name",
                        "pod-group-name",
                        "gpu-sched.io/expected-seconds",
                        "gpu-sched.io/promise",
                        "gpu-sched.io/nomination",
                        "gpu-sched.io/started",
                        "gpu-sched.io/grant",
                        "gpu-sched.io/dialect",
                        "alpha.jobset.sigs.k8s.io/exclusive-topology",
                        "leaderworkerset.sigs.k8s.io/exclusive-topology",
                        "leaderworkerset.sigs.k8s.io/subgroup-exclusive-topology",
                        "hami.io/gpu-scheduler-policy",
                        "hami.io/device-scoring-weights",
                        "nvidia.com/use-gputype",
                        "volcano.sh/vgpu-mode")
                .forEach(key -> fields.add(annotation(key)));
        Stream.of(
                        T9kDialect.GROUP_NAME,
                        T9kDialect.ROLE,
                        QueueVocabulary.QUEUE,
                        QueueVocabulary.PREEMPTIBLE,
                        "scheduler.tensorstack.dev/queue",
                        "kai.scheduler/queue",
                        "kai.scheduler/preemptibility",
                        "kai.scheduler/subgroup-name",
                        "scheduling.x-k8s.io/pod-group",
                        "jobset.sigs.k8s.io/job-key",
                        "leaderworkerset.sigs.k8s.io/group-key")
                .forEach(key -> fields.add(label(key)));
        fields.addAll(ofSpec());
        Stream.of(GroupVocabulary.WITHIN, GroupVocabulary.PREFERABLY_WITHIN)
                .forEach(key -> fields.add(new Field(
                        "group annotation " + key,
                        TEXTS,
                        (tenant, value) -> tenant.groupAnnotations.put(key, String.valueOf(value)))));
        fields.add(new Field(
                "group label queue",
                TEXTS,
                (tenant, value) -> tenant.groupLabels.put(QueueVocabulary.QUEUE, String.valueOf(value))));
        Stream.of(
                        "minMember",
                        "minTaskMember",
                        "roles",
                        "subGroups",
                        "minSubGroup",
                        "queue",
                        "priority",
                        "priorityClassName",
                        "topologyPolicy",
                        "disruptionMode",
                        "preemptibility",
                        "resourceClaims",
                        "parentCompositePodGroupName",
                        "subGroupPolicy")
                .forEach(name -> fields.add(ofGroup(name)));
        fields.add(ofGroup("disruptionMode", "single"));
        fields.add(ofGroup("networkTopology", "mode"));
        fields.add(ofGroup("networkTopology", "highestTierAllowed"));
        fields.add(ofGroup("topologyConstraint", "requiredTopologyLevel"));
        fields.add(ofGroup("topologyConstraint", "preferredTopologyLevel"));
        fields.add(ofGroup("schedulingPolicy", "gang", "minCount"));
        fields.add(ofGroup("schedulingConstraints", "topology"));
        return fields;
    }

    private static List<Field> ofSpec() {
        List<Field> fields = new ArrayList<>();
        fields.add(ofPods(
                "priorityClassName",
                TEXTS,
                (pod, text) -> pod.editSpec().withPriorityClassName(text).endSpec()));
        fields.add(ofPods(
                "preemptionPolicy",
                TEXTS,
                (pod, text) -> pod.editSpec().withPreemptionPolicy(text).endSpec()));
        fields.add(ofPods(
                "schedulingGroup",
                TEXTS,
                (pod, text) -> pod.editSpec()
                        .withNewSchedulingGroup()
                        .withPodGroupName(text)
                        .endSchedulingGroup()
                        .endSpec()));
        fields.add(ofPods(
                "nodeSelector",
                TEXTS,
                (pod, text) -> pod.editSpec().addToNodeSelector(text, text).endSpec()));
        fields.add(ofPods(
                "toleration",
                TEXTS,
                (pod, text) -> pod.editSpec()
                        .addNewToleration(text, text, text, 1L, text)
                        .endSpec()));
        fields.add(ofPods(
                "pod affinity",
                TEXTS,
                (pod, text) -> pod.editSpec()
                        .editOrNewAffinity()
                        .withNewPodAffinity()
                        .addNewRequiredDuringSchedulingIgnoredDuringExecution()
                        .withTopologyKey(text)
                        .withNewLabelSelector()
                        .addNewMatchExpression()
                        .withKey(text)
                        .withOperator(text)
                        .withValues(text)
                        .endMatchExpression()
                        .endLabelSelector()
                        .endRequiredDuringSchedulingIgnoredDuringExecution()
                        .endPodAffinity()
                        .endAffinity()
                        .endSpec()));
        fields.add(ofPods(
                "spread",
                TEXTS,
                (pod, text) -> pod.editSpec()
                        .addNewTopologySpreadConstraint()
                        .withMaxSkew(text.length())
                        .withTopologyKey(text)
                        .withWhenUnsatisfiable(text)
                        .withMatchLabelKeys(text)
                        .withNewLabelSelector()
                        .addToMatchLabels(text, text)
                        .endLabelSelector()
                        .endTopologySpreadConstraint()
                        .endSpec()));
        fields.add(ofPods(
                "claim",
                TEXTS,
                (pod, text) -> pod.editSpec()
                        .addNewVolume()
                        .withName(text)
                        .withNewPersistentVolumeClaim(text, false)
                        .endVolume()
                        .endSpec()));
        fields.add(ofPods(
                "container name",
                TEXTS,
                (pod, text) -> pod.editSpec()
                        .editFirstContainer()
                        .withName(text)
                        .endContainer()
                        .endSpec()));
        fields.add(ofPods(
                "second container",
                TEXTS,
                (pod, text) -> pod.editSpec()
                        .addNewContainer()
                        .withName(text)
                        .endContainer()
                        .endSpec()));
        fields.add(ofPods(
                "resource",
                TEXTS,
                (pod, text) -> pod.editSpec()
                        .editFirstContainer()
                        .editResources()
                        .addToLimits(text, new Quantity("1"))
                        .endResources()
                        .endContainer()
                        .endSpec()));
        Stream.of(T9kDialect.GPU, T9kDialect.GPU_PERCENT, "cpu", "memory", "ephemeral-storage")
                .forEach(resource -> fields.add(ofPods(
                        "amount of " + resource,
                        AMOUNTS,
                        (pod, text) -> pod.editSpec()
                                .editFirstContainer()
                                .editResources()
                                .addToLimits(resource, new Quantity(text, ""))
                                .addToRequests(resource, new Quantity(text, ""))
                                .endResources()
                                .endContainer()
                                .endSpec())));
        fields.add(ofPods(
                "overhead",
                AMOUNTS,
                (pod, text) -> pod.editSpec()
                        .addToOverhead("cpu", new Quantity(text, ""))
                        .endSpec()));
        fields.add(ofPods(
                "activeDeadlineSeconds",
                NUMBERS,
                (pod, text) -> pod.editSpec()
                        .withActiveDeadlineSeconds(Long.parseLong(text))
                        .endSpec()));
        fields.add(ofPods(
                "terminationGracePeriodSeconds",
                NUMBERS,
                (pod, text) -> pod.editSpec()
                        .withTerminationGracePeriodSeconds(Long.parseLong(text))
                        .endSpec()));
        fields.add(ofPods(
                "priority",
                List.of("-2147483648", "2147483647"),
                (pod, text) ->
                        pod.editSpec().withPriority(Integer.parseInt(text)).endSpec()));
        fields.add(ofPods(
                "creationTimestamp",
                TIMES,
                (pod, text) -> pod.editMetadata().withCreationTimestamp(text).endMetadata()));
        fields.add(ofPods(
                "nominatedNodeName",
                TEXTS,
                (pod, text) -> pod.editOrNewStatus().withNominatedNodeName(text).endStatus()));
        fields.add(ofPods(
                "condition",
                TEXTS,
                (pod, text) -> pod.editOrNewStatus()
                        .addToConditions(new PodConditionBuilder()
                                .withType("PodScheduled")
                                .withStatus("True")
                                .withLastTransitionTime(text)
                                .build())
                        .endStatus()));
        fields.add(ofPods(
                "phase",
                TEXTS,
                (pod, text) -> pod.editOrNewStatus().withPhase(text).endStatus()));
        return fields;
    }

    private static SchedulerState scheduler(QueueVocabulary queues) {
        return new SchedulerState(
                new DialectSet(List.of(Dialects.find("t9k").orElseThrow())),
                Scope.of("gpu-sched"),
                new Backoff(1_000, 10_000),
                600_000,
                CLOCK,
                QueueSettings.of(queues).withBackfill(Backfill.PROMISED));
    }

    /** The pods of others: one by itself, and a group with roles. */
    private static List<Pod> innocents() {
        Pod worker = member("innocent-0", GroupVocabulary.VOLCANO, "ours");
        Pod other = member("innocent-1", GroupVocabulary.VOLCANO, "ours");
        return List.of(pod("innocent"), Manifests.annotated(worker, "volcano.sh/task-spec", "worker"), other);
    }

    private static List<Change> world(Tenant tenant, QueueVocabulary queues) {
        List<Change> changes = new ArrayList<>();
        for (int n = 0; n < 4; n++) {
            changes.add(new Change.NodePut(Manifests.t9kNode("n" + n, "xgn", 4, Map.of("zone", "z" + n % 2))));
        }
        if (queues != QueueVocabulary.NONE) {
            changes.add(new Change.QueuePut(queues.read(QueueObjects.queue(queues, "team", Map.of("priority", 1)))));
        }
        changes.add(new Change.PodPut(tenant.running));
        changes.add(group(tenant.vocabulary, "theirs", tenant.groupAnnotations, tenant.groupLabels, tenant.groupSpec));
        tenant.waiting.forEach(pod -> changes.add(new Change.PodPut(pod)));
        changes.add(group(
                GroupVocabulary.VOLCANO,
                "ours",
                Map.of(),
                Map.of(),
                Map.of("minMember", 2, "minTaskMember", Map.of("worker", 1))));
        innocents().forEach(pod -> changes.add(new Change.PodPut(pod)));
        return changes;
    }

    /** Returns what of the innocents has not been bound after some rounds, or by what the scheduler was stopped. */
    private static String fault(Tenant tenant, QueueVocabulary queues) {
        Set<String> left = new HashSet<>(Set.of("innocent", "innocent-0", "innocent-1"));
        try {
            SchedulerState state = scheduler(queues);
            state.apply(world(tenant, queues), 1_000);
            for (int round = 1; round <= 3; round++) {
                Decisions decisions = state.decide(1_000 + round * 1_000L);
                decisions.refusals().forEach(refusal -> refusal.message().get());
                decisions.groups().forEach(group -> group.message().get());
                decisions
                        .bindings()
                        .forEach(binding -> left.remove(binding.pod().id().name()));
                state.groupStates();
                state.troubles();
                state.cluster().validate();
            }
            return left.isEmpty() ? "" : "not bound: " + left;
        } catch (RuntimeException | StackOverflowError e) {
            return e + " at " + e.getStackTrace()[0] + " " + e.getStackTrace()[1] + " " + e.getStackTrace()[2];
        }
    }

    private static String said(List<Field> fields, List<Object> values) {
        StringBuilder said = new StringBuilder();
        for (int i = 0; i < fields.size(); i++) {
            String value = String.valueOf(values.get(i));
            said.append(fields.get(i).name())
                    .append(" = \"")
                    .append(value.length() > 80 ? value.length() + " characters" : value)
                    .append("\"; ");
        }
        return said.toString();
    }

    private static List<String> faults(
            List<Field> fields, List<Object> values, GroupVocabulary vocabulary, QueueVocabulary queues) {
        Tenant tenant = new Tenant(vocabulary);
        for (int i = 0; i < fields.size(); i++) {
            fields.get(i).write().accept(tenant, values.get(i));
        }
        String fault = fault(tenant, queues);
        return fault.isEmpty()
                ? List.of()
                : List.of(said(fields, values) + vocabulary + ", queues " + queues + ": " + fault);
    }

    @Test
    void everyField_withEveryOddValue_keepsNoOtherFromStarting() {
        List<String> faults = new ArrayList<>();
        List<QueueVocabulary> schedulers = List.of(QueueVocabulary.values());
        GroupVocabulary[] vocabularies = GroupVocabulary.values();
        int turn = 0;
        for (Field field : fields()) {
            for (Object value : field.values()) {
                List<Object> one = new ArrayList<>();
                one.add(value);
                int queues = turn % schedulers.size();
                int groups = turn / schedulers.size() % vocabularies.length;
                faults.addAll(faults(List.of(field), one, vocabularies[groups], schedulers.get(queues)));
                turn++;
            }
        }
        assertThat(faults).isEmpty();
    }

    @Test
    void everyTwoFields_withOddValues_keepNoOtherFromStarting() {
        Random random = new Random(43);
        List<Field> fields = fields();
        List<QueueVocabulary> schedulers = List.of(QueueVocabulary.values());
        List<String> faults = new ArrayList<>();
        for (int i = 0; i < fields.size(); i++) {
            for (int k = 0; k < i; k++) {
                List<Field> two = List.of(fields.get(i), fields.get(k));
                List<Object> values = new ArrayList<>();
                two.forEach(field -> values.add(
                        field.values().get(random.nextInt(field.values().size()))));
                faults.addAll(faults(
                        two,
                        values,
                        GroupVocabulary.values()[random.nextInt(GroupVocabulary.values().length)],
                        schedulers.get(random.nextInt(schedulers.size()))));
            }
        }
        assertThat(faults).isEmpty();
    }

    /** Both stopped a scheduler once: a role without a name, and the name that pods without a role had. */
    @Test
    void aRoleOfABlankName_orOfThatOfNoRole_keepsNoOtherFromStarting() {
        for (String role : List.of(" ", "(no role)")) {
            Tenant tenant = new Tenant(GroupVocabulary.VOLCANO);
            tenant.everyPod(
                    (pod, text) -> pod.editMetadata()
                            .addToAnnotations("volcano.sh/task-spec", text)
                            .endMetadata(),
                    role);
            tenant.groupSpec.put("minTaskMember", Map.of(role, 1, "worker", 1));
            assertThat(fault(tenant, QueueVocabulary.VOLCANO)).isEmpty();
            tenant.groupSpec.put("minTaskMember", Map.of("worker", 1));
            assertThat(fault(tenant, QueueVocabulary.VOLCANO)).isEmpty();
        }
    }

    /** Pods that name a node and no GPU are bound by their tenant himself. */
    @Test
    void podsThatRun_andNameQueuesAsTheSchedulerCallsItsOwn_keepNoOtherFromStarting() {
        Tenant tenant = new Tenant(GroupVocabulary.VOLCANO);
        QueueVocabulary queues = QueueVocabulary.VOLCANO;
        String before = "pods of parent from before it had parts";
        SchedulerState state = scheduler(queues);
        state.apply(world(tenant, queues), 1_000);
        List<Change> more = new ArrayList<>();
        more.add(new Change.QueuePut(queues.read(QueueObjects.queue(queues, "parent", Map.of()))));
        more.add(new Change.QueuePut(queues.read(QueueObjects.queue(queues, "part", Map.of("parent", "parent")))));
        for (String queue : List.of("parent", before, before + "'")) {
            Pod plain = new PodBuilder(Manifests.pod("of " + queue, Map.of()))
                    .editMetadata()
                    .withUid("uid of " + queue)
                    .addToAnnotations("scheduling.volcano.sh/queue-name", queue)
                    .endMetadata()
                    .editSpec()
                    .withNodeName("n3")
                    .endSpec()
                    .build();
            more.add(new Change.PodPut(plain));
        }
        Pod waiting = Manifests.annotated(pod("waits"), "scheduling.volcano.sh/queue-name", before);
        more.add(new Change.PodPut(waiting));
        state.apply(more, 1_000);
        Decisions decisions = state.decide(2_000);
        assertThat(decisions.bindings())
                .extracting(binding -> binding.pod().id().name())
                .contains("innocent", "innocent-0", "innocent-1")
                .doesNotContain("waits");
        assertThat(decisions.refusals())
                .extracting(refusal -> refusal.message().get())
                .noneMatch(words -> words.contains("the scheduler failed"));
    }

    @Test
    void aPodThatCannotBeDecidedAbout_isToldSo() {
        Tenant tenant = new Tenant(GroupVocabulary.T9K);
        tenant.groupSpec.put("roles", List.of(Map.of("name", " ", "minMember", 1)));
        SchedulerState state = scheduler(QueueVocabulary.GPU_SCHED);
        state.apply(world(tenant, QueueVocabulary.GPU_SCHED), 1_000);
        Decisions decisions = state.decide(2_000);
        assertThat(decisions.refusals())
                .filteredOn(refusal -> refusal.pod().id().equals(new PodId("default", "hostile-0")))
                .first()
                .extracting(refusal -> refusal.message().get())
                .isEqualTo("PodGroup \"default/theirs\": spec.roles[0].name must be a name of 1 to 63 letters, digits, "
                        + "\"-\", \"_\" and \".\", got \" \"");
    }
}
