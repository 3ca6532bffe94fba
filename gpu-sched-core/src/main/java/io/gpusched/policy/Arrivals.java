package io.gpusched.policy;

import io.gpusched.workload.WorkloadProfile.Shape;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * A few fixed sequences of pods that may come to nodes of one kind, drawn from a mix once; the same for all states of such
 * nodes, so that differences between states are much less noisy than the values themselves.
 *
 * <p>The sequences are a Latin hypercube: of the draws at each step, one is from each of {@link #SEQUENCES} equal slices of
 * the mix. The draws are seeded and the same on every machine; floating point is used here only.
 */
final class Arrivals {
    static final int SEQUENCES = 16;
    static final int STEPS = 64;

    /** Fields of one step: CPU in milli, steps of memory, milli of each GPU, number of GPUs. */
    static final int FIELDS = 4;

    private static final int LEVEL_SHIFT = 3;
    private static final int CPU_SHIFT = 8;
    private static final int CPU_SLOTS = 256;
    private static final long SEED = 12_345;

    /** Per sequence the steps one after another, {@link #FIELDS} numbers each. */
    private final int[][] draws = new int[SEQUENCES][FIELDS * STEPS];

    /** Per sequence: one past the last step that asks for GPUs and may fit on a GPU of this level, or with this free CPU. */
    private final byte[][] endByLevel = new byte[SEQUENCES][(Shape.WHOLE >> LEVEL_SHIFT) + 1];

    private final byte[][] endByCpu = new byte[SEQUENCES][CPU_SLOTS];
    private int leastCpuMillis = Integer.MAX_VALUE;
    private int leastGpuMillis = Shape.WHOLE;

    Arrivals(PodMix mix, NodeKind kind) {
        List<Shape> accepted = mix.shapes().stream().filter(kind::accepts).toList();
        for (Shape shape : accepted) {
            if (shape.gpuCount() > 0) {
                leastCpuMillis = Math.min(leastCpuMillis, cpuOf(shape));
                leastGpuMillis = Math.min(leastGpuMillis, shape.gpuMillis());
            }
        }
        if (!accepted.isEmpty()) {
            draw(mix, accepted);
        }
    }

    private void draw(PodMix mix, List<Shape> accepted) {
        double weight = accepted.stream().mapToLong(Shape::weight).sum();
        Random random = new Random(SEED);
        List<Integer> slices = new ArrayList<>();
        for (int slice = 0; slice < SEQUENCES; slice++) {
            slices.add(slice);
        }
        for (int step = 0; step < STEPS; step++) {
            Collections.shuffle(slices, random);
            for (int sequence = 0; sequence < SEQUENCES; sequence++) {
                double at = (slices.get(sequence) + random.nextDouble()) / SEQUENCES * weight;
                set(mix, sequence, step, shapeAt(accepted, at));
            }
        }
    }

    private static Shape shapeAt(List<Shape> shapes, double weight) {
        double left = weight;
        for (Shape shape : shapes) {
            left -= shape.weight();
            if (left < 0) {
                return shape;
            }
        }
        return shapes.get(shapes.size() - 1);
    }

    private void set(PodMix mix, int sequence, int step, Shape shape) {
        int[] draw = draws[sequence];
        int at = FIELDS * step;
        draw[at] = cpuOf(shape);
        draw[at + 1] = mix.stepsTaken(shape.memoryMib());
        draw[at + 2] = shape.gpuMillis();
        draw[at + 3] = shape.gpuCount();
        if (shape.gpuCount() > 0) {
            raise(endByLevel[sequence], shape.gpuMillis() >> LEVEL_SHIFT, step + 1);
            raise(endByCpu[sequence], Math.min(CPU_SLOTS - 1, cpuOf(shape) >> CPU_SHIFT), step + 1);
        }
    }

    private static void raise(byte[] ends, int from, int end) {
        for (int i = from; i < ends.length; i++) {
            ends[i] = (byte) end;
        }
    }

    private static int cpuOf(Shape shape) {
        return (int) Math.min(Integer.MAX_VALUE, shape.cpuMillis());
    }

    /** The steps of a sequence. */
    int[] sequence(int index) {
        return draws[index];
    }

    /** Whether no pod that asks for GPUs could come to a node with so much free. */
    boolean nobodyFits(FreeAmounts free) {
        return free.cpuMillis() < leastCpuMillis || free.gpuMillis() < leastGpuMillis;
    }

    /** One past the last step of a sequence that asks for GPUs and may fit where so much CPU is free. */
    int endByCpu(int sequence, int cpuMillis) {
        return endByCpu[sequence][Math.min(CPU_SLOTS - 1, cpuMillis >> CPU_SHIFT)];
    }

    /** One past the last step of a sequence that asks for GPUs and may fit where this is the largest level of a GPU. */
    int endByLevel(int sequence, int gpuMillis) {
        return endByLevel[sequence][gpuMillis >> LEVEL_SHIFT];
    }
}
