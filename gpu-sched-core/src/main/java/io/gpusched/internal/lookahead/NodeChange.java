package io.gpusched.internal.lookahead;

import io.gpusched.model.NodeState;
import io.gpusched.model.partition.PartitionTable;

/** What a placement changes on a node, read off the states before and after. */
public final class NodeChange {
    private NodeChange() {}

    /** The GPUs that may be taken, whole or in part. */
    static long changed(NodeState before, NodeState after) {
        return after.changedMask(before);
    }

    /** Whether anything of this GPU is taken. */
    public static boolean takes(NodeState before, NodeState after, int gpu) {
        return before.freeSlots(gpu) > after.freeSlots(gpu);
    }

    /** Whether any partition of this GPU is taken. */
    public static boolean cuts(NodeState before, NodeState after, int gpu) {
        return after.isCut(gpu) && after.partitionWord(gpu) != before.partitionWord(gpu);
    }

    /** The level of what still fits on a GPU that is cut into partitions. */
    public static int partitionLevel(NodeState node, int gpu) {
        PartitionTable table = node.nodeClass().partitions(gpu);
        return table == null ? 0 : table.level(node.partitionWord(gpu));
    }

    /** Compute left, in milli, on the GPUs that are taken in part: 0 if none; the less, the better the fit. */
    public static long leftOnSharedGpus(NodeState before, NodeState after) {
        long left = 0;
        for (long rest = changed(before, after); rest != 0; rest &= rest - 1) {
            int gpu = Long.numberOfTrailingZeros(rest);
            left += takes(before, after, gpu) ? after.freeComputeMillis(gpu) : 0;
        }
        return left;
    }
}
