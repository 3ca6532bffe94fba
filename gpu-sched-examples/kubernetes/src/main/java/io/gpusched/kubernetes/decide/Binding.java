package io.gpusched.kubernetes.decide;

import io.gpusched.claim.ClaimAllocation;
import io.gpusched.manifests.claim.ExtendedClaim;
import io.gpusched.manifests.grant.PodBinding;
import io.gpusched.model.Placement;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A decision to write: a pod goes to a node.
 *
 * @param pod the pod as it was decided on
 * @param write what binds it and gives it its GPUs
 * @param claims volume claims that must be told the node, and become bound, before the pod is
 * @param devices resource claims that must have their devices before the pod is bound
 */
public record Binding(PendingPod pod, PodBinding write, List<String> claims, List<DeviceClaim> devices) {
    /** Copies the lists. */
    public Binding {
        claims = List.copyOf(claims);
        devices = List.copyOf(devices);
    }

    /** A binding of a pod without resource claims. */
    public Binding(PendingPod pod, PodBinding write, List<String> claims) {
        this(pod, write, claims, List.of());
    }

    /**
     * A resource claim that must have its devices, and know the pod, before the pod is bound.
     *
     * @param name its name, in the namespace of the pod
     * @param uid its identity
     * @param devices what is allocated to it; nothing if it has its devices already, or gets them with another pod
     * @param configs what the device classes tell drivers, by class
     * @param extended what it stands for of extended resources of the pod, which is to be told so; without identity it is to be made
     */
    public record DeviceClaim(
            String name,
            String uid,
            Optional<ClaimAllocation> devices,
            Map<String, List<Object>> configs,
            Optional<ExtendedClaim> extended) {}

    /** Returns where the pod goes. */
    public Placement placement() {
        return write.placement();
    }
}
