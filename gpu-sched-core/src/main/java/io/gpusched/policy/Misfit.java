package io.gpusched.policy;

import io.gpusched.workload.WorkloadProfile.Shape;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How much of a node's idle GPU the very next pod of a mix could not use, on average: the fragmentation measure of "Beware
 * of Fragmentation" (USENIX ATC 2023) over the whole mix. Pods that ask for no GPU, or not for this kind of node, can use
 * nothing.
 */
final class Misfit {
    /** Weights add up to 2<sup>16</sup>, but for rounding. */
    static final int WEIGHT_BITS = 16;

    private final int[] cpuMillis;
    private final int[] gpuMillis;
    private final int[] gpuCount;
    private final long[] weight;

    /** What a shape asks as far as this measure looks at it. */
    private record Ask(int cpuMillis, int gpuMillis, int gpuCount) {
        /** Cannot use any GPU. */
        static final Ask NOTHING = new Ask(Integer.MAX_VALUE, 0, 0);

        static Ask of(Shape shape) {
            int cpu = (int) Math.min(Integer.MAX_VALUE - 1, shape.cpuMillis());
            return new Ask(cpu, shape.gpuMillis(), shape.gpuCount());
        }
    }

    Misfit(PodMix mix, NodeKind kind) {
        Map<Ask, Long> merged = new LinkedHashMap<>();
        for (Shape shape : mix.shapes()) {
            boolean usable = shape.gpuCount() > 0 && kind.accepts(shape);
            merged.merge(usable ? Ask.of(shape) : Ask.NOTHING, shape.weight(), Long::sum);
        }
        cpuMillis = merged.keySet().stream().mapToInt(Ask::cpuMillis).toArray();
        gpuMillis = merged.keySet().stream().mapToInt(Ask::gpuMillis).toArray();
        gpuCount = merged.keySet().stream().mapToInt(Ask::gpuCount).toArray();
        weight = merged.values().stream()
                .mapToLong(count -> Math.round((double) count * (1 << WEIGHT_BITS) / mix.pods()))
                .toArray();
    }

    /** Returns the mean GPU milli that cannot be used, times 2<sup>16</sup>. O(shapes &times; shared GPUs). */
    long unusable(FreeAmounts free) {
        long sum = 0;
        for (int shape = 0; shape < weight.length; shape++) {
            sum += weight[shape] * unusable(free, shape);
        }
        return sum;
    }

    private int unusable(FreeAmounts free, int shape) {
        if (cpuMillis[shape] > free.cpuMillis()) {
            return free.gpuMillis();
        }
        int fitting = free.whole();
        int tooSmall = 0;
        for (int p = 0; p < free.parts(); p++) {
            int part = free.part(p);
            fitting += part >= gpuMillis[shape] ? 1 : 0;
            tooSmall += part >= gpuMillis[shape] ? 0 : part;
        }
        return fitting >= gpuCount[shape] ? tooSmall : free.gpuMillis();
    }
}
