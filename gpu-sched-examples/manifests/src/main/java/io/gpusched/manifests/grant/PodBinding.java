package io.gpusched.manifests.grant;

import io.fabric8.kubernetes.api.model.Binding;
import io.fabric8.kubernetes.api.model.BindingBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.gpusched.model.Placement;
import java.util.Map;
import java.util.Objects;

/**
 * The one write that binds a pod and gives it its GPUs.
 *
 * @param uid the pod's identity
 * @param resourceVersion the version of the pod that was decided on; once the pod has a later one, this changes nothing
 * @param placement its place
 * @param annotations what is written on the pod
 * @param labels what is written on the pod
 */
public record PodBinding(
        String uid,
        String resourceVersion,
        Placement placement,
        Map<String, String> annotations,
        Map<String, String> labels) {
    /** Returns the binding of the version of a pod that was decided on. */
    public static PodBinding of(
            Pod pod, Placement placement, Map<String, String> annotations, Map<String, String> labels) {
        return new PodBinding(
                pod.getMetadata().getUid(), pod.getMetadata().getResourceVersion(), placement, annotations, labels);
    }

    /** Returns the object to write; the pod's identity and version are its preconditions. */
    public Binding object() {
        return new BindingBuilder()
                .withNewMetadata()
                .withName(placement.pod().name())
                .withNamespace(placement.pod().namespace())
                .withUid(uid)
                .withResourceVersion(resourceVersion)
                .withAnnotations(annotations)
                .withLabels(labels)
                .endMetadata()
                .withNewTarget()
                .withApiVersion("v1")
                .withKind("Node")
                .withName(placement.node())
                .endTarget()
                .build();
    }

    /** Returns this write for another version of the same pod. */
    public PodBinding on(Pod pod) {
        return of(pod, placement, annotations, labels);
    }

    /** Returns whether a pod, as the API server holds it, is another version of the same pod that can still be bound. */
    public boolean mayBeHeldBy(Pod pod) {
        String node = Objects.requireNonNullElse(pod.getSpec().getNodeName(), "");
        return uid.equals(pod.getMetadata().getUid())
                && !resourceVersion.equals(pod.getMetadata().getResourceVersion())
                && node.isEmpty()
                && pod.getMetadata().getDeletionTimestamp() == null;
    }

    /** Returns whether a pod, as the API server holds it, was bound by this write: the same pod, node and grant. */
    public boolean isHeldBy(Pod pod) {
        Map<String, String> held = Objects.requireNonNullElse(pod.getMetadata().getAnnotations(), Map.of());
        return uid.equals(pod.getMetadata().getUid())
                && placement.node().equals(pod.getSpec().getNodeName())
                && Objects.equals(held.get(GrantAnnotations.GRANT), annotations.get(GrantAnnotations.GRANT));
    }
}
