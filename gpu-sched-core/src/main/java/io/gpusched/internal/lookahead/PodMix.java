package io.gpusched.internal.lookahead;

import io.gpusched.model.NodeClass;
import io.gpusched.workload.WorkloadProfile;
import io.gpusched.workload.WorkloadProfile.Shape;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;

/** A workload profile as a look-ahead needs it: in a fixed order, with what is worked out of it once. */
final class PodMix {
    /** Memory is counted in steps of this fraction of a mean pod's memory; finer steps gain nothing. */
    private static final int MEMORY_STEPS_PER_POD = 8;

    private static final Comparator<Shape> MOST_FREQUENT_FIRST = Comparator.comparingLong(Shape::weight)
            .reversed()
            .thenComparingLong(Shape::cpuMillis)
            .thenComparingLong(Shape::memoryMib)
            .thenComparingInt(Shape::gpuMillis)
            .thenComparingInt(Shape::gpuCount)
            .thenComparing(shape -> String.join("|", shape.models()));

    private final List<Shape> shapes;
    private final long pods;
    private final long gpuMillis;
    private final long memoryStepMib;

    PodMix(WorkloadProfile profile) {
        shapes = profile.shapes().stream()
                .map(PodMix::withoutWideShares)
                .sorted(MOST_FREQUENT_FIRST)
                .toList();
        pods = profile.totalWeight();
        gpuMillis = shapes.stream()
                .mapToLong(shape -> shape.weight() * shape.totalGpuMillis())
                .sum();
        double memory = shapes.stream()
                .mapToDouble(shape -> (double) shape.weight() * shape.memoryMib())
                .sum();
        memoryStepMib = Math.max(1, (long) (memory / pods) / MEMORY_STEPS_PER_POD);
    }

    /** Shares of several GPUs at once are rare; they count as that many whole GPUs. */
    private static Shape withoutWideShares(Shape shape) {
        boolean wide = shape.gpuCount() > 1 && !shape.isWhole();
        return wide
                ? new Shape(
                        shape.cpuMillis(),
                        shape.memoryMib(),
                        Shape.WHOLE,
                        shape.gpuCount(),
                        shape.models(),
                        shape.weight())
                : shape;
    }

    /** The shapes, most frequent first. */
    List<Shape> shapes() {
        return shapes;
    }

    /** The sum of the weights. */
    long pods() {
        return pods;
    }

    /** What pods ask of GPUs, in milli, summed with the weights. */
    long gpuMillis() {
        return gpuMillis;
    }

    /** Returns which shapes, by index, may use nodes of this kind, sizes aside. */
    BitSet accepted(NodeKind kind) {
        BitSet accepted = new BitSet();
        for (int i = 0; i < shapes.size(); i++) {
            accepted.set(i, kind.accepts(shapes.get(i)));
        }
        return accepted;
    }

    /** Returns which shapes, by index, fit onto an empty node of a class as far as CPU and the number of GPUs go. */
    BitSet fitting(NodeClass nodeClass, NodeKind kind) {
        BitSet fitting = accepted(kind);
        for (int i = 0; i < shapes.size(); i++) {
            Shape shape = shapes.get(i);
            if (shape.gpuCount() > nodeClass.gpus().size()
                    || shape.cpuMillis() > nodeClass.capacity().cpuMillis()) {
                fitting.clear(i);
            }
        }
        return fitting;
    }

    /** Returns how many steps of memory are free, the last one in full. */
    int stepsFree(long memoryMib) {
        return (int) Math.min(Integer.MAX_VALUE, memoryMib / memoryStepMib);
    }

    /** Returns how many steps an amount of memory takes, to the nearest. */
    int stepsTaken(long memoryMib) {
        return (int) Math.min(Integer.MAX_VALUE, (memoryMib + memoryStepMib / 2) / memoryStepMib);
    }
}
