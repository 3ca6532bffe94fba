package io.gpusched.internal.fit;

import io.gpusched.model.NodeState;
import it.unimi.dsi.fastutil.Hash;

/**
 * Takes nodes for equal if no request can tell them apart that looks at neither names nor labels nor pods: by class, what is free,
 * the use and health of each GPU by index, and cordon. O(GPUs).
 */
public final class Occupancy {
    /** The relation, for sets and maps of nodes. */
    public static final Hash.Strategy<NodeState> STRATEGY = new Hash.Strategy<>() {
        @Override
        public int hashCode(NodeState node) {
            return hash(node);
        }

        @Override
        public boolean equals(NodeState a, NodeState b) {
            return a != null && b != null && isSame(a, b);
        }
    };

    private static final long MIX = 0x9E3779B97F4A7C15L;

    private Occupancy() {}

    @SuppressWarnings("ReferenceEquality") // the same object needs no comparison
    public static boolean isSame(NodeState one, NodeState other) {
        return one == other
                || one.freeCpuMillis() == other.freeCpuMillis()
                        && one.freeMemoryMib() == other.freeMemoryMib()
                        && one.podCount() == other.podCount()
                        && one.isCordoned() == other.isCordoned()
                        && one.isHeldWhole() == other.isHeldWhole()
                        && one.nodeClass().equals(other.nodeClass())
                        && one.capacity().equals(other.capacity())
                        && one.freeNamed().equals(other.freeNamed())
                        && one.changedMask(other) == 0;
    }

    private static int hash(NodeState node) {
        long hash = node.nodeClass().hashCode() * 31L + node.podCount();
        hash = hash * MIX + node.freeCpuMillis();
        hash = hash * MIX + node.freeMemoryMib();
        hash = hash * MIX + node.idleMask();
        for (long rest = node.sharedMask() | node.cutMask(); rest != 0; rest &= rest - 1) {
            int gpu = Long.numberOfTrailingZeros(rest);
            hash = (hash + node.heldComputeMillis(gpu)) * MIX + node.heldMemoryMib(gpu) + node.partitionWord(gpu);
        }
        return Long.hashCode(hash * MIX);
    }
}
