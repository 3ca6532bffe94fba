package io.gpusched.internal.fit;

import io.gpusched.model.NodeClass;
import io.gpusched.workload.GpuCloseness.Bond;

/** Which GPUs of a node may serve one request together. */
final class Bonds {
    private Bonds() {}

    /** Those of the GPUs of a mask that share the bond with this one; whether that one is among them is left open. */
    static long mates(Bond bond, NodeClass nodes, int gpu, long mask) {
        return switch (bond) {
            case NONE -> mask;
            case NUMA_NODE -> onNumaNodeOf(nodes, gpu, mask);
            case NVLINK_CLIQUE -> nodes.links().isNone() ? 0 : nodes.links().nvlinkMask(gpu) & mask;
        };
    }

    private static long onNumaNodeOf(NodeClass nodes, int gpu, long mask) {
        int numaNode = nodes.gpus().get(gpu).numaNode();
        long same = 0;
        for (long rest = mask; rest != 0; rest &= rest - 1) {
            int other = Long.numberOfTrailingZeros(rest);
            same |= nodes.gpus().get(other).numaNode() == numaNode ? 1L << other : 0;
        }
        return same;
    }

    /** Whether every two GPUs of a mask share the bond. */
    static boolean hold(Bond bond, NodeClass nodes, long mask) {
        for (long rest = mask; bond != Bond.NONE && rest != 0; rest &= rest - 1) {
            long others = rest & (rest - 1);
            if (mates(bond, nodes, Long.numberOfTrailingZeros(rest), others) != others) {
                return false;
            }
        }
        return true;
    }

    /** By GPU of a node: those that share the bond with it, itself among them or not. */
    static long[] mates(Bond bond, NodeClass nodes) {
        int gpus = nodes.gpus().size();
        long all = gpus == 0 ? 0 : -1L >>> (Long.SIZE - gpus);
        long[] mates = new long[gpus];
        for (int g = 0; g < gpus; g++) {
            mates[g] = mates(bond, nodes, g, all);
        }
        return mates;
    }

    /**
     * The GPUs of a mask that share the bond with so many others of them that a set of this size may contain them: all of
     * those that such a set does, and perhaps more.
     *
     * @param mates by GPU: those that share the bond with it
     */
    static long promising(long[] mates, int count, long mask) {
        long left = mask;
        long before;
        do {
            before = left;
            for (long rest = before; rest != 0; rest &= rest - 1) {
                long one = Long.lowestOneBit(rest);
                long others = mates[Long.numberOfTrailingZeros(one)] & left & ~one;
                left &= Long.bitCount(others) < count - 1 ? ~one : -1L;
            }
        } while (left != before);
        return left;
    }
}
