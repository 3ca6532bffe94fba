package io.gpusched.examples.place;

import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Topology;
import io.gpusched.workload.PodGroup;
import io.gpusched.workload.PodGroup.Locality;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Labels as topology levels: where a group must stay within one domain of a level that no node's topology has, but that is a
 * label of nodes, such as {@code nvidia.com/gpu.clique}, the label's values are the domains.
 */
final class LabelLevels {
    private LabelLevels() {}

    /** Returns the cluster with the levels that a group asks for; labels with few values stand around those with many. */
    static Cluster with(Cluster cluster, PodGroup group) {
        Set<String> asked = new TreeSet<>();
        collect(group, asked);
        List<NodeState> nodes = cluster.nodes();
        for (NodeState node : nodes) {
            node.node().topology().domains().forEach(domain -> asked.remove(domain.level()));
        }
        asked.removeIf(level -> values(nodes, level).isEmpty());
        List<String> levels = new ArrayList<>(asked);
        levels.sort(Comparator.comparingInt(level -> values(nodes, level).size()));
        Cluster levelled = cluster;
        for (NodeState node : levels.isEmpty() ? List.<NodeState>of() : nodes) {
            levelled = levelled.withReplaced(levelled(node.node(), levels));
        }
        return levelled;
    }

    private static void collect(PodGroup group, Set<String> levels) {
        if (group.locality().scope() == Locality.Scope.DOMAIN) {
            levels.add(group.locality().level());
        }
        group.groups().forEach(child -> collect(child, levels));
    }

    private static Set<String> values(List<NodeState> nodes, String level) {
        Set<String> values = new HashSet<>();
        for (NodeState node : nodes) {
            String value = node.node().labels().getOrDefault(level, "");
            if (!value.isBlank()) {
                values.add(value);
            }
        }
        return values;
    }

    private static Node levelled(Node node, List<String> levels) {
        List<Topology.Domain> path = new ArrayList<>();
        for (String level : levels) {
            String value = node.labels().getOrDefault(level, "");
            if (!value.isBlank()) {
                path.add(new Topology.Domain(level, value));
            }
        }
        path.addAll(node.topology().domains());
        return node.toBuilder().topology(new Topology(path)).build();
    }
}
