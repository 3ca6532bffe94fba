package io.gpusched.simulator.cycle;

import java.math.BigDecimal;
import java.util.SplittableRandom;
import org.apache.commons.math3.distribution.NormalDistribution;

/** What the scheduler is told of how long a job runs: its time limit. Jobs run on past it. */
@FunctionalInterface
public interface RunTimes {
    /** The run times as they are. */
    RunTimes EXACT = (job, seconds) -> seconds;

    /** Rounded up to whole hours, as users type time limits. */
    RunTimes HOURS = (job, seconds) -> Math.max(1, (seconds + 3_599) / 3_600) * 3_600;

    /**
     * Returns what the scheduler is told.
     *
     * @param job the number of the job, by its arrival
     * @param seconds how long it runs
     * @return at least 0
     */
    long told(int job, long seconds);

    /**
     * Reads {@code exact}, {@code hours}, {@code within:P} or {@code log-normal:M}; factors are drawn with the seed 42.
     *
     * @throws IllegalArgumentException if it is none of these, P is not in 0..100 or M not in 0.01..100
     */
    static RunTimes parse(String text) {
        String[] words = text.strip().split(":", 2);
        return switch (words.length == 1 ? words[0] : words[0] + ":") {
            case "exact" -> EXACT;
            case "hours" -> HOURS;
            case "within:" -> within(number(words[1], "0", "100"), 42);
            case "log-normal:" -> logNormal(number(words[1], "0.01", "100"), 42);
            default ->
                throw new IllegalArgumentException(
                        "must be exact, hours, within:P or log-normal:M, got \"" + text + "\"");
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
        return (job, seconds) -> times(seconds, 1 + percent / 100 * (2 * random(job, seed) - 1));
    }

    /** Returns run times that are off by a factor of each job, log-normal with this mean and a sigma of 1. */
    static RunTimes logNormal(double mean, long seed) {
        NormalDistribution normal = new NormalDistribution(null, Math.log(mean) - 0.5, 1);
        return (job, seconds) -> times(seconds, Math.exp(normal.inverseCumulativeProbability(random(job, seed))));
    }

    private static double random(int job, long seed) {
        return new SplittableRandom(seed * 1_000_003 + job).nextDouble(Double.MIN_NORMAL, 1);
    }

    private static long times(long seconds, double factor) {
        return Math.max(1, Math.round(seconds * factor));
    }
}
