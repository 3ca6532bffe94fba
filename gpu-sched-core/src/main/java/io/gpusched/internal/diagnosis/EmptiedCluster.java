package io.gpusched.internal.diagnosis;

import io.gpusched.internal.fit.PodCapacity;
import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import java.util.List;
import java.util.Map;

/** A cluster as it would be if nothing ran and everything were healthy and open; O(n). */
final class EmptiedCluster {
    private EmptiedCluster() {}

    static Cluster of(Cluster cluster) {
        List<Node> nodes = cluster.nodes().stream()
                .map(state -> PodCapacity.healed(state.node()))
                .toList();
        Cluster empty = Cluster.of(nodes);
        for (Map.Entry<String, Map<String, String>> entry : cluster.namespaces().entrySet()) {
            empty = empty.withNamespace(entry.getKey(), entry.getValue());
        }
        return empty;
    }
}
