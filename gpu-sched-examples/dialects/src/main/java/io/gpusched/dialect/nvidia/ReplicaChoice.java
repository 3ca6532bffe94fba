package io.gpusched.dialect.nvidia;

/** Which replicas of shared GPUs NVIDIA's device plugin prefers ({@code GetPreferredAllocation}). */
public enum ReplicaChoice {
    /** From the GPU with the fewest replicas in use. */
    DISTRIBUTED,
    /** From the GPU with the most replicas in use. */
    PACKED
}
