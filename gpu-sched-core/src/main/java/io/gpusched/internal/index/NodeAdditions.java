package io.gpusched.internal.index;

import io.gpusched.model.Node;
import java.util.LinkedHashMap;
import java.util.Map;

/** Nodes that are to join a snapshot together, checked one by one. Not thread-safe. */
public final class NodeAdditions {
    private final ClusterStore store;
    private final Map<String, Node> added = new LinkedHashMap<>();

    /** What the snapshot and the nodes have together. */
    private Capacity capacity;

    /** Makes an empty collection of nodes that are to join a snapshot. */
    public NodeAdditions(ClusterStore store) {
        this.store = store;
        this.capacity = store.capacity();
    }

    /** Returns the number of nodes of the snapshot and of those to join. */
    public int size() {
        return store.size() + added.size();
    }

    /** Returns whether there is a node of this name, in the snapshot or here. */
    public boolean has(String name) {
        return added.containsKey(name) || store.node(name) != null;
    }

    /**
     * Adds a node whose name is new.
     *
     * @throws IllegalArgumentException if CPU or memory sum up to more than a cluster may have
     */
    public void add(Node node) {
        capacity = capacity.plus(node);
        added.put(node.name(), node);
    }

    /** Returns the snapshot with all of them. */
    public ClusterStore applied() {
        return new NodeEdits(store).withAll(added.values());
    }
}
