package io.gpusched.internal.gang;

import io.gpusched.internal.search.PlacementSearch;
import io.gpusched.model.Cluster;
import io.gpusched.model.ClusterBatch;
import io.gpusched.model.Locality;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Topology;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Lets a group name a label of nodes as its locality where no level of the topology has that name. */
public final class LabelLevels {
    private LabelLevels() {}

    /**
     * Returns the cluster with the values of such labels as domains at the head of each node's path, the label of the outer group
     * first; the cluster itself if the group names none. O(n log n) where it does.
     */
    public static Cluster of(PlacementSearch search, Cluster cluster, PodGroup group) {
        Set<String> labels = new LinkedHashSet<>();
        addLabels(search, cluster, group, labels);
        if (labels.isEmpty()) {
            return cluster;
        }
        ClusterBatch batch = cluster.batch();
        for (NodeState state : cluster.nodes()) {
            Node node = state.node();
            List<Topology.Domain> path = new ArrayList<>();
            for (String label : labels) {
                String value = node.labels().getOrDefault(label, "");
                if (!value.isBlank()) {
                    path.add(new Topology.Domain(label, value));
                }
            }
            path.addAll(node.topology().domains());
            batch.replaceNode(node.toBuilder().topology(new Topology(path)).build());
        }
        return batch.build();
    }

    private static void addLabels(PlacementSearch search, Cluster cluster, PodGroup group, Set<String> labels) {
        Locality locality = group.locality();
        if (locality.scope() == Locality.Scope.DOMAIN
                && search.index(cluster).domains(locality.level()).isEmpty()
                && search.rules(cluster).knows(locality.level())) {
            labels.add(locality.level());
        }
        group.groups().forEach(child -> addLabels(search, cluster, child, labels));
    }
}
