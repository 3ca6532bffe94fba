package io.gpusched.dialect.vgpu;

import io.gpusched.model.Gpu;
import io.gpusched.model.GpuModel;
import java.util.Objects;

/**
 * A GPU as HAMi and Volcano see it: how much of it there is, and how much of that is given away. Unlike core's own
 * snapshots it may be over-booked, since it repeats what another system reports.
 *
 * @param id UUID; empty where the system reports none
 * @param index position in the node, from 0
 * @param numa NUMA node
 * @param type vendor and model in one text, such as {@code NVIDIA A100-SXM4-80GB}
 * @param mode how it is shared, such as {@code hami-core}; empty where nothing is said
 * @param healthy whether anything new may be placed on it
 * @param slots its users and how many it may have
 * @param memoryMib its memory in MiB
 * @param cores its compute in percent of one GPU; the total is more than 100 where it is oversubscribed
 */
public record VgpuDevice(
        String id,
        int index,
        int numa,
        String type,
        String mode,
        boolean healthy,
        Amount slots,
        Amount memoryMib,
        Amount cores) {
    /** Checks that nothing is null. */
    public VgpuDevice {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(mode, "mode");
        Objects.requireNonNull(slots, "slots");
        Objects.requireNonNull(memoryMib, "memoryMib");
        Objects.requireNonNull(cores, "cores");
    }

    private static final int MILLIS_PER_CORE = 10;

    /**
     * How much is in use of how much.
     *
     * @param used what is given away, not negative; may exceed the total
     * @param total what there is, not negative
     */
    public record Amount(long used, long total) {
        /**
         * Checks the values.
         *
         * @throws IllegalArgumentException if one is negative
         */
        public Amount {
            if (used < 0 || total < 0) {
                throw new IllegalArgumentException("amount: must not be negative, got " + used + " of " + total);
            }
        }

        /** Returns what is left, 0 where it is over-booked. */
        public long free() {
            return Math.max(0, total - used);
        }

        /** Returns the part that is in use, more than 1 where it is over-booked; 0 where there is nothing. */
        public double partUsed() {
            return total == 0 ? 0 : (double) used / total;
        }

        /** Returns this amount with more of it in use. */
        public Amount plus(long more) {
            return new Amount(used + more, total);
        }
    }

    /** Returns this GPU with one more user that holds a share of it. */
    public VgpuDevice plus(VgpuShare share) {
        Objects.requireNonNull(share, "share");
        return new VgpuDevice(
                id,
                index,
                numa,
                type,
                mode,
                healthy,
                slots.plus(1),
                memoryMib.plus(share.memoryMib()),
                cores.plus(share.cores()));
    }

    /** Returns this GPU with other compute. */
    public VgpuDevice withCores(Amount value) {
        Objects.requireNonNull(value, "value");
        return new VgpuDevice(id, index, numa, type, mode, healthy, slots, memoryMib, value);
    }

    /** Returns this GPU, healthy or not. */
    public VgpuDevice withHealthy(boolean value) {
        return new VgpuDevice(id, index, numa, type, mode, value, slots, memoryMib, cores);
    }

    /**
     * Returns the GPU in the library's terms, with nothing in use: 1 percent of compute is 10 milli. One that has no slots
     * or no compute to give takes nothing.
     *
     * @param position its index in the node
     */
    public Gpu toGpu(int position) {
        int millis = (int) cores.total() * MILLIS_PER_CORE;
        GpuModel model = GpuModel.of(VgpuRequest.NVIDIA, type.isBlank() ? "gpu" : type, memoryMib.total());
        return Gpu.of(position, id.isBlank() ? "gpu-" + position : id, model)
                .withSlots((int) Math.max(1, slots.total()))
                .withComputeMillis(Math.max(1, millis))
                .withNumaNode(numa)
                .withHealthy(healthy && slots.total() > 0 && millis > 0);
    }

    /** Returns whether it has a user. */
    public boolean isUsed() {
        return slots.used() > 0;
    }
}
