package io.gpusched.dialect;

import io.gpusched.decision.Decision;
import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.workload.Pod;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

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
     * @param node the node it runs on
     * @throws IllegalArgumentException if an annotation is malformed
     */
    default List<Integer> heldGpus(PodManifest manifest, int container, Node node) {
        return List.of();
    }

    /**
     * Returns what the system says of each node that it refuses, by node name in node order; nothing for nodes of which
     * it says nothing of its own.
     *
     * @throws RefusedException if the system's rules forbid the pod whatever the cluster
     */
    default Map<String, String> refusals(Cluster cluster, PodManifest manifest) {
        Pod pod = pod(manifest);
        Map<String, String> reasons = new LinkedHashMap<>();
        for (NodeState node : cluster.nodes()) {
            String reason = rule().place(node, pod).isPresent() ? "" : refusal(node, pod);
            if (!reason.isEmpty()) {
                reasons.put(node.name(), reason);
            }
        }
        return reasons;
    }

    /**
     * Decides where a pod goes, as the system orders GPUs and nodes; O(nodes).
     *
     * @throws RefusedException if the system's rules forbid the pod whatever the cluster
     */
    default Decision schedule(Cluster cluster, PodManifest manifest) {
        return rule().schedule(cluster, pod(manifest));
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
