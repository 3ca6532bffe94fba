package io.gpusched.simulator.replay;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.apache.commons.math3.stat.descriptive.SummaryStatistics;

/**
 * Whether the second half of the arrivals of a replay was a steady state, so that means over it do not depend on how long
 * jobs happen to arrive.
 *
 * <p>The third quarter of the arrivals is compared with the last. The state was steady if the GPU compute in use differs
 * by at most {@value #MOST_PERCENT} points and the queue by at most {@value #MOST_QUEUE_PERCENT} % of its length or
 * {@value #MOST_RUNNING_PERCENT} % of the jobs that run, whichever is more. A larger difference counts only if it is more than
 * {@value #MOST_ERRORS} standard errors of it, by the method of batch means: a queue under load goes up and down by itself. Too short a
 * replay, of fewer than {@value #LEAST_SLICES} slices of time, is never steady.
 */
public final class SteadyState {
    static final double MOST_PERCENT = 5;
    static final double MOST_QUEUE_PERCENT = 20;
    static final double MOST_RUNNING_PERCENT = 5;
    static final int LEAST_SLICES = 8;
    static final double MOST_ERRORS = 3.5;
    private static final int BATCHES = 5;

    private final List<Sample> before;
    private final List<Sample> after;

    private SteadyState(List<Sample> before, List<Sample> after) {
        this.before = before;
        this.after = after;
    }

    /**
     * Returns why there was no steady state, or nothing where there was.
     *
     * @param arriving the slices of time in which jobs arrive
     */
    public static Optional<String> objection(List<Sample> arriving) {
        if (arriving.size() < LEAST_SLICES) {
            return Optional.of("jobs arrived within too short a time");
        }
        int half = arriving.size() / 2;
        int threeQuarters = arriving.size() * 3 / 4;
        return new SteadyState(arriving.subList(half, threeQuarters), arriving.subList(threeQuarters, arriving.size()))
                .objection();
    }

    private Optional<String> objection() {
        double queue = mean(before, Sample::waiting);
        double queueAfter = mean(after, Sample::waiting);
        double slack =
                Math.max(MOST_QUEUE_PERCENT / 100 * queue, MOST_RUNNING_PERCENT / 100 * mean(before, Sample::running));
        if (Math.abs(queueAfter - queue) > slack && isMoreThanNoise(queueAfter - queue, Sample::waiting)) {
            return Optional.of(changed("jobs that wait", queue, queueAfter));
        }
        double used = mean(before, Sample::usedPercent);
        double usedAfter = mean(after, Sample::usedPercent);
        return Math.abs(usedAfter - used) > MOST_PERCENT && isMoreThanNoise(usedAfter - used, Sample::usedPercent)
                ? Optional.of(changed("percent in use", used, usedAfter))
                : Optional.empty();
    }

    private boolean isMoreThanNoise(double difference, ToDoubleFunction<Sample> value) {
        double error = Math.sqrt((varianceOfBatches(before, value) + varianceOfBatches(after, value)) / BATCHES);
        return Math.abs(difference) > MOST_ERRORS * error;
    }

    private static double varianceOfBatches(List<Sample> samples, ToDoubleFunction<Sample> value) {
        SummaryStatistics batches = new SummaryStatistics();
        for (int batch = 0; batch < Math.min(BATCHES, samples.size()); batch++) {
            int from = samples.size() * batch / BATCHES;
            int to = Math.max(from + 1, samples.size() * (batch + 1) / BATCHES);
            batches.addValue(mean(samples.subList(from, to), value));
        }
        return batches.getVariance();
    }

    private static String changed(String what, double from, double to) {
        return String.format(
                Locale.ROOT,
                "%s went from %.1f in the third quarter of the arrivals to %.1f in the last",
                what,
                from,
                to);
    }

    private static double mean(List<Sample> samples, ToDoubleFunction<Sample> value) {
        return samples.stream().mapToDouble(value).average().orElse(0);
    }
}
