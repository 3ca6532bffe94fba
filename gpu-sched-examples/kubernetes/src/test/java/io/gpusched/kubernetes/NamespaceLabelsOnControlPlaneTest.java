package io.gpusched.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.gpusched.dialect.t9k.T9kDialect;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Affinity to pods of namespaces that are chosen by their labels, by the roles of {@code deploy}. */
class NamespaceLabelsOnControlPlaneTest {
    private static final String HOST = "kubernetes.io/hostname";

    @RegisterExtension
    static final TestPlane plane = TestPlane.own();

    private final ClusterCalls calls = plane.calls();

    private static Node node(String name) {
        return Manifests.t9kNode(name, "xgn", 4, Map.of(HOST, name));
    }

    private static void label(String namespace, Map<String, String> labels) {
        KubernetesClient client = plane.client();
        client.namespaces().withName(namespace).edit(before -> {
            Namespace after = new NamespaceBuilder(before).build();
            after.getMetadata().getLabels().remove("tier");
            after.getMetadata().getLabels().putAll(labels);
            return after;
        });
    }

    /** A pod near those with {@code app: cache}, of namespaces with {@code tier: data}. */
    private static Pod nearCachesOfData(String name) {
        return nearCaches(
                name,
                new LabelSelectorBuilder().addToMatchLabels("tier", "data").build());
    }

    /** A pod near those with {@code app: cache}, of namespaces without a tier. */
    private static Pod nearCachesOfNoTier(String name) {
        return nearCaches(
                name,
                new LabelSelectorBuilder()
                        .addNewMatchExpression()
                        .withKey("tier")
                        .withOperator("DoesNotExist")
                        .endMatchExpression()
                        .build());
    }

    private static Pod nearCaches(String name, LabelSelector namespaces) {
        return new PodBuilder(Manifests.pod(name, T9kDialect.GPU, "1"))
                .editSpec()
                .withNewAffinity()
                .withNewPodAffinity()
                .addNewRequiredDuringSchedulingIgnoredDuringExecution()
                .withTopologyKey(HOST)
                .withNewLabelSelector()
                .addToMatchLabels("app", "cache")
                .endLabelSelector()
                .withNamespaceSelector(namespaces)
                .endRequiredDuringSchedulingIgnoredDuringExecution()
                .endPodAffinity()
                .endAffinity()
                .endSpec()
                .build();
    }

    private static Pod cache(String namespace, String node) {
        return new PodBuilder(Manifests.labelled(Manifests.pod("cache", Map.of()), "app", "cache"))
                .editMetadata()
                .withNamespace(namespace)
                .endMetadata()
                .editSpec()
                .withNodeName(node)
                .endSpec()
                .build();
    }

    @Test
    void aPodNearPodsOfLabelledNamespaces_isBound_onceANamespaceHasTheLabel_andTheNextWaits_onceItHasNot()
            throws IOException {
        KubernetesClient client = plane.client();
        plane.install("namespace", "kube");
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName("store")
                        .endMetadata()
                        .build())
                .create();
        plane.addNodes(node("n1"), node("n2"), node("n3"));
        client.resource(cache("store", "n2")).create();
        plane.run(plane.clientOf("gpu-sched-kube"), TestPlane.settings("t9k"));

        calls.create(nearCachesOfData("first"));
        calls.awaitPendingBecause("first", "no pod that it must be near");
        label("store", Map.of("tier", "data"));
        calls.awaitBound("first");
        assertThat(calls.nodeOf("first")).isEqualTo("n2");

        calls.create(nearCachesOfNoTier("witness"));
        calls.awaitPendingBecause("witness", "no pod that it must be near");
        label("store", Map.of());
        calls.awaitBound("witness");
        calls.create(nearCachesOfData("second"));
        calls.awaitPendingBecause("second", "no pod that it must be near");
        assertThat(calls.nodeOf("second")).isEmpty();
    }
}
