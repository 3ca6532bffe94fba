package io.gpusched.internal.select;

import org.jspecify.annotations.Nullable;

/** A node of the snapshot that a {@link SelectionIndex} is at. Not thread-safe. */
final class KnownNode {
    private final int hash;
    private NodeSpot spot;

    KnownNode(NodeSpot spot) {
        this.hash = spot.node().name().hashCode();
        this.spot = spot;
    }

    NodeSpot spot() {
        return spot;
    }

    void setSpot(NodeSpot value) {
        spot = value;
    }

    /** That of the name; two are equal only if they are one object. */
    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other;
    }
}
