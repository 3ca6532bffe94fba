package io.gpusched.simulator.cycle;

import java.util.List;
import org.apache.commons.math3.stat.descriptive.rank.Percentile;

/**
 * How well the starts were kept that jobs were told first. One that is later than told has slipped.
 *
 * @param told jobs that were told a start while they waited; where only some are promised theirs, these
 * @param slipped those of them that started later
 * @param meanSlipMinutes how much later these started: mean
 * @param p99SlipMinutes 99 of 100 of these started no later than this
 * @param meanErrorPercent the difference between the predicted and the true time to completion in percent of the predicted: mean of all jobs
 *     that started at once or were told a start. Predicted is the start with the run time that the scheduler was told
 */
public record Promises(int told, int slipped, double meanSlipMinutes, double p99SlipMinutes, double meanErrorPercent) {
    private static final double HIGH = 99;

    /** Returns how well those of jobs were kept that have ended. */
    static Promises of(List<PlayedJob> jobs) {
        List<PlayedJob> ended =
                jobs.stream().filter(job -> job.ended().isPresent()).toList();
        List<PlayedJob> told =
                ended.stream().filter(job -> job.promised().isPresent()).toList();
        double[] slips = told.stream()
                .mapToDouble(Promises::slip)
                .filter(slip -> slip > 0)
                .toArray();
        double[] errors = ended.stream()
                .filter(job -> job.promised().isPresent() || job.waited() == 0)
                .mapToDouble(Promises::errorPercent)
                .toArray();
        return new Promises(
                told.size(),
                slips.length,
                CycleResult.mean(slips),
                slips.length == 0 ? 0 : new Percentile(HIGH).evaluate(slips),
                CycleResult.mean(errors));
    }

    private static double slip(PlayedJob job) {
        return (job.started().orElseThrow() - job.promised().orElseThrow()) / CycleResult.MINUTE;
    }

    private static double errorPercent(PlayedJob job) {
        long predicted = job.promised().orElse(job.submitted()) + job.told() - job.submitted();
        return predicted == 0 ? 0 : 100.0 * Math.abs(predicted - job.completion()) / predicted;
    }
}
