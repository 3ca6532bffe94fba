package io.gpusched.model;

import io.gpusched.internal.persistent.HashTrie;
import org.jspecify.annotations.Nullable;

/**
 * What the nodes of a cluster are, whatever runs on them: their sums, and their classes, so that equal ones are one object.
 * Immutable; a change costs O(log classes).
 *
 * @param classes by class, each with the number of its nodes
 */
record Machines(Capacity capacity, HashTrie<NodeClass, Machines.Members> classes) {
    static final Machines NONE = new Machines(Capacity.NOTHING, HashTrie.empty(Members::nodeClass));

    /** A class and the number of its nodes. */
    record Members(NodeClass nodeClass, int nodes) {}

    /**
     * Returns these with one node more.
     *
     * @throws IllegalArgumentException if what they have of something sums up to more than a cluster may have
     */
    Machines plus(Node node) {
        Capacity more = capacity.plus(node);
        NodeClass nodeClass = NodeClass.of(node);
        Members known = members(nodeClass);
        Members counted = known == null ? new Members(nodeClass, 1) : new Members(known.nodeClass, known.nodes + 1);
        return new Machines(more, classes.with(nodeClass.hashCode(), counted));
    }

    /** Returns these with one node less. */
    Machines minus(NodeState state) {
        NodeClass nodeClass = state.nodeClass();
        int hash = nodeClass.hashCode();
        Members known = members(nodeClass);
        return new Machines(
                capacity.minus(state.node()),
                known == null || known.nodes == 1
                        ? classes.without(hash, nodeClass)
                        : classes.with(hash, new Members(known.nodeClass, known.nodes - 1)));
    }

    private @Nullable Members members(NodeClass nodeClass) {
        return classes.get(nodeClass.hashCode(), nodeClass);
    }

    /** Returns the object that stands for all classes equal to this one. */
    NodeClass shared(NodeClass nodeClass) {
        Members known = members(nodeClass);
        return known == null ? nodeClass : known.nodeClass;
    }

    ClusterTotals totals(int pods, Usage usage) {
        return capacity.totals(pods, usage);
    }
}
