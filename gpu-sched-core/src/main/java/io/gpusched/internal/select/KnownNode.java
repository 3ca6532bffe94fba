package io.gpusched.internal.select;

import io.gpusched.model.NodeState;

/** A node of the snapshot that a {@link SelectionIndex} is at. Not thread-safe. */
final class KnownNode {
    private final int hash;
    private NodeState state;

    KnownNode(NodeState state) {
        this.hash = state.name().hashCode();
        this.state = state;
    }

    NodeState state() {
        return state;
    }

    void setState(NodeState value) {
        state = value;
    }

    /** That of the name; two are equal only if they are one object. */
    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // there is one for each node
    public boolean equals(Object other) {
        return this == other;
    }
}
