package io.gpusched.simulator.cycle;

import io.gpusched.simulator.trace.JobDemand;
import io.gpusched.simulator.trace.TraceJob;
import java.math.BigDecimal;
import java.util.SplittableRandom;
import org.apache.commons.math3.distribution.NormalDistribution;

/** What the scheduler is told of how long a job runs: its time limit. Jobs run on past it. */
@FunctionalInterface
public interface RunTimes {
    /** The run times as they are. */
    RunTimes EXACT = (job, index, seconds) -> seconds;

    /** Rounded up to whole hours, as users type time limits. */
    RunTimes HOURS = (job, index, seconds) -> Math.max(1, (seconds + 3_599) / 3_600) * 3_600;

    /** The time limits that the users of the list gave. */
    RunTimes LIMITS = (job, index, seconds) -> job.demand()
            .map(JobDemand::limitSeconds)
            .filter(limit -> limit > 0)
            .orElseThrow(() -> new IllegalArgumentException("job \"" + job.name()
                    + "\": the list has no time limit\n"
                    + "Maybe name its column: --columns limit=..., or use --told exact."));

    /**
     * Returns what the scheduler is told.
     *
     * @param job the job
     * @param index its number, by its arrival
     * @param seconds how long it runs
     * @return at least 0
     */
    long told(TraceJob job, int index, long seconds);

    /**
     * Reads {@code exact}, {@code hours}, {@code limits}, {@code within:P} or {@code log-normal:M}; factors are drawn with the seed 42.
     *
     * @throws IllegalArgumentException if it is none of these, P is not in 0..100 or M not in 0.01..100
     */
    static RunTimes parse(String text) {
        String[] words = text.strip().split(":", 2);
        return switch (words.length == 1 ? words[0] : words[0] + ":") {
            case "exact" -> EXACT;
            case "hours" -> HOURS;
            case "limits" -> LIMITS;
            case "within:" -> within(number(words[1], "0", "100"), 42);
            case "log-normal:" -> logNormal(number(words[1], "0.01", "100"), 42);
            default ->
                throw new IllegalArgumentException(
                        "must be exact, hours, limits, within:P or log-normal:M, got \"" + text + "\"");
        };
    }

    private static double number(String text, String least, String most) {
        try {
            BigDecimal value = new BigDecimal(text.strip());
            if (value.compareTo(new BigDecimal(least)) >= 0 && value.compareTo(new BigDecimal(most)) <= 0) {
                return value.doubleValue();
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "must be a number in " + least + ".." + most + ", got \"" + text + "\"", e);
        }
        throw new IllegalArgumentException("must be in " + least + ".." + most + ", got \"" + text + "\"");
    }

    /** Returns run times that are off by a factor of each job, uniform in 1 ± this many percent, 0..100. */
    static RunTimes within(double percent, long seed) {
        return (job, index, seconds) -> times(seconds, 1 + percent / 100 * (2 * random(index, seed) - 1));
    }

    /** Returns run times that are off by a factor of each job, log-normal with this mean and a sigma of 1. */
    static RunTimes logNormal(double mean, long seed) {
        NormalDistribution normal = new NormalDistribution(null, Math.log(mean) - 0.5, 1);
        return (job, index, seconds) ->
                times(seconds, Math.exp(normal.inverseCumulativeProbability(random(index, seed))));
    }

    private static double random(int job, long seed) {
        return new SplittableRandom(seed * 1_000_003 + job).nextDouble(Double.MIN_NORMAL, 1);
    }

    private static long times(long seconds, double factor) {
        return Math.max(1, Math.round(seconds * factor));
    }
}
