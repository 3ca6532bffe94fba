package io.gpusched.kubernetes.decide;

import io.gpusched.manifests.grant.PodBinding;
import io.gpusched.model.Placement;
import java.util.List;

/**
 * A decision to write: a pod goes to a node.
 *
 * @param pod the pod as it was decided on
 * @param write what binds it and gives it its GPUs
 * @param claims volume claims that must be told the node, and become bound, before the pod is
 */
public record Binding(PendingPod pod, PodBinding write, List<String> claims) {
    /** Returns where the pod goes. */
    public Placement placement() {
        return write.placement();
    }
}
