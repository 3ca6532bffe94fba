package io.gpusched.model;

import java.util.List;

/**
 * Sums over a cluster. Amounts of GPUs that are not healthy count in the capacity and, while pods hold them, in what is
 * used; memory in MiB, CPU and compute in milli.
 *
 * @param nodes number of nodes
 * @param gpus number of GPUs
 * @param pods number of pods placed
 * @param capacity CPU and memory of all nodes
 * @param used CPU and memory that pods hold; a pod with a whole node holds all of it
 * @param gpuComputeMillis compute of all GPUs
 * @param usedGpuComputeMillis compute that pods hold; a GPU held whole counts in full
 * @param gpuMemoryMib memory of all GPUs
 * @param usedGpuMemoryMib memory that pods hold; a GPU held whole counts in full
 * @param idleGpus healthy GPUs of which nobody holds anything
 */
public record ClusterTotals(
        int nodes,
        int gpus,
        int pods,
        Resources capacity,
        Resources used,
        long gpuComputeMillis,
        long usedGpuComputeMillis,
        long gpuMemoryMib,
        long usedGpuMemoryMib,
        int idleGpus) {
    /** Returns the totals after one node went from one state to another. */
    ClusterTotals replace(NodeState before, NodeState after) {
        List<Gpu> gpusOfNode = before.nodeClass().gpus();
        long compute = usedGpuComputeMillis;
        long memory = usedGpuMemoryMib;
        for (int g = 0; g < gpusOfNode.size(); g++) {
            if (before.word(g) != after.word(g)) {
                compute += usedCompute(after, gpusOfNode, g) - usedCompute(before, gpusOfNode, g);
                memory += usedMemory(after, gpusOfNode, g) - usedMemory(before, gpusOfNode, g);
            }
        }
        return new ClusterTotals(
                nodes,
                gpus,
                pods + after.podCount() - before.podCount(),
                capacity,
                new Resources(
                        used.cpuMillis() + before.freeCpuMillis() - after.freeCpuMillis(),
                        used.memoryMib() + before.freeMemoryMib() - after.freeMemoryMib()),
                gpuComputeMillis,
                compute,
                gpuMemoryMib,
                memory,
                idleGpus + after.idleGpus() - before.idleGpus());
    }

    static ClusterTotals of(Iterable<NodeState> states) {
        int nodes = 0;
        int gpus = 0;
        int pods = 0;
        Resources capacity = Resources.NONE;
        Resources used = Resources.NONE;
        long compute = 0;
        long usedCompute = 0;
        long memory = 0;
        long usedMemory = 0;
        int idle = 0;
        for (NodeState state : states) {
            nodes++;
            gpus += state.gpuCount();
            pods += state.podCount();
            capacity = capacity.plus(state.node().capacity());
            used = used.plus(new Resources(state.usedCpuMillis(), state.usedMemoryMib()));
            for (Gpu gpu : state.node().gpus()) {
                compute += gpu.computeMillis();
                memory += gpu.memoryMib();
            }
            for (int g = 0; g < state.gpuCount(); g++) {
                usedCompute += usedCompute(state, state.node().gpus(), g);
                usedMemory += usedMemory(state, state.node().gpus(), g);
            }
            idle += state.idleGpus();
        }
        return new ClusterTotals(nodes, gpus, pods, capacity, used, compute, usedCompute, memory, usedMemory, idle);
    }

    private static long usedCompute(NodeState state, List<Gpu> gpus, int gpu) {
        return state.isWhole(gpu) ? gpus.get(gpu).computeMillis() : GpuWord.compute(state.word(gpu));
    }

    private static long usedMemory(NodeState state, List<Gpu> gpus, int gpu) {
        return state.isWhole(gpu) ? gpus.get(gpu).memoryMib() : GpuWord.memory(state.word(gpu));
    }

    @Override
    public String toString() {
        return nodes + " nodes, " + gpus + " gpus (" + idleGpus + " idle), " + pods + " pods; used " + used + " of "
                + capacity + ", " + usedGpuComputeMillis + "m of " + gpuComputeMillis + "m gpu compute";
    }
}
