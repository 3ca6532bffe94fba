package io.gpusched.kubernetes.decide;

import io.fabric8.kubernetes.api.model.Pod;
import io.gpusched.manifests.group.GroupKey;
import io.gpusched.model.PodId;
import java.util.Objects;

/** What is decided at once: a pod by itself, or a group. */
sealed interface Unit {
    /** A pod without a group. */
    record Single(PodId pod) implements Unit {}

    /** All pending pods of a group. */
    record Group(GroupKey key) implements Unit {}

    static Unit of(PendingPod pod) {
        return pod.group().<Unit>map(Group::new).orElseGet(() -> new Single(pod.id()));
    }

    static PodId idOf(Pod pod) {
        String namespace = Objects.requireNonNullElse(pod.getMetadata().getNamespace(), PodId.DEFAULT_NAMESPACE);
        return new PodId(namespace, pod.getMetadata().getName());
    }
}
