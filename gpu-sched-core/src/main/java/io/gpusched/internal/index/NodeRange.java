package io.gpusched.internal.index;

import io.gpusched.internal.access.NodeAccess;
import io.gpusched.model.NodeState;
import io.gpusched.model.TopologyDomain;

/**
 * A run of nodes in node order.
 *
 * @param from the least key that its nodes may have in the node order
 * @param to the key up to which it reaches, not included
 */
public record NodeRange(long from, long to) {
    /** All nodes there can be. */
    public static final NodeRange EVERYWHERE = new NodeRange(Long.MIN_VALUE, Long.MAX_VALUE);

    /** The nodes of a domain. */
    public static NodeRange of(TopologyDomain domain) {
        return new NodeRange(NodeAccess.from(domain), NodeAccess.to(domain));
    }

    /** A node alone. */
    public static NodeRange of(NodeState node) {
        return new NodeRange(NodeAccess.order(node), NodeAccess.order(node) + 1);
    }

    /** The part of this range before a node. */
    public NodeRange before(NodeState node) {
        return new NodeRange(from, Math.min(to, NodeAccess.order(node)));
    }

    /** The part of this range that is in another one, too. */
    public NodeRange and(NodeRange other) {
        return new NodeRange(Math.max(from, other.from), Math.min(to, other.to));
    }

    /** Whether no node can be in it. */
    public boolean isEmpty() {
        return from >= to;
    }

    /** Whether a node is in it. */
    public boolean contains(NodeState node) {
        long order = NodeAccess.order(node);
        return from <= order && order < to;
    }

    /** Whether it is all nodes. */
    public boolean isEverywhere() {
        return from == Long.MIN_VALUE && to == Long.MAX_VALUE;
    }
}
