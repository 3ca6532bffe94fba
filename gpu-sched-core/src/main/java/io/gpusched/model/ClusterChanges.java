package io.gpusched.model;

import io.gpusched.internal.check.Checks;
import io.gpusched.internal.index.ClusterStore;
import io.gpusched.internal.index.NodeAdditions;
import io.gpusched.internal.index.NodeEdits;
import io.gpusched.internal.index.StoreBuilder;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The changes that a cluster and a batch offer, checked: each returns what is to take the place of what was. */
final class ClusterChanges {
    private ClusterChanges() {}

    static ClusterStore built(Collection<Node> nodes, Collection<Placement> placements) {
        Checks.inRange("cluster", "number of nodes", nodes.size(), 0, ClusterStore.MAX_NODES);
        Set<String> names = new HashSet<>();
        for (Node node : nodes) {
            if (!names.add(node.name())) {
                throw twoOfName(node);
            }
        }
        Map<PodId, Placement> placed = new HashMap<>();
        for (Placement placement : placements) {
            if (!names.contains(placement.node())) {
                throw Conflicts.unknownNode(placement, nodes.size());
            }
            Placement running = placed.put(placement.pod(), placement);
            if (running != null) {
                throw Conflicts.alreadyPlaced(placement, running.node());
            }
        }
        return StoreBuilder.build(nodes, placements);
    }

    private static IllegalArgumentException twoOfName(Node node) {
        return new IllegalArgumentException("cluster: two nodes have the name \"" + node.name() + "\"");
    }

    static ClusterStore placed(ClusterStore store, Placement placement) {
        return store.with(nodeFor(store, placement), placement);
    }

    /** As {@link #placed}, for a pod that runs already. */
    static ClusterStore running(ClusterStore store, Placement placement) {
        return store.withRunning(nodeFor(store, placement), placement);
    }

    /** The node of a placement whose pod is placed nowhere. */
    private static NodeState nodeFor(ClusterStore store, Placement placement) {
        NodeState node = nodeOf(store, placement);
        Placement running = store.placement(placement.pod());
        if (running != null) {
            throw Conflicts.alreadyPlaced(placement, running.node());
        }
        return node;
    }

    static ClusterStore released(ClusterStore store, Placement placement) {
        return store.without(nodeOf(store, placement), placement);
    }

    private static NodeState nodeOf(ClusterStore store, Placement placement) {
        NodeState node = store.node(placement);
        if (node == null) {
            throw Conflicts.unknownNode(placement, store.size());
        }
        return node;
    }

    static ClusterStore released(ClusterStore store, PodId pod) {
        Placement placement = store.placement(pod);
        if (placement == null) {
            throw Conflicts.notPlaced(pod);
        }
        return released(store, placement);
    }

    static ClusterStore added(ClusterStore store, Node node) {
        NodeAdditions one = new NodeAdditions(store);
        add(one, node);
        return one.applied();
    }

    /** Adds a node to those that are to join. */
    static void add(NodeAdditions additions, Node node) {
        Checks.inRange("cluster", "number of nodes", additions.size() + 1, 0, ClusterStore.MAX_NODES);
        if (additions.has(node.name())) {
            throw twoOfName(node);
        }
        additions.add(node);
    }

    static ClusterStore replaced(ClusterStore store, Node node) {
        return new NodeEdits(store).with(node(store, node.name()), node);
    }

    static ClusterStore removed(ClusterStore store, String name) {
        NodeState node = node(store, name);
        if (!node.isEmpty()) {
            throw Conflicts.notEmpty(name, node.podCount(), node.placements().get(0));
        }
        return new NodeEdits(store).without(node);
    }

    static ClusterStore cordoned(ClusterStore store, String name, boolean cordoned) {
        NodeState node = node(store, name);
        return new NodeEdits(store).with(node, node.node().withCordoned(cordoned));
    }

    static ClusterStore withGpuHealth(ClusterStore store, String name, int gpu, boolean healthy) {
        NodeState node = node(store, name);
        return new NodeEdits(store).with(node, node.node().withGpuHealth(gpu, healthy));
    }

    private static NodeState node(ClusterStore store, String name) {
        NodeState node = store.node(name);
        if (node == null) {
            throw Conflicts.unknownNode(name, store.size());
        }
        return node;
    }
}
