package io.gpusched.internal.fit;

import io.gpusched.model.NodeClass;
import io.gpusched.workload.GpuAffinity;
import io.gpusched.workload.GpuAffinity.Bond;
import io.gpusched.workload.GpuRequest;

/**
 * Which GPUs of a node may serve one request together. Here a bond that affinity prefers is required beside the other: where
 * a preference is given up, the {@linkplain PodAlternatives alternative} that is searched has none.
 */
final class Bonds {
    private Bonds() {}

    /** Whether a bond is asked for. */
    static boolean include(GpuAffinity affinity, Bond bond) {
        return affinity.required() == bond || affinity.preferred() == bond;
    }

    /** What a request asks for: partitions have no links of their own, so of their bonds only the NUMA node counts. */
    static GpuAffinity of(GpuRequest request) {
        GpuAffinity affinity = request.selector().affinity();
        if (!(request instanceof GpuRequest.Partition)) {
            return affinity;
        }
        return include(affinity, Bond.NUMA_NODE) ? GpuAffinity.requiring(Bond.NUMA_NODE) : GpuAffinity.ANY;
    }

    /** Whether any GPUs may serve together. */
    static boolean isNone(GpuAffinity affinity) {
        return affinity.required() == Bond.NONE && affinity.preferred() == Bond.NONE;
    }

    /** Those of the GPUs of a mask that share the bonds with this one; whether that one is among them is left open. */
    static long mates(GpuAffinity affinity, NodeClass nodes, int gpu, long mask) {
        return mates(affinity.preferred(), nodes, gpu, mates(affinity.required(), nodes, gpu, mask));
    }

    private static long mates(Bond bond, NodeClass nodes, int gpu, long mask) {
        return switch (bond) {
            case NONE -> mask;
            case NUMA_NODE -> onNumaNodeOf(nodes, gpu, mask);
            case NVLINK_CLIQUE -> nodes.links().isNone() ? 0 : nodes.links().nvlinkMask(gpu) & mask;
        };
    }

    /** Those of the GPUs of a mask that are on the NUMA node of this one. */
    static long onNumaNodeOf(NodeClass nodes, int gpu, long mask) {
        int numaNode = nodes.gpus().get(gpu).numaNode();
        long same = 0;
        for (long rest = mask; rest != 0; rest &= rest - 1) {
            int other = Long.numberOfTrailingZeros(rest);
            same |= nodes.gpus().get(other).numaNode() == numaNode ? 1L << other : 0;
        }
        return same;
    }

    /** Whether every two GPUs of a mask share the bonds. */
    static boolean hold(GpuAffinity affinity, NodeClass nodes, long mask) {
        for (long rest = mask; !isNone(affinity) && rest != 0; rest &= rest - 1) {
            long others = rest & (rest - 1);
            if (mates(affinity, nodes, Long.numberOfTrailingZeros(rest), others) != others) {
                return false;
            }
        }
        return true;
    }

    /** By GPU of a node: the GPUs that share the bonds with it, itself among them or not. */
    static long[] mates(GpuAffinity affinity, NodeClass nodes) {
        int gpus = nodes.gpus().size();
        long all = gpus == 0 ? 0 : -1L >>> (Long.SIZE - gpus);
        long[] mates = new long[gpus];
        for (int g = 0; g < gpus; g++) {
            mates[g] = mates(affinity, nodes, g, all);
        }
        return mates;
    }

    /**
     * The GPUs of a mask that share the bonds with so many others of them that a set of this size may contain them: all of
     * those that such a set does, and perhaps more.
     *
     * @param mates by GPU: the GPUs that share the bonds with it
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
