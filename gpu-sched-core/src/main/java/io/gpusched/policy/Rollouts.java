package io.gpusched.policy;

import io.gpusched.workload.WorkloadProfile.Shape;

/** Plays the arrivals onto a node and counts what stays idle. */
final class Rollouts {
    private final Arrivals arrivals;

    Rollouts(Arrivals arrivals) {
        this.arrivals = arrivals;
    }

    /**
     * Returns the GPU milli left idle, summed over the {@link Arrivals#SEQUENCES} sequences.
     *
     * <p>Hot: most of the time of a decision on unseen states is spent here, two to four microseconds each. A roll-out
     * ends as soon as no later pod can fit the largest level that is free, or the free CPU.
     */
    int idleAfterwards(FreeAmounts free) {
        if (arrivals.nobodyFits(free)) {
            return free.gpuMillis() * Arrivals.SEQUENCES;
        }
        int sum = 0;
        int[] parts = new int[free.parts() + free.whole()];
        for (int sequence = 0; sequence < Arrivals.SEQUENCES; sequence++) {
            int end = Math.min(
                    arrivals.endByLevel(sequence, free.largest()), arrivals.endByCpu(sequence, free.cpuMillis()));
            sum += end == 0 ? free.gpuMillis() : play(free, sequence, end, parts);
        }
        return sum;
    }

    /** Offers one sequence to the node: whoever fits is placed, a share on the tightest GPU. */
    private int play(FreeAmounts free, int sequence, int firstEnd, int[] parts) {
        int[] draw = arrivals.sequence(sequence);
        int cpu = free.cpuMillis();
        int memory = free.memorySteps();
        int whole = free.whole();
        int idle = free.gpuMillis();
        int count = free.parts();
        int end = firstEnd;
        free.copyParts(parts);
        for (int at = 0; at < Arrivals.FIELDS * end; at += Arrivals.FIELDS) {
            if (draw[at] > cpu || draw[at + 1] > memory) {
                continue;
            }
            int gpuMillis = draw[at + 2];
            int gpus = draw[at + 3];
            if (gpuMillis == Shape.WHOLE) {
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
                    parts[count++] = Shape.WHOLE - gpuMillis;
                } else {
                    continue;
                }
            }
            cpu -= draw[at];
            memory -= draw[at + 1];
            idle -= gpuMillis * gpus;
            end = Math.min(end, arrivals.endByCpu(sequence, cpu));
            if (whole == 0 && gpus > 0) {
                end = Math.min(end, arrivals.endByLevel(sequence, largest(parts, count)));
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
