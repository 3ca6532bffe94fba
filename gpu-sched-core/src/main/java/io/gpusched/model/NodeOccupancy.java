package io.gpusched.model;

/**
 * What of a node's state a request can tell that looks at neither name nor labels nor pods: class, amounts free, use of each GPU
 * by index, cordon and health.
 */
final class NodeOccupancy {
    private static final long MIX = 0x9E3779B97F4A7C15L;
    private static final long MIX_NAMED = 0xD1342543DE82EF95L;

    private NodeOccupancy() {}

    /** Whether two nodes are in the same state; O(GPUs). */
    static boolean isSame(NodeState one, NodeState other) {
        return one.nodeClass().equals(other.nodeClass())
                && one.freeCpuMillis() == other.freeCpuMillis()
                && one.freeMemoryMib() == other.freeMemoryMib()
                && one.freeNamed().equals(other.freeNamed())
                && one.podCount() == other.podCount()
                && one.gpus().isSame(other.gpus())
                && one.isCordoned() == other.isCordoned()
                && one.capacity().equals(other.capacity())
                && (one.freeCpuMillis() > 0 || one.isHeldWhole() == other.isHeldWhole());
    }

    /** A hash that agrees with {@link #isSame}, not 0; O(GPUs). */
    static int hash(NodeState node) {
        long hash = node.nodeClass().hashCode() * 31L + node.podCount();
        hash = hash * MIX + node.freeCpuMillis();
        hash = hash * MIX + node.freeMemoryMib();
        hash += node.freeNamed().hashCode() * MIX_NAMED;
        hash = node.gpus().hash(hash);
        int folded = (int) (hash ^ (hash >>> 32));
        return folded == 0 ? 1 : folded;
    }
}
