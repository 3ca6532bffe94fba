package io.gpusched.cli;

import io.gpusched.replay.JobOutcome;
import io.gpusched.replay.Outcome;
import java.util.Arrays;
import java.util.List;

/** Means over slices of time of what holds for stretches of time. */
final class OutcomeCurves {
    private static final int COUNT = 120;

    private final double width;
    private final double[] sums = new double[COUNT];

    private OutcomeCurves(Outcome outcome) {
        width = width(outcome);
    }

    static double width(Outcome outcome) {
        return Math.max(1, outcome.to() - outcome.from()) / (double) COUNT;
    }

    /** GPUs in use, stranded GPUs, and jobs that wait. */
    static List<List<Double>> of(Outcome outcome) {
        OutcomeCurves used = new OutcomeCurves(outcome);
        OutcomeCurves stranded = new OutcomeCurves(outcome);
        OutcomeCurves waiting = new OutcomeCurves(outcome);
        long at = 0;
        for (Outcome.Use use : outcome.uses()) {
            used.add(at, at + use.lasted(), use.usedGpus());
            stranded.add(at, at + use.lasted(), use.strandedGpus());
            at += use.lasted();
        }
        for (JobOutcome job : outcome.jobs()) {
            if (!job.old()) {
                long until = job.started().orElse(job.ended().orElse(outcome.to()));
                waiting.add(job.arrived() - outcome.from(), until - outcome.from(), 1);
            }
        }
        return List.of(used.means(), stranded.means(), waiting.means());
    }

    private void add(long from, long until, double value) {
        for (int i = Math.max(0, (int) (from / width)); i < COUNT && i * width < until; i++) {
            double lasted = Math.min((double) until, (i + 1) * width) - Math.max((double) from, i * width);
            sums[i] += value * Math.max(0, lasted);
        }
    }

    private List<Double> means() {
        return Arrays.stream(sums).mapToObj(sum -> sum / width).toList();
    }
}
