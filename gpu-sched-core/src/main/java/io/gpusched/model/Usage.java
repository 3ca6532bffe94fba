package io.gpusched.model;

/**
 * What the pods of a cluster hold together: the part of {@link ClusterTotals} that changes with each placement.
 *
 * @param idleGpus healthy GPUs of which nobody holds anything
 */
record Usage(int pods, int idleGpus, long cpuMillis, long memoryMib, long gpuComputeMillis, long gpuMemoryMib) {
    static Usage of(Iterable<NodeState> states) {
        Usage sum = new Usage(0, 0, 0, 0, 0, 0);
        for (NodeState state : states) {
            sum = sum.plus(state);
        }
        return sum;
    }

    private Usage plus(NodeState state) {
        long compute = 0;
        long memory = 0;
        for (int g = 0; g < state.gpuCount(); g++) {
            Gpu gpu = state.nodeClass().gpus().get(g);
            compute += compute(state.word(g), gpu);
            memory += memory(state.word(g), gpu);
        }
        return new Usage(
                pods + state.podCount(),
                idleGpus + state.idleGpus(),
                cpuMillis + state.capacity().cpuMillis() - state.freeCpuMillis(),
                memoryMib + state.capacity().memoryMib() - state.freeMemoryMib(),
                gpuComputeMillis + compute,
                gpuMemoryMib + memory);
    }

    /** Returns the usage after one node went from one state to another. */
    Usage replace(NodeState before, NodeState after) {
        long compute = gpuComputeMillis;
        long memory = gpuMemoryMib;
        for (long rest = before.differingGpus(after); rest != 0; rest &= rest - 1) {
            int at = Long.numberOfTrailingZeros(rest);
            Gpu gpu = after.nodeClass().gpus().get(at);
            long was = before.word(at);
            long is = after.word(at);
            compute += compute(is, gpu) - compute(was, gpu);
            memory += memory(is, gpu) - memory(was, gpu);
        }
        return new Usage(
                pods + after.podCount() - before.podCount(),
                idleGpus + after.idleGpus() - before.idleGpus(),
                cpuMillis + before.freeCpuMillis() - after.freeCpuMillis(),
                memoryMib + before.freeMemoryMib() - after.freeMemoryMib(),
                compute,
                memory);
    }

    private static long compute(long word, Gpu gpu) {
        return GpuWord.isWhole(word) ? gpu.computeMillis() : GpuWord.compute(word);
    }

    private static long memory(long word, Gpu gpu) {
        return GpuWord.isWhole(word) ? gpu.memoryMib() : GpuWord.memory(word);
    }
}
