package io.gpusched.examples.place;

import io.gpusched.model.Cluster;
import io.gpusched.model.Gpu;
import io.gpusched.model.Node;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Nodes as they were before GPUs broke and nodes were cordoned: what runs came there then, and is placed before that is told.
 *
 * @param nodes the nodes as they are
 */
record OpenNodes(Collection<Node> nodes) {
    /** Returns a cluster of these nodes on which everything may be placed. */
    Cluster open() {
        List<Node> open = new ArrayList<>();
        for (Node node : nodes) {
            boolean healthy = node.gpus().stream().allMatch(Gpu::healthy);
            open.add(healthy ? node.withCordoned(false) : healed(node));
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
