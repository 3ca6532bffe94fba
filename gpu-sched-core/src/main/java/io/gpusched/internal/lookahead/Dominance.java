package io.gpusched.internal.lookahead;

import io.gpusched.workload.WorkloadProfile.Shape;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Whether it is better for all typical pods to take a share from one GPU of a node than from another.
 *
 * <p>It is if for each shape at least as many pods of this shape alone fit onto what is left of the node, and for some
 * shape more. Only shapes that may use the GPUs of this kind of node are looked at. Immutable.
 */
final class Dominance {
    private final List<Size> sizes = new ArrayList<>();

    /** Shapes that ask for the same of GPUs. */
    private static final class Size {
        private final int gpuCount;

        /** By free milli of a GPU how many shares fit; for whole GPUs only an idle one counts. */
        private final short[] fitting = new short[Shape.WHOLE + 1];

        /** CPU and memory of the shapes, but for those that ask for no less of both than another. */
        private final List<long[]> demands = new ArrayList<>();

        Size(int gpuMillis, int gpuCount) {
            this.gpuCount = gpuCount;
            for (int level = 0; level <= Shape.WHOLE; level++) {
                fitting[level] = (short) (level / gpuMillis);
            }
        }

        void add(Shape shape) {
            long cpu = shape.cpuMillis();
            long memory = shape.memoryMib();
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

        /** Whether CPU and memory suffice for so many pods of one of the shapes. */
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
        for (Shape shape : mix.shapes()) {
            if (shape.gpuCount() > 0 && kind.accepts(shape)) {
                found.computeIfAbsent(
                                List.of(shape.gpuMillis(), shape.gpuCount()),
                                key -> new Size(shape.gpuMillis(), shape.gpuCount()))
                        .add(shape);
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
        int sum = free.whole() * size.fitting[Shape.WHOLE];
        for (int p = 0; p < free.parts(); p++) {
            sum += size.fitting[free.part(p)];
        }
        return sum;
    }
}
