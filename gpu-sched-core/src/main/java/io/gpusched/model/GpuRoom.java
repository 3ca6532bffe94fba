package io.gpusched.model;

import io.gpusched.internal.partition.PartitionTable;
import io.gpusched.internal.usage.GpuUsage;
import io.gpusched.internal.usage.GpuWord;

/** What may still be given away of one GPU, by the class of its node and by what is held there. */
final class GpuRoom {
    private GpuRoom() {}

    /** In milli; 0 if it is held whole or not healthy. */
    static int computeMillis(NodeClass nodeClass, GpuUsage held, int gpu) {
        if (held.isShut(gpu)) {
            return 0;
        }
        int all = nodeClass.gpus().get(gpu).computeMillis();
        return all
                - (held.isCut(gpu) ? computeInPartitions(nodeClass, held, gpu, all) : GpuWord.compute(held.share(gpu)));
    }

    private static int computeInPartitions(NodeClass nodeClass, GpuUsage held, int gpu, int all) {
        PartitionTable table = nodeClass.partitions(gpu);
        return table == null ? 0 : Math.min(all, table.computeMillis(held.share(gpu)));
    }

    /** In MiB; 0 if it is held whole or not healthy. */
    static long memoryMib(NodeClass nodeClass, GpuUsage held, int gpu) {
        if (held.isShut(gpu)) {
            return 0;
        }
        long all = nodeClass.gpus().get(gpu).memoryMib();
        return all
                - (held.isCut(gpu) ? memoryInPartitions(nodeClass, held, gpu, all) : GpuWord.memory(held.share(gpu)));
    }

    private static long memoryInPartitions(NodeClass nodeClass, GpuUsage held, int gpu, long all) {
        PartitionTable table = nodeClass.partitions(gpu);
        return table == null ? 0 : Math.min(all, table.memoryMib(held.share(gpu)));
    }

    /** 0 if it is held whole, not healthy or cut into partitions. */
    static int slots(NodeClass nodeClass, GpuUsage held, int gpu) {
        return held.isShut(gpu) || held.isCut(gpu)
                ? 0
                : nodeClass.gpus().get(gpu).slots() - GpuWord.slots(held.share(gpu));
    }
}
