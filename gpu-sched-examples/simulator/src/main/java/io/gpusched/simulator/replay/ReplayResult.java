package io.gpusched.simulator.replay;

import io.gpusched.model.Cluster;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.apache.commons.math3.stat.descriptive.rank.Percentile;

/**
 * What came of one replay.
 *
 * @param policy name of the policy
 * @param seed seed of what goes wrong
 * @param waitSeconds for each job that started how long it waited before its first start
 * @param neverStarted jobs that never started
 * @param restarts how often a job was lost with its node and went back to the queue
 * @param decisions how many decisions were asked for
 * @param decisionNanos the time they took
 * @param series means by slices of time; the first {@code arrivalSlices} cover the time in which jobs arrive
 * @param arrivalSlices how many slices that are
 * @param atLastArrival the cluster when the last job had arrived and the queue had been tried
 */
public record ReplayResult(
        String policy,
        long seed,
        List<Long> waitSeconds,
        int neverStarted,
        int restarts,
        long decisions,
        long decisionNanos,
        List<Sample> series,
        int arrivalSlices,
        Cluster atLastArrival) {
    /** Copies the lists. */
    public ReplayResult {
        waitSeconds = List.copyOf(waitSeconds);
        series = List.copyOf(series);
    }

    /** Returns the mean wait in seconds. */
    public double meanWaitSeconds() {
        return waitSeconds.stream().mapToLong(Long::longValue).average().orElse(0);
    }

    /**
     * Returns a percentile of the wait in seconds.
     *
     * @param percent above 0, up to 100
     */
    public double waitSeconds(double percent) {
        double[] values =
                waitSeconds.stream().mapToDouble(Long::doubleValue).sorted().toArray();
        return values.length == 0 ? 0 : new Percentile(percent).evaluate(values);
    }

    /** Returns why the second half of the arrivals was no steady state, or nothing where it was one. */
    public Optional<String> unsteady() {
        return SteadyState.objection(arriving());
    }

    private List<Sample> arriving() {
        return series.subList(0, Math.min(arrivalSlices, series.size()));
    }

    /** Returns a mean over the time in which jobs arrive. */
    public double whileArriving(ToDoubleFunction<Sample> value) {
        return arriving().stream().mapToDouble(value).average().orElse(0);
    }
}
