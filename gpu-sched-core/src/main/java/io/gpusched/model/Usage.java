package io.gpusched.model;

import io.gpusched.model.amount.NamedAmounts;

/**
 * What the pods of a cluster hold together: the part of its totals that changes with each placement.
 *
 * @param idleGpus healthy GPUs that no pod holds a part of
 */
record Usage(
        int idleGpus, long cpuMillis, long memoryMib, long gpuComputeMillis, long gpuMemoryMib, NamedAmounts named) {
    static final Usage NOTHING = new Usage(0, 0, 0, 0, 0, NamedAmounts.NONE);

    /** Returns the usage with one node more. */
    Usage plus(NodeState state) {
        return with(state, 1, named.plus(named(state)));
    }

    /** Returns the usage with one node less. */
    Usage minus(NodeState state) {
        return with(state, -1, named.minus(named(state)));
    }

    private static NamedAmounts named(NodeState state) {
        return state.capacity().named().minus(state.freeNamed());
    }

    private Usage with(NodeState state, int sign, NamedAmounts allNamed) {
        long compute = 0;
        long memory = 0;
        for (int g = 0; g < state.gpuCount(); g++) {
            compute += state.heldComputeMillis(g);
            memory += state.heldMemoryMib(g);
        }
        return new Usage(
                idleGpus + sign * state.idleGpus(),
                cpuMillis + sign * (state.capacity().cpuMillis() - state.freeCpuMillis()),
                memoryMib + sign * (state.capacity().memoryMib() - state.freeMemoryMib()),
                gpuComputeMillis + sign * compute,
                gpuMemoryMib + sign * memory,
                allNamed);
    }

    /** Returns the usage after a node went from one state to another on GPUs of the same amounts. */
    Usage replace(NodeState before, NodeState after) {
        long compute = gpuComputeMillis;
        long memory = gpuMemoryMib;
        for (long rest = after.changedMask(before); rest != 0; rest &= rest - 1) {
            int gpu = Long.numberOfTrailingZeros(rest);
            compute += after.heldComputeMillis(gpu) - before.heldComputeMillis(gpu);
            memory += after.heldMemoryMib(gpu) - before.heldMemoryMib(gpu);
        }
        return new Usage(
                idleGpus + after.idleGpus() - before.idleGpus(),
                cpuMillis + before.freeCpuMillis() - after.freeCpuMillis(),
                memoryMib + before.freeMemoryMib() - after.freeMemoryMib(),
                compute,
                memory,
                named.plus(before.freeNamed()).minus(after.freeNamed()));
    }
}
