package io.gpusched.verify;

import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Topology;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodRules;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What exists and what runs, as plain lists: it may be over-booked, which a {@link Cluster} cannot be.
 *
 * @param nodes by name, in the order of the cluster
 * @param placements of tenants
 * @param namespaces labels by namespace
 */
record World(Map<String, Node> nodes, List<Placement> placements, Map<String, Map<String, String>> namespaces) {
    static World of(Cluster cluster) {
        Map<String, Node> nodes = new LinkedHashMap<>();
        List<Placement> placements = new ArrayList<>();
        for (NodeState state : cluster.nodes()) {
            nodes.put(state.name(), state.node());
            placements.addAll(state.placements());
        }
        return new World(nodes, placements, cluster.namespaces());
    }

    World with(Placement placement) {
        List<Placement> more = new ArrayList<>(placements);
        more.add(placement);
        return new World(nodes, more, namespaces);
    }

    World without(PodId pod) {
        return new World(
                nodes,
                placements.stream()
                        .filter(placement -> !placement.pod().equals(pod))
                        .toList(),
                namespaces);
    }

    boolean runs(PodId pod) {
        return placements.stream().anyMatch(placement -> placement.pod().equals(pod));
    }

    List<Placement> on(String node) {
        return placements.stream()
                .filter(placement -> placement.node().equals(node))
                .toList();
    }

    /** Tenants and the pods that belong to the machines. */
    List<Placement> all() {
        List<Placement> all = new ArrayList<>(placements);
        nodes.values().forEach(node -> all.addAll(node.residents()));
        return all;
    }

    static PodRules rules(Placement placement) {
        return Pod.of(placement).map(Pod::rules).orElse(PodRules.NONE);
    }

    /**
     * In which domain a node is for rules between pods ({@code PodAffinity.Term}): by the label of this key, else the level of the topology
     * of this name, else, by {@link NodeRequirement#NAME}, itself; null if it is in none.
     */
    static @Nullable String domain(Node node, String key) {
        if (key.equals(NodeRequirement.NAME)) {
            return node.name();
        }
        String label = node.labels().get(key);
        return label != null ? "label " + label : level(node, key);
    }

    /** The domain of a level of the topology; null if the node has no such level. */
    static @Nullable String level(Node node, String level) {
        Topology path = node.topology().upTo(level);
        return path.equals(Topology.NONE) ? null : "level " + path;
    }
}
