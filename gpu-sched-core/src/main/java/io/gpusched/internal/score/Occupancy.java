package io.gpusched.internal.score;

import io.gpusched.model.NodeState;
import it.unimi.dsi.fastutil.Hash;

/** Nodes as equal if no request can tell them apart that looks at neither names nor labels nor pods. */
public final class Occupancy {
    /** Compares by {@link NodeState#sameOccupancy}. */
    public static final Hash.Strategy<NodeState> STRATEGY = new Hash.Strategy<>() {
        @Override
        public int hashCode(NodeState node) {
            return node.occupancyHash();
        }

        @Override
        public boolean equals(NodeState a, NodeState b) {
            return a == b || a != null && b != null && a.sameOccupancy(b);
        }
    };

    private Occupancy() {}
}
