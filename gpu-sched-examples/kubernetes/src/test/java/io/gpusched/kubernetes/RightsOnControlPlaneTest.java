package io.gpusched.kubernetes;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.gpusched.manifests.group.GroupVocabulary;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The scheduler's rights follow the vocabularies that were chosen, and it works with exactly these. */
class RightsOnControlPlaneTest {
    private static final String GPU = "nvidia.com/gpu";

    @RegisterExtension
    static final TestPlane plane = TestPlane.own();

    private static KubernetesClient client;

    private final ClusterCalls calls = plane.calls();

    /** As for a cluster that speaks another dialect than T9k, where Volcano is installed. */
    @BeforeAll
    static void install() throws IOException {
        client = plane.client();
        DeployFiles.apply(client, "namespace");
        try (InputStream in = Files.newInputStream(DeployFiles.FOLDER.resolve("kube/rbac.yaml"))) {
            client.load(in).items().forEach(object -> client.resource(object).create());
        }
        try (InputStream in = RightsOnControlPlaneTest.class.getResourceAsStream("/crds/volcano.yaml")) {
            client.load(in).items().forEach(object -> client.resource(object).create());
        }
        Await.until(
                "Volcano's groups are served", () -> client.supports(GroupVocabulary.VOLCANO.apiVersion(), "PodGroup"));
    }

    private static void createGroup(GroupVocabulary vocabulary, Map<String, Object> spec) {
        GenericKubernetesResource group = new GenericKubernetesResource();
        group.setApiVersion(vocabulary.apiVersion());
        group.setKind("PodGroup");
        group.setMetadata(
                new ObjectMetaBuilder().withName("g").withNamespace("default").build());
        group.setAdditionalProperty("spec", spec);
        client.genericKubernetesResources(vocabulary.context())
                .inNamespace("default")
                .resource(group)
                .create();
    }

    private static String status(GroupVocabulary vocabulary) {
        return String.valueOf(client.genericKubernetesResources(vocabulary.context())
                .inNamespace("default")
                .withName("g")
                .get()
                .getAdditionalProperties()
                .get("status"));
    }

    private static Pod hami(String name) {
        return Manifests.pod(name, Map.of(GPU, "1", "nvidia.com/gpumem", "1000"));
    }

    @Test
    void withTheLeastRights_podsAndKubernetesGroupsAreScheduled_andOtherGroupsOnceTheirRightsAreGiven()
            throws IOException {
        KubernetesClient kube = plane.clientOf("gpu-sched-kube");
        assertThatThrownBy(() -> kube.genericKubernetesResources(GroupVocabulary.VOLCANO.context())
                        .inAnyNamespace()
                        .list())
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining("forbidden");
        plane.addNodes(Manifests.hamiNode("n1", Map.of("gpu", "on")));
        plane.run(kube, TestPlane.settings("hami"));

        calls.create(hami("plain"));
        calls.awaitBound("plain");

        createGroup(GroupVocabulary.KUBERNETES, Map.of("schedulingPolicy", Map.of("gang", Map.of("minCount", 1))));
        calls.create(new PodBuilder(hami("member"))
                .editSpec()
                .withNewSchedulingGroup("g")
                .endSpec()
                .build());
        calls.awaitBound("member");
        Await.until(
                "the group says that it has started",
                () -> status(GroupVocabulary.KUBERNETES).contains("PodGroupInitiallyScheduled"));

        createGroup(GroupVocabulary.VOLCANO, Map.of("minMember", 1));
        calls.create(Manifests.annotated(hami("theirs"), "scheduling.k8s.io/group-name", "g"));
        calls.awaitPendingBecause("theirs", "Maybe the scheduler may not read it: deploy/groups/volcano");

        DeployFiles.apply(client, "groups/volcano");
        calls.awaitBound("theirs");
        Await.until("its group says so", () -> status(GroupVocabulary.VOLCANO).contains("Running"));
    }
}
