package io.gpusched.internal.lookahead;

import io.gpusched.model.NodeState;
import io.gpusched.workload.WorkloadProfile.Demand;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What is free on a node, the GPUs as a multiset. A GPU to which more or less than 1,000 milli of compute belong is scaled
 * to 1,000; one that is shared but has all its compute left counts as 999. Memory of GPUs is not looked at. Immutable.
 */
final class FreeAmounts {
    /** No node has more CPU than 2^29 milli, or more memory than 2^27 steps, as far as values go. */
    private static final long MOST_CPU_MILLIS = 1 << 29;

    private static final int MOST_MEMORY_STEPS = 1 << 27;

    private static final int[] NO_PARTS = {};

    private final int cpuMillis;
    private final int memorySteps;
    private final int whole;
    private final int gpuMillis;

    /** Free milli of the GPUs that are neither idle nor full, ascending, and how many these are. */
    private final int[] parts;

    private final int count;

    private FreeAmounts(int cpuMillis, int memorySteps, int whole, int[] parts, int count) {
        this.cpuMillis = cpuMillis;
        this.memorySteps = memorySteps;
        this.whole = whole;
        this.parts = parts;
        this.count = count;
        int sum = whole * Demand.WHOLE;
        for (int i = 0; i < count; i++) {
            sum += parts[i];
        }
        this.gpuMillis = sum;
    }

    static FreeAmounts of(NodeState node, int memorySteps) {
        int cpu = (int) Math.min(MOST_CPU_MILLIS, node.freeCpuMillis());
        int memory = Math.min(MOST_MEMORY_STEPS - 1, memorySteps);
        int whole = node.idleGpus();
        int[] parts = whole == node.gpuCount() ? NO_PARTS : new int[node.gpuCount() - whole];
        return new FreeAmounts(cpu, memory, whole, parts, parts(node, parts));
    }

    /** Returns what would be left if a share were moved. */
    FreeAmounts with(ShareMove move) {
        int[] other = Arrays.copyOf(parts, count + 2);
        int others = replace(other, count, move.hereLeft(), move.here());
        others = replace(other, others, move.there(), move.thereLeft());
        int idle = whole + (move.here() == Demand.WHOLE ? 1 : 0) - (move.there() == Demand.WHOLE ? 1 : 0);
        return new FreeAmounts(cpuMillis, memorySteps, idle, other, others);
    }

    /** Puts one part for another into an ascending list, where 0 and 1,000 are none, and returns how many there are. */
    private static int replace(int[] ascending, int size, int gone, int come) {
        int count = size;
        if (isPart(gone)) {
            int at = Arrays.binarySearch(ascending, 0, count, gone);
            System.arraycopy(ascending, at + 1, ascending, at, --count - at);
        }
        return isPart(come) ? insert(ascending, count, come) : count;
    }

    private static boolean isPart(int level) {
        return level > 0 && level < Demand.WHOLE;
    }

    private static int insert(int[] ascending, int size, int part) {
        int at = size;
        for (; at > 0 && ascending[at - 1] > part; at--) {
            ascending[at] = ascending[at - 1];
        }
        ascending[at] = part;
        return size + 1;
    }

    /** Returns how many GPUs are partly free. */
    private static int parts(NodeState node, int[] ascending) {
        int count = 0;
        for (int gpu = 0; gpu < node.gpuCount() && ascending.length > 0; gpu++) {
            int level = node.isShared(gpu) ? level(node, gpu) : 0;
            count = level > 0 ? insert(ascending, count, level) : count;
        }
        return count;
    }

    /** Returns what a GPU has free, of 1,000; an idle one all, one that is shared at most 999. */
    static int level(NodeState node, int gpu) {
        if (node.isIdle(gpu)) {
            return Demand.WHOLE;
        }
        int capacity = node.nodeClass().gpus().get(gpu).computeMillis();
        int free = node.freeComputeMillis(gpu);
        int level = capacity == Demand.WHOLE ? free : (int) ((long) free * Demand.WHOLE / capacity);
        return Math.min(level, Demand.WHOLE - 1);
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
        return count;
    }

    /** Free milli of a partly free GPU, ascending from 0. */
    int part(int index) {
        return parts[index];
    }

    void copyParts(int[] into) {
        System.arraycopy(parts, 0, into, 0, count);
    }

    /** Free milli of all GPUs together. */
    int gpuMillis() {
        return gpuMillis;
    }

    /** Free milli of the GPU that has most. */
    int largest() {
        return whole > 0 ? Demand.WHOLE : count == 0 ? 0 : parts[count - 1];
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof FreeAmounts free
                && cpuMillis == free.cpuMillis
                && memorySteps == free.memorySteps
                && whole == free.whole
                && Arrays.equals(parts, 0, count, free.parts, 0, free.count);
    }

    /** Its upper bits are the better ones. */
    @Override
    public int hashCode() {
        long hash = ((long) cpuMillis << 27 | memorySteps) << 7 | whole;
        for (int i = 0; i < count; i++) {
            hash = (hash ^ hash >>> 32 ^ parts[i]) * 0x9E3779B97F4A7C15L;
        }
        return (int) (hash * 0xC2B2AE3D27D4EB4FL >>> 32);
    }

    @Override
    public String toString() {
        return cpuMillis + "m cpu, " + memorySteps + " steps of memory, " + whole + " idle gpus and "
                + Arrays.toString(Arrays.copyOf(parts, count));
    }
}
