package io.gpusched.kubernetes.decide;

import io.gpusched.dialect.PodManifest;
import io.gpusched.kubernetes.volume.CsiVolume;
import io.gpusched.manifests.claim.ClaimedGpus;
import io.gpusched.manifests.dialect.NamedDialect;
import io.gpusched.model.Cluster;
import io.gpusched.workload.Pod;
import java.util.List;
import java.util.Set;

/** A pod in the library's terms, or why there is no use in asking. */
sealed interface Request {
    /** Returns the pod. */
    PendingPod pod();

    /**
     * A pod that may be asked for.
     *
     * @param pod the pod
     * @param manifest what it asks, held to the nodes that reach its volumes
     * @param named its dialect
     * @param claims volume claims that are provisioned once its node is chosen
     * @param volumes the volumes that count against the attach limits of nodes
     * @param devices its resource claims
     */
    record Ready(
            PendingPod pod,
            PodManifest manifest,
            NamedDialect named,
            List<String> claims,
            Set<CsiVolume> volumes,
            ClaimedGpus.Asked devices)
            implements Request {
        /** The same request with another manifest. */
        Ready asking(PodManifest other) {
            return new Ready(pod, other, named, claims, volumes, devices);
        }

        /** The pod of the library, for this snapshot. */
        Pod pod(Cluster cluster) {
            return named.dialect().pod(manifest, cluster);
        }
    }

    /** A pod that no cluster would take as it is. */
    record Blocked(PendingPod pod, PendingReason reason, String message) implements Request {}
}
