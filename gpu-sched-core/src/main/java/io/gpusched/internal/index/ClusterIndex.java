package io.gpusched.internal.index;

import io.gpusched.internal.access.ClusterAccess;
import io.gpusched.internal.access.NodeAccess;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeClass;
import io.gpusched.model.NodeState;
import java.util.List;

/** What a snapshot knows of its nodes so that searches need not look at all of them. Immutable and thread-safe. */
public final class ClusterIndex {
    private final ClusterStore store;

    private ClusterIndex(ClusterStore store) {
        this.store = store;
    }

    /** Returns the index of a snapshot. */
    public static ClusterIndex of(Cluster cluster) {
        return new ClusterIndex(ClusterAccess.store(cluster));
    }

    /**
     * Returns whether both snapshots came of one cluster, by changes of any kind, so that they most likely share much of what
     * they are made of.
     */
    public boolean isRelatedTo(ClusterIndex other) {
        return store.isRelatedTo(other.store);
    }

    /** Whether no node changed, joined or left between two related snapshots, whatever runs on them; if unsure, not. O(1). */
    public boolean hasSameNodes(ClusterIndex other) {
        return store.hasSameNodes(other.store);
    }

    /** Returns the classes of its nodes, O(classes); rare ones stand together under a mixed class. */
    public List<ClassIndex> classes() {
        return store.trees();
    }

    /** Returns the class of the tree that holds a node of this snapshot: its own, or a mixed one. */
    public NodeClass treeClass(NodeState node) {
        return store.treeClass(NodeAccess.location(node));
    }

    /** Returns the node that stands here, O(log n). */
    public NodeState node(NodeLocation location) {
        return store.state(location);
    }

    /** Returns how many nodes are in a range, O(log n). */
    public int size(NodeRange range) {
        return store.size(range);
    }

    /** Returns the nodes of a range in node order; O(log n) for each. */
    public Iterable<NodeState> nodes(NodeRange range) {
        return store.nodes(range);
    }
}
