package io.gpusched.internal.select;

import io.gpusched.internal.access.NodeAccess;
import io.gpusched.model.Node;
import io.gpusched.model.Taint;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A node of the snapshot that a {@link SelectionIndex} is at. Not thread-safe. */
final class KnownNode {
    private final int id;
    private final int hash;
    private final Node machine;
    private final List<Taint> taints;
    private NodeSpot spot;

    /**
     * @param id no other node has it at the same time
     */
    KnownNode(int id, NodeSpot spot) {
        this.id = id;
        this.hash = spot.node().name().hashCode();
        this.machine = spot.node().node();
        this.taints = spot.node().nodeClass().taints();
        this.spot = spot;
    }

    int id() {
        return id;
    }

    Node machine() {
        return machine;
    }

    List<Taint> taints() {
        return taints;
    }

    NodeSpot spot() {
        return spot;
    }

    void setSpot(NodeSpot value) {
        spot = value;
    }

    /** Its key in the node order. */
    long order() {
        return NodeAccess.order(spot.node());
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
