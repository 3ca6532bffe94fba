package io.gpusched.model;

import io.gpusched.check.Checks;
import io.gpusched.internal.word.GpuWord;
import java.util.ArrayList;
import java.util.List;

/**
 * A part of one GPU.
 *
 * @param gpu index of the GPU in its node
 * @param computeMillis compute in thousandths of the device, 0..65,535
 * @param memoryMib device memory in MiB, 0..268,435,455
 * @param slots how many of the device's slots it takes, 1..262,143
 */
public record GpuShare(int gpu, int computeMillis, long memoryMib, int slots) {
    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if a value is out of range
     */
    public GpuShare {
        Checks.inRange("gpu share", "gpu", gpu, 0, Node.MAX_GPUS - 1);
        Checks.inRange("gpu share", "computeMillis", computeMillis, 0, Gpu.MAX_COMPUTE_MILLIS);
        Checks.inRange("gpu share", "memoryMib", memoryMib, 0, GpuModel.MAX_MEMORY_MIB);
        Checks.inRange("gpu share", "slots", slots, 1, Gpu.MAX_SLOTS);
    }

    /** What it takes, as a {@link GpuWord}. */
    long word() {
        return GpuWord.of(computeMillis, memoryMib, slots);
    }

    /** Whether it and what else is held of a GPU in shares, as a {@link GpuWord}, are no more than the GPU has. */
    static boolean sumFits(long one, long other, Gpu gpu) {
        return GpuWord.compute(one) + GpuWord.compute(other) <= gpu.computeMillis()
                && GpuWord.memory(one) + GpuWord.memory(other) <= gpu.memoryMib()
                && GpuWord.slots(one) + GpuWord.slots(other) <= gpu.slots();
    }

    @Override
    public String toString() {
        return "GPU " + gpu + " (" + String.join(", ", parts()) + ")";
    }

    /** What is not held is left out; slots are named where there is more than one, or nothing else. */
    private List<String> parts() {
        List<String> parts = new ArrayList<>();
        if (computeMillis > 0) {
            parts.add(computeMillis / 10 + (computeMillis % 10 == 0 ? "" : "." + computeMillis % 10) + " %");
        }
        if (memoryMib > 0) {
            parts.add(memoryMib % 1_024 == 0 ? memoryMib / 1_024 + " GiB" : memoryMib + " MiB");
        }
        if (slots > 1 || parts.isEmpty()) {
            parts.add(slots + (slots == 1 ? " slot" : " slots"));
        }
        return parts;
    }
}
