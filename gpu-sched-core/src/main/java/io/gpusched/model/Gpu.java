package io.gpusched.model;

import io.gpusched.check.Checks;
import io.gpusched.internal.word.GpuWord;
import io.gpusched.model.partition.PartitionGeometry;
import java.util.Objects;

/**
 * One GPU of a node.
 *
 * @param index position in the node, counted from 0
 * @param uuid identifier that allow and deny lists and environment variables use, not blank
 * @param model what it is
 * @param computeMillis compute to give away in thousandths of the device, 1..65,535; 1,000 unless compute is
 *     deliberately oversubscribed
 * @param memoryMib memory to give away in MiB, 0..268,435,455; the model's memory unless part of it is held back or it
 *     is deliberately oversubscribed
 * @param slots how many tenants may share it, 1..262,143; a request may take several
 * @param numaNode NUMA node it hangs on, or -1 where unknown
 * @param healthy whether anything new may be placed on it
 * @param partitions how it can be cut into hardware partitions; {@link PartitionGeometry#NONE} if it cannot
 */
public record Gpu(
        int index,
        String uuid,
        GpuModel model,
        int computeMillis,
        long memoryMib,
        int slots,
        int numaNode,
        boolean healthy,
        PartitionGeometry partitions) {
    /** Compute of a whole device in thousandths. */
    public static final int WHOLE_COMPUTE_MILLIS = 1_000;

    /** Slots of a device that puts no bound of its own on the number of tenants. */
    public static final int DEFAULT_SLOTS = 1_000;

    static final int MAX_COMPUTE_MILLIS = (1 << 16) - 1;
    static final int MAX_SLOTS = (1 << 18) - 1;

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if a value is out of range
     */
    public Gpu {
        String what = "gpu " + index;
        Checks.inRange(what, "index", index, 0, Node.MAX_GPUS - 1);
        Checks.notBlank(what, "uuid", uuid);
        Checks.inRange(what, "computeMillis", computeMillis, 1, MAX_COMPUTE_MILLIS);
        Checks.inRange(what, "memoryMib", memoryMib, 0, GpuModel.MAX_MEMORY_MIB);
        Checks.inRange(what, "slots", slots, 1, MAX_SLOTS);
        Checks.inRange(what, "numaNode", numaNode, -1, 1_023);
        java.util.Objects.requireNonNull(model, "model");
        java.util.Objects.requireNonNull(partitions, "partitions");
    }

    /** Creates a GPU that cannot be cut into partitions, with the same checks. */
    public Gpu(
            int index,
            String uuid,
            GpuModel model,
            int computeMillis,
            long memoryMib,
            int slots,
            int numaNode,
            boolean healthy) {
        this(index, uuid, model, computeMillis, memoryMib, slots, numaNode, healthy, PartitionGeometry.NONE);
    }

    /** Returns a healthy GPU with 1,000 milli of compute, the model's memory, the default slots and no NUMA node. */
    public static Gpu of(int index, String uuid, GpuModel model) {
        Objects.requireNonNull(model, "model");
        return new Gpu(index, uuid, model, WHOLE_COMPUTE_MILLIS, model.memoryMib(), DEFAULT_SLOTS, -1, true);
    }

    /** Returns all of it as a {@link GpuWord}. */
    long word() {
        return GpuWord.of(computeMillis, memoryMib, slots);
    }

    /** Returns this GPU with this much compute to give away. */
    public Gpu withComputeMillis(int millis) {
        return new Gpu(index, uuid, model, millis, memoryMib, slots, numaNode, healthy, partitions);
    }

    /** Returns this GPU with this much memory to give away, in MiB. */
    public Gpu withMemoryMib(long mib) {
        return new Gpu(index, uuid, model, computeMillis, mib, slots, numaNode, healthy, partitions);
    }

    /** Returns this GPU with this number of slots. */
    public Gpu withSlots(int count) {
        return new Gpu(index, uuid, model, computeMillis, memoryMib, count, numaNode, healthy, partitions);
    }

    /** Returns this GPU on this NUMA node, or on none known for -1. */
    public Gpu withNumaNode(int node) {
        return new Gpu(index, uuid, model, computeMillis, memoryMib, slots, node, healthy, partitions);
    }

    /** Returns this GPU as healthy or not. */
    public Gpu withHealthy(boolean health) {
        return new Gpu(index, uuid, model, computeMillis, memoryMib, slots, numaNode, health, partitions);
    }

    /** Returns this GPU, to be cut into partitions as this geometry says. */
    public Gpu withPartitions(PartitionGeometry geometry) {
        Objects.requireNonNull(geometry, "geometry");
        return new Gpu(index, uuid, model, computeMillis, memoryMib, slots, numaNode, healthy, geometry);
    }

    /** Returns whether a tenant cannot tell this GPU from the other but by index and UUID; health is left out. */
    public boolean hasSameHardware(Gpu other) {
        Objects.requireNonNull(other, "other");
        return computeMillis == other.computeMillis
                && memoryMib == other.memoryMib
                && slots == other.slots
                && numaNode == other.numaNode
                && model.equals(other.model)
                && partitions.equals(other.partitions);
    }

    @Override
    public String toString() {
        return "gpu " + index + " " + uuid + ": " + model + (healthy ? "" : ", unhealthy");
    }
}
