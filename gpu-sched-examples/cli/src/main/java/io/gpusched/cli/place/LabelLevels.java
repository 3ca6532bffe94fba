package io.gpusched.cli.place;

import io.gpusched.manifests.view.LevelOrder;
import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.model.Cluster;
import io.gpusched.model.Locality;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Topology;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Labels as topology levels: where a group must stay within one domain of a level that no node's topology has, but that is a
 * label of nodes, such as {@code nvidia.com/gpu.clique}, the label's values are the domains.
 */
final class LabelLevels {
    /** By level: the label's value, or the path down to the domain. */
    private final List<Map<String, String>> places = new ArrayList<>();

    private final List<NodeState> nodes;

    /** Levels that nodes have in their topology. */
    private final Set<String> own = new LinkedHashSet<>();

    private LabelLevels(List<NodeState> nodes, Set<String> asked) {
        this.nodes = nodes;
        nodes.forEach(node -> node.node().topology().domains().forEach(domain -> own.add(domain.level())));
        Set<String> labels = new TreeSet<>(asked);
        labels.removeAll(own);
        nodes.forEach(node -> places.add(place(node.node(), labels)));
    }

    /**
     * Returns the cluster with the levels that groups ask for.
     *
     * @param at where the groups stand
     * @throws io.gpusched.manifests.yaml.InputException if a domain of one level lies in two of another, whichever is the wider
     */
    static Cluster with(Cluster cluster, List<PodGroup> groups, YamlNode at) {
        Set<String> asked = new TreeSet<>();
        groups.forEach(group -> collect(group, asked));
        LabelLevels levels = new LabelLevels(cluster.nodes(), asked);
        Set<String> all = new LinkedHashSet<>(levels.own);
        levels.places.forEach(place -> all.addAll(place.keySet()));
        return all.equals(levels.own) ? cluster : levels.with(cluster, levels.order(all, at));
    }

    private static void collect(PodGroup group, Set<String> levels) {
        if (group.locality().scope() == Locality.Scope.DOMAIN) {
            levels.add(group.locality().level());
        }
        group.groups().forEach(child -> collect(child, levels));
    }

    private static Map<String, String> place(Node node, Set<String> labels) {
        Map<String, String> place = new HashMap<>();
        for (Topology.Domain domain : node.topology().domains()) {
            place.put(domain.level(), node.topology().upTo(domain.level()).toString());
        }
        for (String label : labels) {
            String value = node.labels().getOrDefault(label, "");
            if (!value.isBlank()) {
                place.put(label, value);
            }
        }
        return place;
    }

    private List<String> order(Collection<String> levels, YamlNode at) {
        return LevelOrder.of(places, levels)
                .orElseThrow(() -> at.error("levels of the topology do not nest: "
                        + levels.stream()
                                .flatMap(wide -> levels.stream().flatMap(narrow -> clash(wide, narrow).stream()))
                                .findFirst()
                                .map(LevelOrder.Split::toString)
                                .orElseGet(() -> String.join(", ", levels))));
    }

    /** Two levels that split a domain of each other. */
    private Optional<LevelOrder.Split> clash(String wide, String narrow) {
        return wide.equals(narrow) || LevelOrder.split(places, narrow, wide).isEmpty()
                ? Optional.empty()
                : LevelOrder.split(places, wide, narrow);
    }

    private Cluster with(Cluster cluster, List<String> levels) {
        Cluster levelled = cluster;
        for (int n = 0; n < nodes.size(); n++) {
            Node node = nodes.get(n).node();
            List<Topology.Domain> path = new ArrayList<>();
            for (String level : levels) {
                String place = places.get(n).get(level);
                if (place != null) {
                    path.add(own.contains(level) ? domain(node, level) : new Topology.Domain(level, place));
                }
            }
            levelled = levelled.withReplaced(
                    node.toBuilder().topology(new Topology(path)).build());
        }
        return levelled;
    }

    private static Topology.Domain domain(Node node, String level) {
        return node.topology().domains().stream()
                .filter(domain -> domain.level().equals(level))
                .findFirst()
                .orElseThrow();
    }
}
