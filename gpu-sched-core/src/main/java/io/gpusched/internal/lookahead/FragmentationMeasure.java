package io.gpusched.internal.lookahead;

import io.gpusched.workload.WorkloadProfile.Shape;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.ToIntFunction;

/**
 * How much of a node's idle GPU the very next pod of a mix could not use, on average: the fragmentation measure of "Beware
 * of Fragmentation" (USENIX ATC 2023) over the whole mix. Pods that ask for no GPU, or not for this kind of node, can use
 * nothing.
 */
final class FragmentationMeasure {
    /*
     * A shape can use all that is free of a GPU or nothing, so the sum over the shapes is a sum over the GPUs: what
     * each has free, times the weight of the shapes that can use it. A GPU that is shared serves the shares that ask
     * for no more, an idle one all shares and the shapes that ask for no more whole GPUs than are idle. Both weights
     * are tables, by the rank of the free CPU among the amounts that are asked for.
     */

    /** Weights add up to 2<sup>16</sup>, but for rounding. */
    static final int WEIGHT_BITS = 16;

    private static final int MOST_GPUS = 64;

    private final int[] cpuSteps;

    /** By free milli of a shared GPU: how many of the levels that shares ask for are at most this. */
    private final short[] levelRank = new short[Shape.WHOLE];

    /** By CPU rank, then by level rank: the weight of the shapes that a shared GPU serves. */
    private final int[][] servedByPart;

    /** By CPU rank, then by the number of idle GPUs: the weight of the shapes that these serve. */
    private final int[][] servedByIdle;

    private final long totalWeight;

    /** What a shape asks as far as this measure looks at it. */
    private record Ask(int cpuMillis, int gpuMillis, int gpuCount) {
        /** Cannot use any GPU. */
        static final Ask NOTHING = new Ask(Integer.MAX_VALUE, 0, 0);

        static Ask of(Shape shape) {
            int cpu = (int) Math.min(Integer.MAX_VALUE - 1, shape.cpuMillis());
            return new Ask(cpu, shape.gpuMillis(), shape.gpuCount());
        }
    }

    FragmentationMeasure(PodMix mix, NodeKind kind) {
        Map<Ask, Integer> weights = weights(mix, kind);
        totalWeight = weights.values().stream().mapToLong(weight -> weight).sum();
        weights.remove(Ask.NOTHING);
        cpuSteps = distinct(weights.keySet(), Ask::cpuMillis);
        int[] levels = distinct(weights.keySet(), Ask::gpuMillis);
        for (int level = 0; level < Shape.WHOLE; level++) {
            levelRank[level] = (short) rank(levels, level);
        }
        servedByPart = new int[cpuSteps.length + 1][levels.length + 1];
        servedByIdle = new int[cpuSteps.length + 1][MOST_GPUS + 1];
        weights.forEach((ask, weight) -> {
            for (int cpu = rank(cpuSteps, ask.cpuMillis()); cpu <= cpuSteps.length; cpu++) {
                addFrom(servedByPart[cpu], rank(levels, ask.gpuMillis()), weight);
                addFrom(servedByIdle[cpu], ask.gpuMillis() == Shape.WHOLE ? ask.gpuCount() : 1, weight);
            }
        });
    }

    private static Map<Ask, Integer> weights(PodMix mix, NodeKind kind) {
        Map<Ask, Long> counts = new LinkedHashMap<>();
        for (Shape shape : mix.shapes()) {
            boolean usable = shape.gpuCount() > 0 && kind.accepts(shape);
            counts.merge(usable ? Ask.of(shape) : Ask.NOTHING, shape.weight(), Long::sum);
        }
        Map<Ask, Integer> weights = new LinkedHashMap<>();
        counts.forEach(
                (ask, pods) -> weights.put(ask, (int) Math.round((double) pods * (1 << WEIGHT_BITS) / mix.pods())));
        return weights;
    }

    private static int[] distinct(Set<Ask> asks, ToIntFunction<Ask> amount) {
        return asks.stream().mapToInt(amount).distinct().sorted().toArray();
    }

    private static void addFrom(int[] cumulative, int from, int weight) {
        for (int i = from; i < cumulative.length; i++) {
            cumulative[i] += weight;
        }
    }

    /** Returns how many of these amounts are at most as large. */
    private static int rank(int[] ascending, int amount) {
        int at = Arrays.binarySearch(ascending, amount);
        return at >= 0 ? at + 1 : -at - 1;
    }

    /** Returns the mean GPU milli that cannot be used, times 2<sup>16</sup>. O(log shapes + shared GPUs). */
    long unusable(FreeAmounts free) {
        int cpu = rank(cpuSteps, free.cpuMillis());
        long usable = (long) free.whole() * Shape.WHOLE * servedByIdle[cpu][free.whole()];
        for (int p = 0; p < free.parts(); p++) {
            usable += (long) free.part(p) * servedByPart[cpu][levelRank[free.part(p)]];
        }
        return totalWeight * free.gpuMillis() - usable;
    }
}
