package io.gpusched.model;

import io.gpusched.internal.word.GpuWord;

/** What is held of one GPU of a node, be it whole, in shares or in partitions. */
final class HeldAmounts {
    private HeldAmounts() {}

    /** In milli, at most what the GPU has. */
    static int computeMillis(Gpu gpu, GpuUsage usage) {
        int index = gpu.index();
        if (usage.isCut(index)) {
            return Math.min(gpu.computeMillis(), gpu.partitions().table().computeMillis(usage.share(index)));
        }
        return usage.isWhole(index) ? gpu.computeMillis() : GpuWord.compute(usage.share(index));
    }

    /** In MiB, at most what the GPU has. */
    static long memoryMib(Gpu gpu, GpuUsage usage) {
        int index = gpu.index();
        if (usage.isCut(index)) {
            return Math.min(gpu.memoryMib(), gpu.partitions().table().memoryMib(usage.share(index)));
        }
        return usage.isWhole(index) ? gpu.memoryMib() : GpuWord.memory(usage.share(index));
    }

    /** All of a GPU that is held whole; of one that is cut one for each partition. */
    static int slots(Gpu gpu, GpuUsage usage) {
        int index = gpu.index();
        if (usage.isCut(index)) {
            return gpu.partitions().table().instances(usage.share(index));
        }
        return usage.isWhole(index) ? gpu.slots() : GpuWord.slots(usage.share(index));
    }
}
