package io.gpusched.manifests.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.queue.Eviction;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GroupVocabularyTest {
    private static GroupSpec read(GroupVocabulary vocabulary, Map<String, Object> spec) {
        return read(vocabulary, spec, Map.of());
    }

    private static GroupSpec read(
            GroupVocabulary vocabulary, Map<String, Object> spec, Map<String, String> annotations) {
        GenericKubernetesResource object = new GenericKubernetesResource();
        object.setMetadata(new ObjectMetaBuilder()
                .withName("g")
                .withNamespace("ns")
                .withUid("u")
                .withAnnotations(annotations)
                .build());
        object.setAdditionalProperty("spec", spec);
        return vocabulary.read(object);
    }

    private static Pod pod(Map<String, String> labels, Map<String, String> annotations) {
        return new PodBuilder()
                .withNewMetadata()
                .withName("p")
                .withNamespace("ns")
                .withLabels(labels)
                .withAnnotations(annotations)
                .endMetadata()
                .withNewSpec()
                .endSpec()
                .build();
    }

    @Test
    void kubernetes_countsByMinCount_withinOneDomain() {
        GroupSpec group = read(
                GroupVocabulary.KUBERNETES,
                Map.of(
                        "schedulingPolicy", Map.of("gang", Map.of("minCount", 3)),
                        "schedulingConstraints", Map.of("topology", List.of(Map.of("key", "rack"))),
                        "priorityClassName", "high"));
        assertThat(group.minimum()).isEqualTo(3);
        assertThat(group.locality()).isEqualTo(GroupLocality.within("rack"));
        assertThat(group.priorityClass()).isEqualTo("high");
        assertThat(group.problem()).isEmpty();
    }

    @Test
    void anyVocabulary_isToldByAnnotationsWithinWhatAGroupStays() {
        Map<String, String> both = Map.of("gpu-sched.io/within", "rack", "gpu-sched.io/preferably-within", "clique");
        for (GroupVocabulary vocabulary : GroupVocabulary.values()) {
            assertThat(read(vocabulary, Map.of("minMember", 2), both).locality())
                    .isEqualTo(new GroupLocality(List.of("clique", "rack"), true));
        }
        assertThat(read(GroupVocabulary.T9K, Map.of("minMember", 2), Map.of("gpu-sched.io/preferably-within", "clique"))
                        .locality())
                .isEqualTo(new GroupLocality(List.of("clique"), false));
        assertThat(read(
                                GroupVocabulary.KUBERNETES,
                                Map.of("schedulingConstraints", Map.of("topology", List.of(Map.of("key", "zone")))),
                                both)
                        .problem())
                .contains("do not go with a topology in the spec");
    }

    @Test
    void aGroupOfKubernetes_saysWhetherPodsMayBeEvictedForIt() {
        assertThat(read(GroupVocabulary.KUBERNETES, Map.of("preemptionPolicy", "Never"))
                        .preempts())
                .contains(false);
        assertThat(read(GroupVocabulary.KUBERNETES, Map.of("preemptionPolicy", "PreemptLowerPriority"))
                        .preempts())
                .contains(true);
        assertThat(read(GroupVocabulary.KUBERNETES, Map.of()).preempts()).isEmpty();
    }

    @Test
    void aBasicGroup_isNoGang() {
        assertThat(read(GroupVocabulary.KUBERNETES, Map.of("schedulingPolicy", Map.of("basic", Map.of())))
                        .minimum())
                .isEqualTo(1);
    }

    @Test
    void whatIsNotHonoured_isNamed() {
        assertThat(read(GroupVocabulary.KUBERNETES, Map.of("parentCompositePodGroupName", "c"))
                        .problem())
                .startsWith("spec.parentCompositePodGroupName");
        assertThat(read(
                                GroupVocabulary.KUBERNETES,
                                Map.of(
                                        "schedulingConstraints",
                                        Map.of("topology", List.of(Map.of("key", "a"), Map.of("key", "b")))))
                        .problem())
                .startsWith("spec.schedulingConstraints.topology[1]");
        assertThat(read(GroupVocabulary.VOLCANO, Map.of("networkTopology", Map.of("mode", "hard")))
                        .problem())
                .startsWith("spec.networkTopology.mode");
        assertThat(read(GroupVocabulary.T9K, Map.of("minMember", 1, "topologyPolicy", "best-effort"))
                        .problem())
                .startsWith("spec.topologyPolicy");
        assertThat(read(GroupVocabulary.T9K, Map.of("minMember", -1)).problem())
                .isEqualTo("spec.minMember must be a whole number in 0..2147483647, got -1");
        assertThat(read(GroupVocabulary.COSCHEDULING, Map.of("minMember", "many"))
                        .problem())
                .contains("got \"many\"");
    }

    @Test
    void kai_saysQueue_classLevelsAndParts_andWhoIsNotEvicted() {
        GroupSpec group = read(
                GroupVocabulary.KAI,
                Map.of(
                        "queue", "team",
                        "priorityClassName", "train",
                        "preemptibility", "non-preemptible",
                        "topologyConstraint",
                                Map.of(
                                        "topology", "cluster",
                                        "requiredTopologyLevel", "zone",
                                        "preferredTopologyLevel", "rack"),
                        "subGroups",
                                List.of(
                                        Map.of("name", "lead", "minMember", 1),
                                        Map.of("name", "worker", "minMember", 3))));
        assertThat(group.problem()).isEmpty();
        assertThat(group.minimum()).isEqualTo(4);
        assertThat(group.roleMinimums()).containsExactly(Map.entry("lead", 1), Map.entry("worker", 3));
        assertThat(group.locality()).isEqualTo(new GroupLocality(List.of("rack", "zone"), true));
        assertThat(group.queue()).isEqualTo("team");
        assertThat(group.priorityClass()).isEqualTo("train");
        assertThat(group.eviction()).isEqualTo(Eviction.NEVER);
        assertThat(GroupVocabulary.groupOf(pod(Map.of(), Map.of("pod-group-name", "g"))))
                .contains(new GroupKey(GroupVocabulary.KAI, "ns", "g"));
        assertThat(GroupVocabulary.KAI.roleOf(Map.of("kai.scheduler/subgroup-name", "lead"), Map.of()))
                .isEqualTo("lead");
        assertThat(read(
                                GroupVocabulary.KAI,
                                Map.of("subGroups", List.of(Map.of("name", "a", "minMember", 1, "parent", "b"))))
                        .problem())
                .startsWith("spec.subGroups");
    }

    @Test
    void rolesHaveMinimumsOfTheirOwn() {
        GroupSpec t9k = read(
                GroupVocabulary.T9K,
                Map.of(
                        "minMember", 3,
                        "priority", 7,
                        "roles",
                                List.of(
                                        Map.of("name", "ps", "minMember", 1),
                                        Map.of("name", "worker", "minMember", 2))));
        assertThat(t9k.roleMinimums()).containsExactly(Map.entry("ps", 1), Map.entry("worker", 2));
        assertThat(t9k.priority()).hasValue(7);
        assertThat(read(GroupVocabulary.VOLCANO, Map.of("minMember", 2, "minTaskMember", Map.of("task", 2)))
                        .roleMinimums())
                .containsEntry("task", 2);
        assertThat(read(GroupVocabulary.VOLCANO, Map.of("minMember", 2, "minTaskMember", Map.of("a", 2, "b", 1)))
                        .roleMinimums())
                .as("Volcano then counts the pods of all tasks alone")
                .containsOnly(Map.entry("a", 0), Map.entry("b", 0));
    }

    @Test
    void aPod_namesItsGroupInAnyVocabulary() {
        assertThat(GroupVocabulary.groupOf(pod(Map.of(), Map.of()))).isEmpty();
        assertThat(GroupVocabulary.groupOf(pod(Map.of(T9kDialect.GROUP_NAME, "g"), Map.of())))
                .contains(new GroupKey(GroupVocabulary.T9K, "ns", "g"));
        assertThat(GroupVocabulary.groupOf(pod(Map.of("scheduling.x-k8s.io/pod-group", "g"), Map.of())))
                .contains(new GroupKey(GroupVocabulary.COSCHEDULING, "ns", "g"));
        assertThat(GroupVocabulary.groupOf(pod(Map.of(), Map.of("scheduling.k8s.io/group-name", "g"))))
                .contains(new GroupKey(GroupVocabulary.VOLCANO, "ns", "g"));
        Pod member = new PodBuilder(pod(Map.of(T9kDialect.GROUP_NAME, "other"), Map.of()))
                .editSpec()
                .withNewSchedulingGroup("g")
                .endSpec()
                .build();
        assertThat(GroupVocabulary.groupOf(member)).contains(new GroupKey(GroupVocabulary.KUBERNETES, "ns", "g"));
        assertThat(GroupVocabulary.T9K.roleOf(Map.of(T9kDialect.ROLE, "ps"), Map.of()))
                .isEqualTo("ps");
    }
}
