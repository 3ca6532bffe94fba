package io.gpusched.kubernetes.extender;

import io.fabric8.kubernetes.api.model.Pod;
import io.gpusched.dialect.BindingMetadata;
import io.gpusched.manifests.grant.GrantAnnotations;
import io.gpusched.manifests.grant.PodBinding;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;

/**
 * What a pod is given, until the API server says that it has it.
 *
 * @param binding the write that gives it
 */
record Grant(PodBinding binding) {
    static Grant of(Pod pod, Placement placement, Node node, BindingMetadata metadata) {
        return new Grant(
                PodBinding.of(pod, placement, GrantAnnotations.of(placement, node, metadata), metadata.labels()));
    }

    Placement placement() {
        return binding.placement();
    }

    String uid() {
        return binding.uid();
    }

    /** Returns whether a pod was changed after the version that this binds. */
    boolean isOutdatedBy(Pod pod) {
        return !uid().equals(pod.getMetadata().getUid()) || version(pod) > Long.parseLong(binding.resourceVersion());
    }

    /** Returns the version of a pod: versions are numbers that grow. */
    static long version(Pod pod) {
        return Long.parseLong(pod.getMetadata().getResourceVersion());
    }
}
