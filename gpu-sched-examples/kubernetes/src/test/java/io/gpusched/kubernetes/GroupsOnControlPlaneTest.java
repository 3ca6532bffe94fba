package io.gpusched.kubernetes;

import static io.gpusched.kubernetes.Manifests.pod;
import static io.gpusched.kubernetes.Manifests.t9kNode;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.manifests.group.GroupVocabulary;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Groups of pods on a real API server. */
class GroupsOnControlPlaneTest {
    @RegisterExtension
    static final TestPlane plane = TestPlane.shared();

    private final ClusterCalls calls = plane.calls();

    private static void createGroup(String name, int minimum, String topologyKey) {
        Map<String, Object> spec = new HashMap<>();
        spec.put("schedulingPolicy", Map.of("gang", Map.of("minCount", minimum)));
        if (!topologyKey.isEmpty()) {
            spec.put("schedulingConstraints", Map.of("topology", List.of(Map.of("key", topologyKey))));
        }
        createGroup(name, spec);
    }

    private static void createGroup(String name, Map<String, Object> spec) {
        GenericKubernetesResource group = new GenericKubernetesResource();
        group.setApiVersion("scheduling.k8s.io/v1beta1");
        group.setKind("PodGroup");
        group.setMetadata(
                new ObjectMetaBuilder().withName(name).withNamespace("default").build());
        group.setAdditionalProperty("spec", spec);
        plane.client()
                .genericKubernetesResources(GroupVocabulary.KUBERNETES.context())
                .inNamespace("default")
                .resource(group)
                .create();
    }

    private static Pod member(String name, String group, String gpus) {
        return new PodBuilder(pod(name, T9kDialect.GPU, gpus))
                .editSpec()
                .withNewSchedulingGroup(group)
                .endSpec()
                .build();
    }

    @Test
    void aGroupWithATopologyKey_startsInOneDomain_onceItsMinimumIsThere() {
        plane.addNodes(
                t9kNode("a1", "xgn", 2, Map.of("rack", "a")),
                t9kNode("b1", "xgn", 2, Map.of("rack", "b")),
                t9kNode("b2", "xgn", 2, Map.of("rack", "b")));
        plane.run(TestPlane.settings("t9k"));
        calls.create(member("m1", "g", "2"));
        calls.awaitPendingBecause("m1", "PodGroup \"default/g\" of scheduling.k8s.io/v1beta1 not found");
        createGroup("g", 2, "rack");
        calls.awaitPendingBecause("m1", "minimum is 2, there is 1 pod");
        assertThat(calls.nodeOf("m1")).isEmpty();

        calls.create(member("m2", "g", "2"));

        calls.awaitBound("m1", "m2");
        assertThat(List.of(calls.nodeOf("m1"), calls.nodeOf("m2"))).containsExactlyInAnyOrder("b1", "b2");
        Await.until(
                "the group says that it has started", () -> status("g").contains("type=PodGroupInitiallyScheduled"));
    }

    private static String status(String group) {
        return String.valueOf(plane.client()
                .genericKubernetesResources(GroupVocabulary.KUBERNETES.context())
                .inNamespace("default")
                .withName(group)
                .get()
                .getAdditionalProperties()
                .get("status"));
    }

    @Test
    void aGroupOfACompositePodGroup_waits_andItAndItsPodsSayWhichFieldIsNotHonoured() {
        plane.addNodes(t9kNode("n1", "xgn", 2));
        createGroup(
                "part",
                Map.of(
                        "schedulingPolicy", Map.of("gang", Map.of("minCount", 1)),
                        "workloadRef", Map.of("workloadName", "whole", "templateName", "parts"),
                        "parentCompositePodGroupName", "whole"));
        calls.create(member("part-0", "part", "1"));
        calls.create(pod("other", T9kDialect.GPU, "1"));
        plane.run(TestPlane.settings("t9k"));

        String why =
                "PodGroup \"default/part\": spec.parentCompositePodGroupName: groups of groups are not honoured, and"
                        + " it is one of CompositePodGroup \"default/whole\"";
        calls.awaitPendingBecause("part-0", why);
        calls.awaitBound("other");
        Await.until(
                "the group says why it waits",
                () -> status("part").contains(why) && status("part").contains("reason=Unschedulable"),
                () -> status("part"));
        assertThat(calls.nodeOf("part-0")).isEmpty();
    }

    @Test
    void aGroupThatDoesNotFit_isLeftAlone() {
        plane.addNodes(t9kNode("n1", "xgn", 2));
        createGroup("big", 3, "");
        for (int i = 0; i < 3; i++) {
            calls.create(member("big-" + i, "big", "1"));
        }
        plane.run(TestPlane.settings("t9k"));
        calls.awaitPendingBecause("big-0", "on any of 1 node");
        assertThat(calls.nodeOf("big-0") + calls.nodeOf("big-1") + calls.nodeOf("big-2"))
                .isEmpty();
    }
}
