package io.gpusched.simulator;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * What came of all runs of one policy.
 *
 * @param policy its name
 * @param runs the runs by seed, at least one
 */
public record PolicySummary(String policy, List<RunResult> runs) {
    private static final double NANOS = 1e9;

    /** Copies the list. */
    public PolicySummary {
        runs = List.copyOf(runs);
    }

    /** Returns a summary for each policy, in the order in which they first occur. */
    public static List<PolicySummary> of(List<RunResult> results) {
        Map<String, List<RunResult>> byPolicy = new LinkedHashMap<>();
        results.forEach(run -> byPolicy.computeIfAbsent(run.policy(), unused -> new ArrayList<>())
                .add(run));
        return byPolicy.entrySet().stream()
                .map(entry -> new PolicySummary(entry.getKey(), entry.getValue()))
                .toList();
    }

    /** Returns the allocated GPU compute, in percent, when this much had arrived. */
    public Estimate allocatedPercent(int arrivedPercent) {
        return estimate(run -> run.at(arrivedPercent).allocatedPercent());
    }

    /** Returns the fragmented GPU compute, in percent of the cluster's, when this much had arrived. */
    public Estimate fragPercent(int arrivedPercent) {
        return estimate(run -> run.at(arrivedPercent).fragPercent());
    }

    private Estimate estimate(ToDoubleFunction<RunResult> value) {
        return Estimate.of(runs.stream().map(value::applyAsDouble).toList());
    }

    /** Returns the seconds spent on deciding and applying, all runs together. */
    public double seconds() {
        return runs.stream().mapToLong(RunResult::decisionNanos).sum() / NANOS;
    }

    /** Returns how many pods were decided in a second, on one thread. */
    public double decisionsPerSecond() {
        return runs.stream().mapToLong(RunResult::decisions).sum() / Math.max(seconds(), 1 / NANOS);
    }
}
