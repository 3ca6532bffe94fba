package io.gpusched.examples.kubernetes.decide;

import io.gpusched.dialect.PodManifest;
import io.gpusched.examples.dialect.NamedDialect;
import java.util.List;

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
     */
    record Ready(PendingPod pod, PodManifest manifest, NamedDialect named, List<String> claims) implements Request {}

    /** A pod that no cluster would take as it is. */
    record Blocked(PendingPod pod, PendingReason reason, String message) implements Request {}
}
