package io.gpusched.examples.kubernetes.extender;

import io.fabric8.kubernetes.api.model.Binding;
import io.fabric8.kubernetes.api.model.BindingBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.gpusched.dialect.BindingMetadata;
import io.gpusched.examples.kubernetes.grant.GrantAnnotations;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import java.util.Map;

/**
 * What a pod is given, until the API server says that it has it.
 *
 * @param uid the pod's identity
 * @param resourceVersion the version of the pod that this binds; once the pod has a later one, this can no longer be written
 * @param placement its place
 * @param annotations what is written on the pod
 * @param labels what is written on the pod
 */
record Grant(
        String uid,
        String resourceVersion,
        Placement placement,
        Map<String, String> annotations,
        Map<String, String> labels) {
    static Grant of(Pod pod, Placement placement, Node node, BindingMetadata metadata) {
        return new Grant(
                pod.getMetadata().getUid(),
                pod.getMetadata().getResourceVersion(),
                placement,
                GrantAnnotations.of(placement, node, metadata),
                metadata.labels());
    }

    /** Returns the object that binds the pod and carries the grant, for just the version of the pod that was decided on. */
    Binding binding() {
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

    /** Returns whether a pod was changed after the version that this binds. */
    boolean isOutdatedBy(Pod pod) {
        return !uid.equals(pod.getMetadata().getUid()) || version(pod) > Long.parseLong(resourceVersion);
    }

    /** Returns the version of a pod: versions are numbers that grow. */
    static long version(Pod pod) {
        return Long.parseLong(pod.getMetadata().getResourceVersion());
    }
}
