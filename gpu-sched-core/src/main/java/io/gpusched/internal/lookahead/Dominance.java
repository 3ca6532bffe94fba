package io.gpusched.internal.lookahead;

import io.gpusched.workload.WorkloadProfile.Demand;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Whether it is better for all typical pods to take a share from one GPU of a node than from another.
 *
 * <p>It is if for each demand at least as many pods of this demand alone fit onto what is left of the node, and for some
 * demand more. Only demands that may use the GPUs of this kind of node are looked at. Immutable.
 */
final class Dominance {
    private final List<Size> sizes = new ArrayList<>();

    /** Demands that ask for the same of GPUs. */
    private static final class Size {
        private final int gpuCount;

        /** By free milli of a GPU how many shares fit; for whole GPUs only an idle one counts. */
        private final short[] fitting = new short[Demand.WHOLE + 1];

        /** CPU and memory of the demands, but for demands that ask for no less of both than another. */
        private final List<long[]> demands = new ArrayList<>();

        Size(int gpuMillis, int gpuCount) {
            this.gpuCount = gpuCount;
            for (int level = 0; level <= Demand.WHOLE; level++) {
                fitting[level] = (short) (level / gpuMillis);
            }
        }

        void add(Demand demand) {
            long cpu = demand.cpuMillis();
            long memory = demand.memoryMib();
            if (demands.stream().noneMatch(other -> other[0] <= cpu && other[1] <= memory)) {
                demands.removeIf(other -> cpu <= other[0] && memory <= other[1]);
                demands.add(new long[] {cpu, memory});
            }
        }

        /** How many parts of this size more fit onto the two GPUs. */
        int gain(ShareMove move) {
            return fitting[move.here()] + fitting[move.thereLeft()] - fitting[move.hereLeft()] - fitting[move.there()];
        }

        /** How many pods fit onto GPUs on which so many parts of this size fit. */
        int pods(int parts) {
            return parts / gpuCount;
        }

        /** Whether CPU and memory suffice for so many pods of one of the demands. */
        boolean hasRoom(int pods, long cpuMillis, long memoryMib) {
            for (int i = 0; i < demands.size(); i++) {
                long[] demand = demands.get(i);
                if (demand[0] * pods <= cpuMillis && demand[1] * pods <= memoryMib) {
                    return true;
                }
            }
            return false;
        }
    }

    Dominance(PodMix mix, NodeKind kind) {
        Map<List<Integer>, Size> found = new LinkedHashMap<>();
        for (Demand demand : mix.demands()) {
            if (demand.gpuCount() > 0 && kind.accepts(demand)) {
                found.computeIfAbsent(
                                List.of(demand.gpuMillis(), demand.gpuCount()),
                                key -> new Size(demand.gpuMillis(), demand.gpuCount()))
                        .add(demand);
            }
        }
        sizes.addAll(found.values());
    }

    /**
     * Returns whether it would be better for all if a share were moved. Hot; O(sizes &times; shared GPUs), mostly less.
     *
     * @param left what is left on the node with the share where it is
     * @param cpuMillis the CPU left
     * @param memoryMib the memory left
     */
    boolean isBetter(ShareMove move, FreeAmounts left, long cpuMillis, long memoryMib) {
        boolean better = false;
        for (int i = 0; i < sizes.size(); i++) {
            Size size = sizes.get(i);
            int gain = size.gain(move);
            if (gain == 0) {
                continue;
            }
            int parts = parts(left, size);
            int now = size.pods(parts);
            int then = size.pods(parts + gain);
            if (now != then && size.hasRoom(Math.min(now, then) + 1, cpuMillis, memoryMib)) {
                if (then < now) {
                    return false;
                }
                better = true;
            }
        }
        return better;
    }

    private static int parts(FreeAmounts free, Size size) {
        int sum = free.whole() * size.fitting[Demand.WHOLE];
        for (int p = 0; p < free.parts(); p++) {
            sum += size.fitting[free.part(p)];
        }
        return sum;
    }
}
