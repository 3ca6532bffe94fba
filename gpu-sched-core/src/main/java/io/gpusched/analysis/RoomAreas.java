package io.gpusched.analysis;

import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Topology;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Where units of wanted room may be: each node, or each domain of a level. */
final class RoomAreas {
    private final List<Area> areas = new ArrayList<>();
    private final Map<String, List<Area>> byNode = new HashMap<>();

    /**
     * Nodes on which units of one kind of room are counted.
     *
     * @param room the kind of room
     * @param name the name of the node, or of the domain
     * @param nodes the names of the nodes, in node order
     */
    record Area(RoomCounts room, String name, List<String> nodes) {
        List<NodeState> states(Cluster cluster) {
            return nodes.stream().map(node -> cluster.node(node).orElseThrow()).toList();
        }

        long units(Cluster cluster) {
            return room.units(states(cluster));
        }
    }

    RoomAreas(Cluster cluster, List<RoomCounts> rooms) {
        for (RoomCounts room : rooms) {
            String level = room.wanted().level();
            Map<Object, List<String>> nodes = new LinkedHashMap<>();
            for (NodeState node : cluster.nodes()) {
                Object key =
                        level.isEmpty() ? node.name() : node.node().topology().upTo(level);
                if (!key.equals(Topology.NONE)) {
                    nodes.computeIfAbsent(key, any -> new ArrayList<>()).add(node.name());
                }
            }
            nodes.forEach((key, names) -> add(new Area(room, key.toString(), List.copyOf(names))));
        }
    }

    private void add(Area area) {
        areas.add(area);
        area.nodes()
                .forEach(node ->
                        byNode.computeIfAbsent(node, any -> new ArrayList<>()).add(area));
    }

    /** Returns all, by kind of room, then in node order. */
    List<Area> all() {
        return areas;
    }

    /** Returns the areas that have any of some nodes, each once. */
    List<Area> of(Collection<String> nodes) {
        return nodes.stream()
                .flatMap(node -> byNode.getOrDefault(node, List.of()).stream())
                .distinct()
                .toList();
    }
}
