package io.gpusched.internal.lookahead;

import io.gpusched.workload.WorkloadProfile.Demand;

/** Plays the arrivals onto a node and counts what stays idle. */
final class RollOuts {
    private final Arrivals arrivals;

    RollOuts(Arrivals arrivals) {
        this.arrivals = arrivals;
    }

    /**
     * Returns the GPU milli left idle, summed over the {@link Arrivals#SEQUENCES} sequences.
     *
     * <p>Hot: most of the time of a decision on unseen states is spent here, about half a microsecond each. Only steps that
     * may fit are looked at; a roll-out ends when none of them asks for GPUs.
     */
    int idleAfterwards(FreeAmounts free) {
        int sum = 0;
        int[] parts = new int[free.parts() + free.whole()];
        for (int sequence = 0; sequence < Arrivals.SEQUENCES; sequence++) {
            long open = arrivals.byCpu(sequence, free.cpuMillis())
                    & arrivals.byMemory(sequence, free.memorySteps())
                    & arrivals.byGpus(sequence, free.whole(), free.largest());
            boolean inVain = (open & arrivals.asking(sequence)) == 0;
            sum += inVain ? free.gpuMillis() : play(free, sequence, open, parts);
        }
        return sum;
    }

    /** Offers the open steps of one sequence to the node: a pod that fits is placed, a share on the tightest GPU. */
    private int play(FreeAmounts free, int sequence, long openAtFirst, int[] parts) {
        int[] draw = arrivals.sequence(sequence);
        long asking = arrivals.asking(sequence);
        int cpu = free.cpuMillis();
        int memory = free.memorySteps();
        int whole = free.whole();
        int idle = free.gpuMillis();
        int count = free.parts();
        free.copyParts(parts);
        for (long open = openAtFirst; (open & asking) != 0; ) {
            int at = Arrivals.FIELDS * Long.numberOfTrailingZeros(open);
            open &= open - 1;
            if (draw[at] > cpu || draw[at + 1] > memory) {
                continue;
            }
            int gpuMillis = draw[at + 2];
            int gpus = draw[at + 3];
            if (gpuMillis == Demand.WHOLE) {
                if (gpus > whole) {
                    continue;
                }
                whole -= gpus;
            } else if (gpus > 0) {
                int tightest = tightest(parts, count, gpuMillis);
                if (tightest >= 0) {
                    parts[tightest] -= gpuMillis;
                } else if (whole > 0) {
                    whole--;
                    parts[count++] = Demand.WHOLE - gpuMillis;
                } else {
                    continue;
                }
            }
            cpu -= draw[at];
            memory -= draw[at + 1];
            open &= arrivals.byCpu(sequence, cpu) & arrivals.byMemory(sequence, memory);
            if (gpus > 0) {
                idle -= gpuMillis * gpus;
                open &= arrivals.byGpus(sequence, whole, whole > 0 ? 0 : largest(parts, count));
            }
        }
        return idle;
    }

    private static int tightest(int[] parts, int count, int gpuMillis) {
        int best = -1;
        for (int p = 0; p < count; p++) {
            if (parts[p] >= gpuMillis && (best < 0 || parts[p] < parts[best])) {
                best = p;
            }
        }
        return best;
    }

    private static int largest(int[] parts, int count) {
        int max = 0;
        for (int p = 0; p < count; p++) {
            max = Math.max(max, parts[p]);
        }
        return max;
    }
}
