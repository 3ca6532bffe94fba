package io.gpusched.simulator.report;

import io.gpusched.simulator.replay.ReplayResult;
import io.gpusched.simulator.replay.ReplaySummary;
import io.gpusched.simulator.replay.Sample;
import io.gpusched.simulator.replay.Scenario;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * What the page of a replay shows: numbers, curves over time, and the cluster when the last job arrived.
 *
 * @param title its heading
 * @param subtitle what was replayed
 * @param notes what a reader must know first, such as that there was no steady state
 * @param stepHours length of a slice of time in hours
 * @param policies one entry for each policy, or for each cluster
 * @param rows what the entries are: {@code policy} or {@code cluster}
 * @param plan the answer of a plan; null if none was asked for
 */
public record ReplayReport(
        String title,
        String subtitle,
        List<String> notes,
        double stepHours,
        List<PolicyPart> policies,
        String rows,
        @Nullable PlanPart plan) {
    /** Copies the lists. */
    public ReplayReport {
        notes = List.copyOf(notes);
        policies = List.copyOf(policies);
    }

    /**
     * One policy; of each curve first the mean over the seeds, then the lowest, then the highest.
     *
     * @param name the policy
     * @param numbers means over the seeds
     * @param used GPU compute in use, in percent
     * @param fragmented fragmented GPU compute, in percent
     * @param waiting jobs that wait
     * @param cluster the cluster when the last job arrived
     */
    public record PolicyPart(
            String name,
            ReplayNumbers numbers,
            List<List<Double>> used,
            List<List<Double>> fragmented,
            List<List<Double>> waiting,
            ClusterPart cluster) {}

    /** Returns the report of these replays; curves end where the shortest replay of the policy ends. */
    public static ReplayReport of(String title, String subtitle, Scenario scenario, List<ReplaySummary> summaries) {
        WasteMeter meter = WasteMeter.of(scenario.pods());
        List<String> notes =
                summaries.stream().flatMap(summary -> summary.note().stream()).toList();
        List<ReplayResult> results = summaries.stream()
                .flatMap(summary -> summary.replays().stream())
                .toList();
        List<PolicyPart> parts =
                summaries.stream().map(summary -> part(summary, meter)).toList();
        double step = results.stream()
                .flatMap(result -> result.series().stream().limit(1))
                .mapToDouble(Sample::hours)
                .findFirst()
                .orElse(1);
        return new ReplayReport(title, subtitle, notes, step, parts, "policy", null);
    }

    /** Returns this report with more notes after its own. */
    public ReplayReport with(List<String> more) {
        List<String> all = new ArrayList<>(notes);
        all.addAll(more);
        return new ReplayReport(title, subtitle, all, stepHours, policies, rows, plan);
    }

    /** Returns this report with clusters in place of policies, and the answer of a plan. */
    public ReplayReport with(PlanPart answer) {
        return new ReplayReport(title, subtitle, notes, stepHours, policies, "cluster", answer);
    }

    private static PolicyPart part(ReplaySummary summary, WasteMeter meter) {
        List<ReplayResult> runs = summary.replays();
        return new PolicyPart(
                summary.policy(),
                ReplayNumbers.of(summary),
                curve(runs, Sample::usedPercent),
                curve(runs, Sample::fragPercent),
                curve(runs, Sample::waiting),
                ClusterPart.of(
                        runs.get(0).seed(),
                        runs.stream().map(ReplayResult::atLastArrival).toList(),
                        meter));
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
            mean.add(rounded(Arrays.stream(values).average().orElse(0)));
            low.add(rounded(values[0]));
            high.add(rounded(values[values.length - 1]));
        }
        return List.of(mean, low, high);
    }

    private static double rounded(double value) {
        return Math.round(100 * value) / 100.0;
    }
}
