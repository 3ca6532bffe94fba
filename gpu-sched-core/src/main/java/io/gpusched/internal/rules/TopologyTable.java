package io.gpusched.internal.rules;

import io.gpusched.internal.index.NodeLabels;
import io.gpusched.internal.index.TextHash;
import io.gpusched.internal.trie.HashTrie;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The number of nodes by value, of each label over which running pods are spread. Persistent and thread-safe. */
final class TopologyTable {
    static final TopologyTable EMPTY = new TopologyTable(HashTrie.empty(Topology::key));

    private final HashTrie<String, Topology> topologies;

    /**
     * A label of nodes.
     *
     * @param users how many running pods need it
     */
    private record Topology(String key, int users, DomainCounts nodes) {}

    private TopologyTable(HashTrie<String, Topology> topologies) {
        this.topologies = topologies;
    }

    boolean isEmpty() {
        return topologies.size() == 0;
    }

    @Nullable
    DomainCounts get(String key) {
        Topology found = find(key);
        return found == null ? null : found.nodes;
    }

    private @Nullable Topology find(String key) {
        return topologies.get(TextHash.of(key), key);
    }

    private TopologyTable with(Topology topology) {
        long hash = TextHash.of(topology.key);
        return new TopologyTable(
                topology.users == 0 ? topologies.without(hash, topology.key) : topologies.with(hash, topology));
    }

    /** Returns this with one more pod that needs a label; the nodes are looked at if it is the first. */
    TopologyTable used(String key, Iterable<NodeState> all) {
        Topology known = find(key);
        return with(
                known == null
                        ? new Topology(key, 1, count(key, all))
                        : new Topology(key, known.users + 1, known.nodes));
    }

    /** Returns the number of nodes by value of a label, O(nodes). */
    static DomainCounts count(String key, Iterable<NodeState> all) {
        Map<String, Integer> counts = new HashMap<>();
        for (NodeState node : all) {
            String value = NodeLabels.value(key, node.node());
            if (value != null) {
                counts.merge(value, 1, Integer::sum);
            }
        }
        return DomainCounts.of(counts);
    }

    /** Returns this with one pod less that needs a label. */
    TopologyTable unused(String key) {
        Topology known = find(key);
        return known == null ? this : with(new Topology(key, known.users - 1, known.nodes));
    }

    /** Returns this with a node more, or one less. */
    TopologyTable plus(Node node, int change) {
        TopologyTable[] changed = {this};
        topologies.forEach(topology -> {
            String value = NodeLabels.value(topology.key, node);
            if (value != null) {
                DomainCounts nodes = topology.nodes.plus(value, change);
                changed[0] = changed[0].with(new Topology(topology.key, topology.users, nodes));
            }
        });
        return changed[0];
    }

    Map<String, Object> toMap() {
        Map<String, Object> map = new HashMap<>();
        topologies.forEach(topology -> map.put(topology.key, topology));
        return map;
    }
}
