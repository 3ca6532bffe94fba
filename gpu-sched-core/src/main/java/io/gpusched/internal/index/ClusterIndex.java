package io.gpusched.internal.index;

import io.gpusched.internal.access.ClusterAccess;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.workload.Toleration;
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

    /** Returns the classes of its nodes, O(classes); rare ones stand together under a mixed class. */
    public List<ClassIndex> classes() {
        return store.trees();
    }

    /**
     * Returns the classes whose taints these tolerations cover, and maybe some more; O(those), however many other taints
     * there are.
     */
    public List<ClassIndex> classes(List<Toleration> tolerations) {
        return store.trees(tolerations);
    }

    /** Returns the node that stands here, O(log n). */
    public NodeState node(NodeLocation location) {
        return store.state(location);
    }

    /** Returns the nodes of a range in node order; O(log n) for each. */
    public Iterable<NodeState> nodes(NodeRange range) {
        return store.nodes(range);
    }
}
