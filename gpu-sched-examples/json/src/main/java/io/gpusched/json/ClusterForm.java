package io.gpusched.json;

import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import java.util.List;
import java.util.Map;

/** A cluster as it is written. */
record ClusterForm(
        List<NodeForm.Among> nodes, List<Placement> placements, Map<String, Map<String, String>> namespaces) {
    static ClusterForm of(Cluster cluster) {
        return new ClusterForm(
                NodeForm.of(cluster.nodes().stream().map(NodeState::node).toList()),
                cluster.placements(),
                cluster.namespaces());
    }

    Cluster cluster() {
        Cluster cluster = Cluster.of(nodes.stream().map(NodeForm.Among::node).toList(), placements);
        for (Map.Entry<String, Map<String, String>> labels : namespaces.entrySet()) {
            cluster = cluster.withNamespace(labels.getKey(), labels.getValue());
        }
        return cluster;
    }
}
