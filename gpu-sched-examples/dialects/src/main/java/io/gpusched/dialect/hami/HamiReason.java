package io.gpusched.dialect.hami;

/** Why HAMi does not take a GPU, or a node. */
public enum HamiReason {
    /** The GPU is not healthy. */
    NOT_HEALTHY("CardNotHealth"),
    /** The node's annotation {@code hami.io/device-cordon} names the GPU. */
    CORDONED("CardCordoned"),
    /** Vendor, model or sharing mode is not what the pod asks for. */
    TYPE_MISMATCH("CardTypeMismatch"),
    /** GPUs were found, but on another NUMA node than the rest. */
    NUMA_NOT_FIT("NumaNotFit"),
    /** The pod's UUID lists exclude the GPU. */
    UUID_MISMATCH("CardUuidMismatch"),
    /** The GPU has as many users as it may have. */
    TIME_SLICING_EXHAUSTED("CardTimeSlicingExhausted"),
    /** The GPU must be idle and is not. */
    EXCLUSIVE_CONFLICT("ExclusiveDeviceAllocateConflict"),
    /** The namespace's quota would be exceeded. */
    QUOTA_NOT_FIT("ResourceQuotaNotFit"),
    /** Too little memory is free. */
    INSUFFICIENT_MEMORY("CardInsufficientMemory"),
    /** Too little compute is free. */
    INSUFFICIENT_CORE("CardInsufficientCore"),
    /** All compute is given away, so that a container that asks for none would starve. */
    COMPUTE_EXHAUSTED("CardComputeUnitsExhausted"),
    /** The GPU is in MIG mode and has no place for a profile with enough memory. */
    MIG_INFEASIBLE("CardMigTopologyInfeasible"),
    /** Some GPUs would do, but fewer than asked for. */
    TOO_FEW_FIT("AllocatedCardsInsufficientRequest"),
    /** The node has fewer GPUs of the vendor than asked for. */
    NODE_INSUFFICIENT("NodeInsufficientDevice"),
    /** The installation manages no GPUs of that vendor. */
    UNKNOWN_TYPE("Device type not found");

    private final String word;

    HamiReason(String word) {
        this.word = word;
    }

    /** Returns HAMi's own word for it. */
    public String word() {
        return word;
    }
}
