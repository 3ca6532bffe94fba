package io.gpusched.simulator.replay;

import io.gpusched.simulator.Estimate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * What came of all replays of one policy: means over the seeds. Waits are those before the first start; use, fragments and
 * queue are means over the time in which jobs arrive.
 *
 * @param policy its name
 * @param replays the replays by seed, at least one
 */
public record ReplaySummary(String policy, List<ReplayResult> replays) {
    private static final double MINUTE_SECONDS = 60;

    /** Copies the list. */
    public ReplaySummary {
        replays = List.copyOf(replays);
    }

    /** Returns a summary for each policy, in the order in which they first occur. */
    public static List<ReplaySummary> of(List<ReplayResult> results) {
        Map<String, List<ReplayResult>> byPolicy = new LinkedHashMap<>();
        results.forEach(replay -> byPolicy.computeIfAbsent(replay.policy(), unused -> new ArrayList<>())
                .add(replay));
        return byPolicy.entrySet().stream()
                .map(entry -> new ReplaySummary(entry.getKey(), entry.getValue()))
                .toList();
    }

    /** Returns the mean wait. */
    public double meanWaitMinutes() {
        return mean(ReplayResult::meanWaitSeconds) / MINUTE_SECONDS;
    }

    /** Returns the wait that half of the jobs do not exceed. */
    public double medianWaitMinutes() {
        return mean(replay -> replay.waitSeconds(50)) / MINUTE_SECONDS;
    }

    /** Returns the wait that 95 % of the jobs do not exceed. */
    public double p95WaitMinutes() {
        return mean(replay -> replay.waitSeconds(95)) / MINUTE_SECONDS;
    }

    /** Returns the wait that 99 % of the jobs do not exceed. */
    public double p99WaitMinutes() {
        return mean(replay -> replay.waitSeconds(99)) / MINUTE_SECONDS;
    }

    /** Returns the GPU compute in use, in percent, and how sure it is. */
    public Estimate used() {
        return estimate(replay -> replay.whileArriving(Sample::usedPercent));
    }

    /** Returns the fragmented GPU compute, in percent of the cluster's. */
    public double fragPercent() {
        return mean(replay -> replay.whileArriving(Sample::fragPercent));
    }

    /** Returns how many jobs wait. */
    public double waiting() {
        return mean(replay -> replay.whileArriving(Sample::waiting));
    }

    /** Returns how often a job was lost with its node. */
    public double restarts() {
        return mean(ReplayResult::restarts);
    }

    /** Returns how many jobs never started. */
    public double neverStarted() {
        return mean(ReplayResult::neverStarted);
    }

    /** Returns how many decisions were made in a second, on one thread. */
    public double decisionsPerSecond() {
        return mean(replay -> replay.decisions() * 1e9 / Math.max(1, replay.decisionNanos()));
    }

    /** Returns that there was no steady state, with the reason in the first such replay; nothing where there was one. */
    public Optional<String> note() {
        List<ReplayResult> unsteady =
                replays.stream().filter(replay -> replay.unsteady().isPresent()).toList();
        return unsteady.stream()
                .findFirst()
                .map(first -> String.format(
                        Locale.ROOT,
                        "no steady state: %s, in %d of %d replays: %s (seed %d)",
                        policy,
                        unsteady.size(),
                        replays.size(),
                        first.unsteady().orElseThrow(),
                        first.seed()));
    }

    private double mean(ToDoubleFunction<ReplayResult> value) {
        return estimate(value).mean();
    }

    private Estimate estimate(ToDoubleFunction<ReplayResult> value) {
        return Estimate.of(replays.stream().map(value::applyAsDouble).toList());
    }
}
