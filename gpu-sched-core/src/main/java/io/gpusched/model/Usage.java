package io.gpusched.model;

import java.util.List;

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
            compute += compute(state, g);
            memory += memory(state, g);
        }
        return new Usage(
                pods + state.podCount(),
                idleGpus + state.idleGpus(),
                cpuMillis + state.node().capacity().cpuMillis() - state.freeCpuMillis(),
                memoryMib + state.node().capacity().memoryMib() - state.freeMemoryMib(),
                gpuComputeMillis + compute,
                gpuMemoryMib + memory);
    }

    /** Returns the usage after one node went from one state to another. */
    Usage replace(NodeState before, NodeState after) {
        long compute = gpuComputeMillis;
        long memory = gpuMemoryMib;
        for (long rest = before.differingGpus(after); rest != 0; rest &= rest - 1) {
            int gpu = Long.numberOfTrailingZeros(rest);
            compute += compute(after, gpu) - compute(before, gpu);
            memory += memory(after, gpu) - memory(before, gpu);
        }
        return new Usage(
                pods + after.podCount() - before.podCount(),
                idleGpus + after.idleGpus() - before.idleGpus(),
                cpuMillis + before.freeCpuMillis() - after.freeCpuMillis(),
                memoryMib + before.freeMemoryMib() - after.freeMemoryMib(),
                compute,
                memory);
    }

    private static long compute(NodeState state, int gpu) {
        List<Gpu> gpus = state.nodeClass().gpus();
        return state.isWhole(gpu) ? gpus.get(gpu).computeMillis() : GpuWord.compute(state.word(gpu));
    }

    private static long memory(NodeState state, int gpu) {
        List<Gpu> gpus = state.nodeClass().gpus();
        return state.isWhole(gpu) ? gpus.get(gpu).memoryMib() : GpuWord.memory(state.word(gpu));
    }
}
