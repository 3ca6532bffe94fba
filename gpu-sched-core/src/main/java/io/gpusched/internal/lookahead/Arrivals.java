package io.gpusched.internal.lookahead;

import io.gpusched.workload.WorkloadProfile.Demand;
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

    /** As many as a word has bits, so that a set of steps is a word. */
    static final int STEPS = Long.SIZE;

    /** Fields of one step: CPU in milli, steps of memory, milli of each GPU, number of GPUs. */
    static final int FIELDS = 4;

    private static final int CPU_SHIFT = 8;
    private static final int CPU_SLOTS = 256;
    private static final int MEMORY_SLOTS = 256;
    private static final int LEVEL_SHIFT = 3;

    /** Where the sets by number of idle GPUs begin, behind those by the largest level. */
    private static final int IDLE = (Demand.WHOLE >> LEVEL_SHIFT) + 1;

    private static final int MOST_IDLE = 16;
    private static final long SEED = 12_345;

    /** Per sequence the steps one after another, {@link #FIELDS} numbers each. */
    private final int[][] draws = new int[SEQUENCES][FIELDS * STEPS];

    /*
     * Sets of steps that may fit where so much is free, by slot and then by sequence. The last slot stands for all that is
     * more, and slots are wider than a milli, so a step in a set may be a little too large, but none that fits is missing.
     */
    private final long[] byCpu = new long[CPU_SLOTS * SEQUENCES];
    private final long[] byMemory = new long[MEMORY_SLOTS * SEQUENCES];
    private final long[] byGpus = new long[(IDLE + MOST_IDLE + 1) * SEQUENCES];

    /** Per sequence the set of the steps that ask for GPUs. */
    private final long[] asking = new long[SEQUENCES];

    Arrivals(PodMix mix, NodeKind kind) {
        List<Demand> accepted = mix.demands().stream().filter(kind::accepts).toList();
        if (!accepted.isEmpty()) {
            draw(mix, accepted);
        }
    }

    private void draw(PodMix mix, List<Demand> accepted) {
        double weight = accepted.stream().mapToLong(Demand::weight).sum();
        Random random = new Random(SEED);
        List<Integer> slices = new ArrayList<>();
        for (int slice = 0; slice < SEQUENCES; slice++) {
            slices.add(slice);
        }
        for (int step = 0; step < STEPS; step++) {
            Collections.shuffle(slices, random);
            for (int sequence = 0; sequence < SEQUENCES; sequence++) {
                double at = (slices.get(sequence) + random.nextDouble()) / SEQUENCES * weight;
                set(mix, sequence, step, demandAt(accepted, at));
            }
        }
    }

    private static Demand demandAt(List<Demand> demands, double weight) {
        double left = weight;
        for (Demand demand : demands) {
            left -= demand.weight();
            if (left < 0) {
                return demand;
            }
        }
        return demands.get(demands.size() - 1);
    }

    private void set(PodMix mix, int sequence, int step, Demand demand) {
        int[] draw = draws[sequence];
        int at = FIELDS * step;
        draw[at] = (int) Math.min(Integer.MAX_VALUE, demand.cpuMillis());
        draw[at + 1] = mix.stepsTaken(demand.memoryMib());
        draw[at + 2] = demand.gpuMillis();
        draw[at + 3] = demand.gpuCount();
        addFrom(byCpu, Math.min(CPU_SLOTS - 1, draw[at] >> CPU_SHIFT), sequence, step);
        addFrom(byMemory, Math.min(MEMORY_SLOTS - 1, draw[at + 1]), sequence, step);
        addFrom(byGpus, leastGpus(demand), sequence, step);
        asking[sequence] |= demand.gpuCount() > 0 ? 1L << step : 0;
    }

    private static int leastGpus(Demand demand) {
        if (demand.gpuCount() == 0) {
            return 0;
        }
        return demand.isWhole() ? IDLE + Math.min(MOST_IDLE, demand.gpuCount()) : demand.gpuMillis() >> LEVEL_SHIFT;
    }

    private static void addFrom(long[] sets, int slot, int sequence, int step) {
        for (int i = slot * SEQUENCES + sequence; i < sets.length; i += SEQUENCES) {
            sets[i] |= 1L << step;
        }
    }

    /** The steps of a sequence. */
    int[] sequence(int index) {
        return draws[index];
    }

    /** The steps of a sequence that ask for GPUs. */
    long asking(int sequence) {
        return asking[sequence];
    }

    /** The steps of a sequence that may fit where so much CPU is free. */
    long byCpu(int sequence, int cpuMillis) {
        return byCpu[Math.min(CPU_SLOTS - 1, cpuMillis >> CPU_SHIFT) * SEQUENCES + sequence];
    }

    /** The steps of a sequence that may fit where so much memory is free. */
    long byMemory(int sequence, int memorySteps) {
        return byMemory[Math.min(MEMORY_SLOTS - 1, memorySteps) * SEQUENCES + sequence];
    }

    /** The steps of a sequence that may fit where so many GPUs are idle, or else none and this is the largest level. */
    long byGpus(int sequence, int idle, int largest) {
        int slot = idle > 0 ? IDLE + Math.min(MOST_IDLE, idle) : largest >> LEVEL_SHIFT;
        return byGpus[slot * SEQUENCES + sequence];
    }
}
