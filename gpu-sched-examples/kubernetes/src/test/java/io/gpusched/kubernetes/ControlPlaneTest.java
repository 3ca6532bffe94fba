package io.gpusched.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Binding;
import io.fabric8.kubernetes.api.model.BindingBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.gpusched.controlplane.ControlPlane;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ControlPlaneTest {
    @RegisterExtension
    static final TestPlane plane = TestPlane.shared();

    private final KubernetesClient client = plane.client();

    @Test
    void aNode_isReadyAndUntainted_withWhatItsStatusSays() {
        Node node = ControlPlane.addReady(
                client,
                new NodeBuilder()
                        .withNewMetadata()
                        .withName("n1")
                        .endMetadata()
                        .withNewStatus()
                        .withAllocatable(Map.of("nvidia.com/gpu", new Quantity("8"), "cpu", new Quantity("96")))
                        .withCapacity(Map.of("nvidia.com/gpu", new Quantity("8"), "cpu", new Quantity("96")))
                        .endStatus()
                        .build());
        assertThat(node.getSpec().getTaints()).isEmpty();
        assertThat(node.getStatus().getAllocatable()).containsEntry("nvidia.com/gpu", new Quantity("8"));
    }

    @Test
    void aBinding_carriesAnnotationsToItsPod_inOneWrite() {
        Pod pod = client.pods()
                .resource(new PodBuilder()
                        .withNewMetadata()
                        .withName("p1")
                        .endMetadata()
                        .withNewSpec()
                        .withSchedulerName("gpu-sched")
                        .addNewContainer()
                        .withName("main")
                        .withImage("none")
                        .endContainer()
                        .endSpec()
                        .build())
                .create();
        Binding binding = new BindingBuilder()
                .withNewMetadata()
                .withName("p1")
                .withUid(pod.getMetadata().getUid())
                .addToAnnotations("example.com/grant", "0,1")
                .endMetadata()
                .withNewTarget()
                .withKind("Node")
                .withName("somewhere")
                .endTarget()
                .build();

        client.bindings().resource(binding).create();

        Pod bound = client.pods().withName("p1").get();
        assertThat(bound.getSpec().getNodeName()).isEqualTo("somewhere");
        assertThat(bound.getMetadata().getAnnotations()).containsEntry("example.com/grant", "0,1");
    }

    /** So a binding that comes late never takes effect on a pod that was decided about again. */
    @Test
    void aBinding_forAnOlderVersionOfItsPod_isRefused() {
        Pod pod = client.pods()
                .resource(new PodBuilder()
                        .withNewMetadata()
                        .withName("p2")
                        .endMetadata()
                        .withNewSpec()
                        .addNewContainer()
                        .withName("main")
                        .withImage("none")
                        .endContainer()
                        .endSpec()
                        .build())
                .create();
        client.pods()
                .withName("p2")
                .edit(now -> new PodBuilder(now)
                        .editMetadata()
                        .addToLabels("changed", "yes")
                        .endMetadata()
                        .build());
        Binding late = new BindingBuilder()
                .withNewMetadata()
                .withName("p2")
                .withUid(pod.getMetadata().getUid())
                .withResourceVersion(pod.getMetadata().getResourceVersion())
                .endMetadata()
                .withNewTarget()
                .withKind("Node")
                .withName("somewhere")
                .endTarget()
                .build();

        assertThatThrownBy(() -> client.raw(
                        "/api/v1/namespaces/default/pods/p2/binding",
                        "POST",
                        client.getKubernetesSerialization().asJson(late)))
                .isInstanceOfSatisfying(
                        KubernetesClientException.class,
                        e -> assertThat(e.getCode()).isEqualTo(409));
        assertThat(client.pods().withName("p2").get().getSpec().getNodeName()).isNull();
    }
}
