package io.gpusched.internal.rank;

import io.gpusched.internal.access.NodeAccess;
import io.gpusched.model.NodeState;
import it.unimi.dsi.fastutil.Hash;

/** Nodes as equal if no request can tell them apart that looks at neither names nor labels nor pods. */
public final class Occupancy {
    /** Compares by {@link NodeAccess#sameOccupancy}. */
    public static final Hash.Strategy<NodeState> STRATEGY = new Hash.Strategy<>() {
        @Override
        public int hashCode(NodeState node) {
            return node.occupancyHash();
        }

        @Override
        @SuppressWarnings("ReferenceEquality") // the same object needs no comparison
        public boolean equals(NodeState a, NodeState b) {
            return a == b || a != null && b != null && a.hasSameOccupancy(b);
        }
    };

    private Occupancy() {}
}
