package io.gpusched.cli.place;

import io.gpusched.model.Cluster;
import io.gpusched.model.Gpu;
import io.gpusched.model.Node;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * Nodes as they were before GPUs broke and nodes were cordoned: what runs came there then, and is placed before that is told.
 *
 * @param nodes the nodes as they are
 * @param running how many pods run on each, by name, where that is known; a node takes at least so many
 */
record OpenNodes(Collection<Node> nodes, Map<String, Integer> running) {
    /** Returns a cluster of these nodes on which everything may be placed. */
    Cluster open() {
        List<Node> open = new ArrayList<>();
        for (Node node : nodes) {
            int pods = Math.max(node.maxPods(), running.getOrDefault(node.name(), 0));
            Node roomy = pods == node.maxPods()
                    ? node
                    : node.toBuilder().maxPods(pods).build();
            boolean healthy = node.gpus().stream().allMatch(Gpu::healthy);
            open.add(healthy ? roomy.withCordoned(false) : healed(roomy));
        }
        return Cluster.of(open);
    }

    private static Node healed(Node node) {
        Node healed = node.withCordoned(false);
        for (Gpu gpu : node.gpus()) {
            healed = healed.withGpuHealth(gpu.index(), true);
        }
        return healed;
    }

    /** Returns a cluster that came from {@link #open()} with GPUs broken and nodes cordoned as they are. */
    Cluster close(Cluster cluster) {
        Cluster closed = cluster;
        for (Node node : nodes) {
            if (node.cordoned()) {
                closed = closed.withCordoned(node.name(), true);
            }
            for (Gpu gpu : node.gpus()) {
                closed = gpu.healthy() ? closed : closed.withGpuHealth(node.name(), gpu.index(), false);
            }
        }
        return closed;
    }
}
