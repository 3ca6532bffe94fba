package io.gpusched.manifests.cluster;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import java.util.Map;

/** What is said of a node beside what it reports. */
final class SeenNodes {
    private static final String NOT_READY = "node.kubernetes.io/not-ready";

    private SeenNodes() {}

    /** Returns the node with a mark if its GPUs are slices under the name of whole ones, and with its taint if it is not ready. */
    static Node marked(Node node) {
        Node marked = !isSliced(node)
                ? node
                : new NodeBuilder(node)
                        .editMetadata()
                        .addToLabels(UsableDevices.SLICES, "")
                        .endMetadata()
                        .build();
        return isReady(node) || isTainted(node)
                ? marked
                : new NodeBuilder(marked)
                        .editOrNewSpec()
                        .addNewTaint()
                        .withKey(NOT_READY)
                        .withEffect("NoSchedule")
                        .endTaint()
                        .endSpec()
                        .build();
    }

    /** Returns whether it says of a node that its GPUs are slices. */
    static boolean hasSlices(Node node) {
        return labels(node).containsKey(UsableDevices.SLICES);
    }

    private static boolean isSliced(Node node) {
        Map<String, String> labels = labels(node);
        return "single".equals(labels.get("nvidia.com/mig.strategy"))
                        && labels.getOrDefault("nvidia.com/gpu.product", "").contains("-MIG-")
                || labels.containsKey("cloud.google.com/gke-gpu-partition-size");
    }

    private static Map<String, String> labels(Node node) {
        return node.getMetadata().getLabels() == null
                ? Map.of()
                : node.getMetadata().getLabels();
    }

    /** Returns whether a node does not say that it is not ready. */
    static boolean isReady(Node node) {
        return node.getStatus() == null
                || node.getStatus().getConditions().stream()
                        .allMatch(one -> !"Ready".equals(one.getType()) || "True".equals(one.getStatus()));
    }

    private static boolean isTainted(Node node) {
        return node.getSpec() != null
                && node.getSpec().getTaints().stream()
                        .anyMatch(taint -> String.valueOf(taint.getKey()).startsWith("node.kubernetes.io/"));
    }
}
