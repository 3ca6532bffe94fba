package io.gpusched.model;

import io.gpusched.model.amount.NamedAmounts;
import java.util.Objects;

/**
 * Sums over a cluster. Amounts of GPUs that are not healthy count in the capacity and, while pods hold them, in what is
 * used; memory in MiB, CPU and compute in milli.
 *
 * @param nodes number of nodes
 * @param gpus number of GPUs
 * @param pods number of pods placed
 * @param capacity CPU, memory and {@linkplain NamedAmounts named} resources of all nodes
 * @param used CPU, memory and named resources that pods hold; a pod with a whole node holds all of it
 * @param gpuComputeMillis compute of all GPUs
 * @param usedGpuComputeMillis compute that pods hold; a GPU held whole counts in full
 * @param gpuMemoryMib memory of all GPUs
 * @param usedGpuMemoryMib memory that pods hold; a GPU held whole counts in full
 * @param idleGpus healthy GPUs that no pod holds a part of
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
    /** Checks that nothing is null. */
    public ClusterTotals {
        Objects.requireNonNull(capacity, "capacity");
        Objects.requireNonNull(used, "used");
    }

    @Override
    public String toString() {
        return nodes + " nodes, " + gpus + " gpus (" + idleGpus + " idle), " + pods + " pods; used " + used + " of "
                + capacity + ", " + usedGpuComputeMillis + "m of " + gpuComputeMillis + "m gpu compute";
    }
}
