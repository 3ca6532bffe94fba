package io.gpusched.dialect;

import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.workload.Pod;
import java.util.List;

/** The vocabulary of one system: manifests in, environment and annotations out. Implementations are immutable. */
public interface Dialect {
    /** Returns the system's name, such as {@code nano-gpu}. */
    String name();

    /** Returns how the system picks among GPUs and nodes that fit. */
    ScanRule rule();

    /**
     * Returns a node in the library's terms.
     *
     * @throws IllegalArgumentException if a label or an amount has an illegal value
     */
    Node node(NodeManifest manifest);

    /**
     * Returns a pod in the library's terms.
     *
     * @throws RefusedException if the system's rules forbid it whatever the cluster
     */
    Pod pod(PodManifest manifest);

    /**
     * Returns what the system says of a node on which a pod does not fit; empty where it says nothing of its own.
     */
    default String refusal(NodeState node, Pod pod) {
        return "";
    }

    /**
     * Returns the GPUs that a running pod's annotations name for a container; none where they say nothing.
     *
     * @param manifest the pod
     * @param container position of the container in the manifest
     * @throws IllegalArgumentException if an annotation is malformed
     */
    default List<Integer> heldGpus(PodManifest manifest, int container) {
        return List.of();
    }

    /**
     * Returns what the system writes for a pod it has placed.
     *
     * @param manifest the pod
     * @param node its node
     * @param placement where it was placed
     */
    Writing write(PodManifest manifest, Node node, Placement placement);
}
