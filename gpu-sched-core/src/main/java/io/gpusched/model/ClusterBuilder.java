package io.gpusched.model;

import io.gpusched.check.Checks;
import io.gpusched.internal.persistent.HashTrie;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The parts of a snapshot of many nodes, and of what runs on them; O(n + pods). */
final class ClusterBuilder {
    /** The greatest number of nodes. */
    static final int MAX_NODES = 1 << 24;

    private final HashTrie<String, NodeState> nodes;
    private final HashTrie<PodId, Placement> pods;
    private Machines machines = Machines.NONE;
    private Usage usage = Usage.NOTHING;

    ClusterBuilder(Collection<Node> nodes, Collection<Placement> placements) {
        Checks.inRange("cluster", "number of nodes", nodes.size(), 0, MAX_NODES);
        checkNames(nodes);
        Map<String, List<Placement>> byNode = byNode(nodes, placements);
        NodeState[] states = new NodeState[nodes.size()];
        int[] hashes = new int[states.length];
        int at = 0;
        for (Node node : nodes) {
            hashes[at] = NodeState.hash(node.name());
            states[at++] = state(node, byNode.getOrDefault(node.name(), List.of()));
        }
        this.nodes = HashTrie.of(NodeState::name, hashes, states);
        this.pods = pods(placements);
    }

    HashTrie<String, NodeState> nodes() {
        return nodes;
    }

    HashTrie<PodId, Placement> pods() {
        return pods;
    }

    Machines machines() {
        return machines;
    }

    Usage usage() {
        return usage;
    }

    private NodeState state(Node node, List<Placement> running) {
        machines = machines.plus(node);
        NodeState state = new NodeState(node, machines.shared(NodeClass.of(node)));
        for (Placement placement : running) {
            state = state.plus(placement, false);
        }
        usage = usage.plus(state);
        return state;
    }

    private static void checkNames(Collection<Node> nodes) {
        Set<String> names = new HashSet<>();
        for (Node node : nodes) {
            if (!names.add(node.name())) {
                throw Conflicts.twoOfName(node);
            }
        }
    }

    private static Map<String, List<Placement>> byNode(Collection<Node> nodes, Collection<Placement> placements) {
        Map<String, List<Placement>> byNode = new HashMap<>();
        nodes.forEach(node -> byNode.put(node.name(), new ArrayList<>()));
        Map<PodId, Placement> placed = new HashMap<>();
        for (Placement placement : placements) {
            List<Placement> there = byNode.get(placement.node());
            if (there == null) {
                throw Conflicts.unknownNode(placement, nodes.size());
            }
            Placement running = placed.put(placement.pod(), placement);
            if (running != null) {
                throw Conflicts.alreadyPlaced(placement, running.node());
            }
            there.add(placement);
        }
        return byNode;
    }

    private static HashTrie<PodId, Placement> pods(Collection<Placement> placements) {
        Placement[] all = placements.toArray(Placement[]::new);
        int[] hashes = new int[all.length];
        for (int i = 0; i < all.length; i++) {
            hashes[i] = all[i].pod().hashCode();
        }
        return HashTrie.of(Placement::pod, hashes, all);
    }
}
