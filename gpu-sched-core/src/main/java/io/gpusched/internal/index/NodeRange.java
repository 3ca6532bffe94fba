package io.gpusched.internal.index;

import io.gpusched.model.NodeState;
import io.gpusched.model.TopologyDomain;

/**
 * A run of nodes in node order.
 *
 * @param from the order of the first node
 * @param to the order up to which it reaches, not included
 */
public record NodeRange(long from, long to) {
    /** All nodes there can be. */
    public static final NodeRange EVERYWHERE = new NodeRange(0, Long.MAX_VALUE);

    /** The nodes of a domain. */
    public static NodeRange of(TopologyDomain domain) {
        return new NodeRange(domain.fromOrder(), domain.toOrder());
    }

    /** A node alone. */
    public static NodeRange of(NodeState node) {
        return new NodeRange(node.order(), node.order() + 1L);
    }

    /** The part of this range before a node. */
    public NodeRange before(NodeState node) {
        return new NodeRange(from, Math.min(to, node.order()));
    }

    /** Whether it is all nodes. */
    public boolean isEverywhere() {
        return from <= 0 && to == Long.MAX_VALUE;
    }
}
