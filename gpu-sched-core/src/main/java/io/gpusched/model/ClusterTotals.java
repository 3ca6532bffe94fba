package io.gpusched.model;

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
    /** Returns the totals of these machines when nothing runs. */
    static ClusterTotals of(Iterable<Node> machines) {
        int nodes = 0;
        int gpus = 0;
        Resources capacity = Resources.NONE;
        long compute = 0;
        long memory = 0;
        for (Node node : machines) {
            nodes++;
            gpus += node.gpus().size();
            capacity = capacity.plus(node.capacity());
            for (Gpu gpu : node.gpus()) {
                compute += gpu.computeMillis();
                memory += gpu.memoryMib();
            }
        }
        return new ClusterTotals(nodes, gpus, 0, capacity, Resources.NONE, compute, 0, memory, 0, gpus);
    }

    /** Returns the totals of the same machines with this usage. */
    ClusterTotals with(Usage usage) {
        return new ClusterTotals(
                nodes,
                gpus,
                usage.pods(),
                capacity,
                new Resources(usage.cpuMillis(), usage.memoryMib()),
                gpuComputeMillis,
                usage.gpuComputeMillis(),
                gpuMemoryMib,
                usage.gpuMemoryMib(),
                usage.idleGpus());
    }

    @Override
    public String toString() {
        return nodes + " nodes, " + gpus + " gpus (" + idleGpus + " idle), " + pods + " pods; used " + used + " of "
                + capacity + ", " + usedGpuComputeMillis + "m of " + gpuComputeMillis + "m gpu compute";
    }
}
