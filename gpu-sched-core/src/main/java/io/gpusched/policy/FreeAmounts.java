package io.gpusched.policy;

import io.gpusched.model.Gpu;
import io.gpusched.model.NodeState;
import io.gpusched.workload.WorkloadProfile.Shape;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is free on a node, the GPUs as a multiset. A GPU to which more or less than 1,000 milli of compute belong is scaled
 * to 1,000; one that is shared but has all its compute left counts as 999. Memory of GPUs is not looked at. Immutable.
 */
final class FreeAmounts {
    /** No node has more CPU than 2^29 milli as far as values go. */
    private static final long MOST_CPU_MILLIS = 1 << 29;

    private static final int[] NO_PARTS = {};

    private final int cpuMillis;
    private final int memorySteps;
    private final int whole;

    /** Free milli of the GPUs that are neither idle nor full, ascending. */
    private final int[] parts;

    private final int gpuMillis;
    private final int hash;

    private FreeAmounts(int cpuMillis, int memorySteps, int whole, int[] parts) {
        this.cpuMillis = cpuMillis;
        this.memorySteps = memorySteps;
        this.whole = whole;
        this.parts = parts;
        int sum = whole * Shape.WHOLE;
        long mixed = (cpuMillis * 31L + memorySteps) * 31 + whole;
        for (int part : parts) {
            sum += part;
            mixed = mixed * 0x9E3779B97F4A7C15L + part;
        }
        mixed *= 0x9E3779B97F4A7C15L;
        this.gpuMillis = sum;
        this.hash = (int) (mixed >>> 32);
    }

    static FreeAmounts of(NodeState node, int memorySteps) {
        int cpu = (int) Math.min(MOST_CPU_MILLIS, node.freeCpuMillis());
        int whole = node.idleGpus();
        int[] parts = whole == node.gpuCount() ? NO_PARTS : parts(node);
        return new FreeAmounts(cpu, memorySteps, whole, parts);
    }

    private static int[] parts(NodeState node) {
        List<Gpu> devices = node.nodeClass().gpus();
        int[] parts = new int[node.gpuCount()];
        int count = 0;
        for (int gpu = 0; gpu < parts.length; gpu++) {
            if (!node.isShared(gpu)) {
                continue;
            }
            int level = level(node.freeComputeMillis(gpu), devices.get(gpu).computeMillis());
            if (level > 0) {
                int at = count++;
                for (; at > 0 && parts[at - 1] > level; at--) {
                    parts[at] = parts[at - 1];
                }
                parts[at] = level;
            }
        }
        return count == 0 ? NO_PARTS : count == parts.length ? parts : Arrays.copyOf(parts, count);
    }

    private static int level(int freeMillis, int capacityMillis) {
        int level =
                capacityMillis == Shape.WHOLE ? freeMillis : (int) ((long) freeMillis * Shape.WHOLE / capacityMillis);
        return Math.min(level, Shape.WHOLE - 1);
    }

    int cpuMillis() {
        return cpuMillis;
    }

    int memorySteps() {
        return memorySteps;
    }

    /** The number of idle GPUs. */
    int whole() {
        return whole;
    }

    /** The number of GPUs that are partly free. */
    int parts() {
        return parts.length;
    }

    /** Free milli of a partly free GPU, ascending from 0. */
    int part(int index) {
        return parts[index];
    }

    void copyParts(int[] into) {
        System.arraycopy(parts, 0, into, 0, parts.length);
    }

    /** Free milli of all GPUs together. */
    int gpuMillis() {
        return gpuMillis;
    }

    /** Free milli of the GPU that has most. */
    int largest() {
        return whole > 0 ? Shape.WHOLE : parts.length == 0 ? 0 : parts[parts.length - 1];
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof FreeAmounts free
                && hash == free.hash
                && cpuMillis == free.cpuMillis
                && memorySteps == free.memorySteps
                && whole == free.whole
                && Arrays.equals(parts, free.parts);
    }

    @Override
    public String toString() {
        return cpuMillis + "m cpu, " + memorySteps + " steps of memory, " + whole + " idle gpus and "
                + Arrays.toString(parts);
    }
}
