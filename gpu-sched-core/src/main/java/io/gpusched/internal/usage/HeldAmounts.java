package io.gpusched.internal.usage;

import io.gpusched.internal.access.PartitionAccess;
import io.gpusched.internal.partition.PartitionTable;
import io.gpusched.model.Gpu;

/** What is held of one GPU of a node, be it whole, in shares or in partitions. */
public final class HeldAmounts {
    private HeldAmounts() {}

    /** In milli, at most what the GPU has. */
    public static int computeMillis(Gpu gpu, GpuUsage usage) {
        int index = gpu.index();
        if (usage.isCut(index)) {
            PartitionTable table = PartitionAccess.table(gpu);
            return table == null ? 0 : Math.min(gpu.computeMillis(), table.computeMillis(usage.share(index)));
        }
        return usage.isWhole(index) ? gpu.computeMillis() : GpuWord.compute(usage.share(index));
    }

    /** In MiB, at most what the GPU has. */
    public static long memoryMib(Gpu gpu, GpuUsage usage) {
        int index = gpu.index();
        if (usage.isCut(index)) {
            PartitionTable table = PartitionAccess.table(gpu);
            return table == null ? 0 : Math.min(gpu.memoryMib(), table.memoryMib(usage.share(index)));
        }
        return usage.isWhole(index) ? gpu.memoryMib() : GpuWord.memory(usage.share(index));
    }

    /** All of a GPU that is held whole; of one that is cut one for each tenant of a partition. */
    public static int slots(Gpu gpu, GpuUsage usage) {
        int index = gpu.index();
        if (usage.isCut(index)) {
            PartitionTable table = PartitionAccess.table(gpu);
            return table == null ? 0 : table.tenants(usage.share(index));
        }
        return usage.isWhole(index) ? gpu.slots() : GpuWord.slots(usage.share(index));
    }
}
