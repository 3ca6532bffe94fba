package io.gpusched.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.gpusched.dialect.t9k.T9kDialect;
import java.io.IOException;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A scheduler of one namespace that may write in that one alone, by the roles of {@code deploy}. */
class NamespacesOnControlPlaneTest {
    private static final String TEAM = "team-a";

    @RegisterExtension
    static final TestPlane plane = TestPlane.own();

    private static Pod inNamespace(String namespace, Pod pod) {
        return new PodBuilder(pod)
                .editMetadata()
                .withNamespace(namespace)
                .endMetadata()
                .build();
    }

    private static String nodeOf(KubernetesClient client, String namespace, String pod) {
        return String.valueOf(client.pods()
                .inNamespace(namespace)
                .withName(pod)
                .get()
                .getSpec()
                .getNodeName());
    }

    @Test
    void podsOfItsNamespace_areBound_withRightsThereAlone_andThoseOfOthersWait() throws IOException {
        KubernetesClient client = plane.client();
        DeployFiles.apply(client, "namespace");
        DeployFiles.apply(
                client,
                "kube",
                object -> !object.getKind().equals("Deployment")
                        && !(object.getKind().equals("ClusterRoleBinding")
                                && object.getMetadata().getName().endsWith("-writer")));
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(TEAM)
                        .endMetadata()
                        .build())
                .create();
        client.resource(new RoleBindingBuilder()
                        .withNewMetadata()
                        .withName("gpu-sched-kube-writer")
                        .withNamespace(TEAM)
                        .endMetadata()
                        .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", "gpu-sched-kube-writer")
                        .addNewSubject("", "ServiceAccount", "gpu-sched-kube", "gpu-sched")
                        .build())
                .create();
        plane.addNodes(Manifests.t9kNode("n1", "xgn", 2));
        plane.calls().create(Manifests.pod("elsewhere", T9kDialect.GPU, "1"));
        client.resource(inNamespace(TEAM, Manifests.pod("first", T9kDialect.GPU, "2")))
                .create();
        client.resource(inNamespace(TEAM, Manifests.pod("second", T9kDialect.GPU, "1")))
                .create();

        plane.run(plane.clientOf("gpu-sched-kube"), TestPlane.settings("t9k").withNamespaces(Set.of(TEAM)));

        Await.until(
                "one of the two is bound",
                () -> nodeOf(client, TEAM, "first").equals("n1")
                        || nodeOf(client, TEAM, "second").equals("n1"));
        Await.until(
                "an event says why the other waits",
                () -> client.events().v1().events().inNamespace(TEAM).list().getItems().stream()
                        .anyMatch(event -> "FailedScheduling".equals(event.getReason())));
        assertThat(nodeOf(client, "default", "elsewhere")).isEqualTo("null");
    }
}
