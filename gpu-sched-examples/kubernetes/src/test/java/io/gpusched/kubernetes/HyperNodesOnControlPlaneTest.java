package io.gpusched.kubernetes;

import static io.gpusched.kubernetes.Manifests.pod;
import static io.gpusched.kubernetes.Manifests.t9kNode;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.manifests.group.GroupVocabulary;
import io.gpusched.manifests.group.HyperNodes;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Volcano's groups within hyper nodes of a real API server, by a scheduler with the rights of {@code deploy} alone. */
class HyperNodesOnControlPlaneTest {
    @RegisterExtension
    static final TestPlane plane = TestPlane.shared();

    private static final ResourceDefinitionContext HYPER_NODES = new ResourceDefinitionContext.Builder()
            .withGroup(HyperNodes.API_GROUP)
            .withVersion(HyperNodes.VERSION)
            .withKind("HyperNode")
            .withPlural("hypernodes")
            .withNamespaced(false)
            .build();

    private static KubernetesClient client;

    private final ClusterCalls calls = plane.calls();

    @BeforeAll
    static void installApis() throws IOException {
        client = plane.client();
        for (String part : List.of("namespace", "kube", "groups/volcano")) {
            DeployFiles.objects(client, part).forEach(HyperNodesOnControlPlaneTest::put);
        }
        try (InputStream in = HyperNodesOnControlPlaneTest.class.getResourceAsStream("/crds/volcano.yaml")) {
            client.load(in).items().forEach(HyperNodesOnControlPlaneTest::put);
        }
        Await.until(
                "HyperNodes are served",
                () -> client.supports(HyperNodes.API_GROUP + "/" + HyperNodes.VERSION, "HyperNode")
                        && client.supports(GroupVocabulary.VOLCANO.apiVersion(), "PodGroup"));
    }

    private static void put(HasMetadata object) {
        client.resource(object).forceConflicts().serverSideApply();
    }

    @AfterEach
    void removeHyperNodes() {
        client.genericKubernetesResources(HYPER_NODES).delete();
        client.genericKubernetesResources(GroupVocabulary.VOLCANO.context())
                .inNamespace("default")
                .delete();
    }

    private static void hyperNode(String name, int tier, String type, List<String> members) {
        client.genericKubernetesResources(HYPER_NODES)
                .resource(object(
                        HyperNodes.API_GROUP + "/" + HyperNodes.VERSION,
                        "HyperNode",
                        name,
                        Map.of(
                                "tier",
                                tier,
                                "members",
                                members.stream()
                                        .map(member -> Map.of(
                                                "type", type, "selector", Map.of("exactMatch", Map.of("name", member))))
                                        .toList())))
                .create();
    }

    private static GenericKubernetesResource object(
            String apiVersion, String kind, String name, Map<String, Object> spec) {
        GenericKubernetesResource object = new GenericKubernetesResource();
        object.setApiVersion(apiVersion);
        object.setKind(kind);
        object.setMetadata(new ObjectMetaBuilder().withName(name).build());
        object.setAdditionalProperty("spec", spec);
        return object;
    }

    private void gang(String name, int highestTier) {
        client.genericKubernetesResources(GroupVocabulary.VOLCANO.context())
                .inNamespace("default")
                .resource(object(
                        GroupVocabulary.VOLCANO.apiVersion(),
                        "PodGroup",
                        name,
                        Map.of(
                                "minMember",
                                4,
                                "networkTopology",
                                Map.of("mode", "hard", "highestTierAllowed", highestTier))))
                .create();
        for (int i = 0; i < 4; i++) {
            calls.create(new PodBuilder(pod(name + "-" + i, T9kDialect.GPU, "1"))
                    .editMetadata()
                    .addToAnnotations("scheduling.k8s.io/group-name", name)
                    .endMetadata()
                    .build());
        }
    }

    private List<String> nodesOf(String gang) {
        return List.of(0, 1, 2, 3).stream()
                .map(i -> calls.nodeOf(gang + "-" + i))
                .distinct()
                .sorted()
                .toList();
    }

    /** Three free GPUs are under leaf-0 and four under leaf-1, of which each node has two: only leaf-1 holds the gang. */
    @Test
    void aGang_isPlacedWithinOneHyperNode_andOneThatFitsInNoneWaitsUntilItMayGoHigher() {
        plane.addNodes(t9kNode("a", "xgn", 2), t9kNode("b", "xgn", 1), t9kNode("c", "xgn", 2), t9kNode("d", "xgn", 2));
        hyperNode("leaf-0", 1, "Node", List.of("a", "b"));
        hyperNode("leaf-1", 1, "Node", List.of("c", "d"));
        plane.run(plane.clientOf("gpu-sched-kube"), TestPlane.settings("t9k"));
        gang("first", 1);
        calls.awaitBound("first-0", "first-1", "first-2", "first-3");
        assertThat(nodesOf("first")).containsExactly("c", "d");

        gang("second", 2);
        calls.awaitPendingBecause("second-0", "hyper-node-tier");
        assertThat(nodesOf("second")).containsExactly("");

        plane.addNodes(t9kNode("e", "xgn", 1));
        hyperNode("leaf-2", 1, "Node", List.of("e"));
        hyperNode("spine", 2, "HyperNode", List.of("leaf-0", "leaf-2"));
        calls.awaitBound("second-0", "second-1", "second-2", "second-3");
        assertThat(nodesOf("second")).containsExactly("a", "b", "e");
    }
}
