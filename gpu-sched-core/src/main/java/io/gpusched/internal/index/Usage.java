package io.gpusched.internal.index;

import io.gpusched.internal.access.NodeAccess;
import io.gpusched.internal.partition.PartitionTable;
import io.gpusched.internal.usage.GpuUsage;
import io.gpusched.internal.usage.GpuWord;
import io.gpusched.model.Gpu;
import io.gpusched.model.NamedAmounts;
import io.gpusched.model.NodeState;
import java.util.List;

/**
 * What the pods of a cluster hold together: the part of its totals that changes with each placement.
 *
 * @param idleGpus healthy GPUs of which nobody holds anything
 */
record Usage(
        int pods,
        int idleGpus,
        long cpuMillis,
        long memoryMib,
        long gpuComputeMillis,
        long gpuMemoryMib,
        NamedAmounts named) {
    static final Usage NOTHING = new Usage(0, 0, 0, 0, 0, 0, NamedAmounts.NONE);

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
        GpuUsage use = NodeAccess.gpus(state);
        long compute = 0;
        long memory = 0;
        for (int g = 0; g < state.gpuCount(); g++) {
            Gpu gpu = state.nodeClass().gpus().get(g);
            compute += compute(state, use, g, gpu);
            memory += memory(state, use, g, gpu);
        }
        return new Usage(
                pods + sign * state.podCount(),
                idleGpus + sign * state.idleGpus(),
                cpuMillis + sign * (state.capacity().cpuMillis() - state.freeCpuMillis()),
                memoryMib + sign * (state.capacity().memoryMib() - state.freeMemoryMib()),
                gpuComputeMillis + sign * compute,
                gpuMemoryMib + sign * memory,
                allNamed);
    }

    /** Returns the usage after a node went from one state to another on GPUs of the same amounts. */
    Usage replace(NodeState before, NodeState after) {
        GpuUsage was = NodeAccess.gpus(before);
        GpuUsage is = NodeAccess.gpus(after);
        long compute = gpuComputeMillis;
        long memory = gpuMemoryMib;
        long differing = was == is ? 0 : was.differing(is);
        List<Gpu> gpus = after.nodeClass().gpus();
        for (long rest = differing; rest != 0; rest &= rest - 1) {
            int at = Long.numberOfTrailingZeros(rest);
            Gpu gpu = gpus.get(at);
            compute += compute(after, is, at, gpu) - compute(before, was, at, gpu);
            memory += memory(after, is, at, gpu) - memory(before, was, at, gpu);
        }
        return new Usage(
                pods + after.podCount() - before.podCount(),
                idleGpus + after.idleGpus() - before.idleGpus(),
                cpuMillis + before.freeCpuMillis() - after.freeCpuMillis(),
                memoryMib + before.freeMemoryMib() - after.freeMemoryMib(),
                compute,
                memory,
                named.plus(before.freeNamed()).minus(after.freeNamed()));
    }

    private static long compute(NodeState state, GpuUsage use, int gpu, Gpu device) {
        if (use.isCut(gpu)) {
            PartitionTable table = NodeAccess.partitions(state.nodeClass(), gpu);
            return table == null ? 0 : Math.min(device.computeMillis(), table.computeMillis(use.share(gpu)));
        }
        long word = use.word(gpu);
        return GpuWord.isWhole(word) ? device.computeMillis() : GpuWord.compute(word);
    }

    private static long memory(NodeState state, GpuUsage use, int gpu, Gpu device) {
        if (use.isCut(gpu)) {
            PartitionTable table = NodeAccess.partitions(state.nodeClass(), gpu);
            return table == null ? 0 : Math.min(device.memoryMib(), table.memoryMib(use.share(gpu)));
        }
        long word = use.word(gpu);
        return GpuWord.isWhole(word) ? device.memoryMib() : GpuWord.memory(word);
    }
}
