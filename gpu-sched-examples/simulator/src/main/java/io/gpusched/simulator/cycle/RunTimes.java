package io.gpusched.simulator.cycle;

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
