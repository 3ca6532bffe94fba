package io.gpusched.examples.report;

import io.gpusched.examples.replay.ReplayResult;
import io.gpusched.examples.replay.Sample;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * What the page of a replay shows: curves over time.
 *
 * @param title its heading
 * @param subtitle what was replayed
 * @param stepHours length of a slice of time in hours
 * @param policies one entry for each policy
 */
public record ReplayReport(String title, String subtitle, double stepHours, List<PolicyPart> policies) {
    /** Copies the list. */
    public ReplayReport {
        policies = List.copyOf(policies);
    }

    /**
     * One policy; of each curve first the mean over the seeds, then the lowest, then the highest.
     *
     * @param name the policy
     * @param used GPU compute in use, in percent
     * @param fragmented fragmented GPU compute, in percent
     * @param waiting jobs that wait
     */
    public record PolicyPart(
            String name, List<List<Double>> used, List<List<Double>> fragmented, List<List<Double>> waiting) {}

    /** Returns the report of these replays; curves end where the shortest replay of the policy ends. */
    public static ReplayReport of(String title, String subtitle, List<ReplayResult> results) {
        Map<String, List<ReplayResult>> byPolicy = new LinkedHashMap<>();
        results.forEach(result -> byPolicy.computeIfAbsent(result.policy(), unused -> new ArrayList<>())
                .add(result));
        List<PolicyPart> parts = new ArrayList<>();
        byPolicy.forEach((policy, runs) -> parts.add(new PolicyPart(
                policy,
                curve(runs, Sample::usedPercent),
                curve(runs, Sample::fragPercent),
                curve(runs, Sample::waiting))));
        double step = results.stream()
                .flatMap(result -> result.series().stream().limit(1))
                .mapToDouble(Sample::hours)
                .findFirst()
                .orElse(1);
        return new ReplayReport(title, subtitle, step, parts);
    }

    private static List<List<Double>> curve(List<ReplayResult> runs, ToDoubleFunction<Sample> value) {
        int slices = runs.stream()
                .mapToInt(run -> Math.min(run.series().size(), run.arrivalSlices()))
                .min()
                .orElse(0);
        List<Double> mean = new ArrayList<>();
        List<Double> low = new ArrayList<>();
        List<Double> high = new ArrayList<>();
        for (int slice = 0; slice < slices; slice++) {
            int at = slice;
            double[] values = runs.stream()
                    .mapToDouble(run -> value.applyAsDouble(run.series().get(at)))
                    .sorted()
                    .toArray();
            mean.add(rounded(java.util.Arrays.stream(values).average().orElse(0)));
            low.add(rounded(values[0]));
            high.add(rounded(values[values.length - 1]));
        }
        return List.of(mean, low, high);
    }

    private static double rounded(double value) {
        return Math.round(100 * value) / 100.0;
    }
}
