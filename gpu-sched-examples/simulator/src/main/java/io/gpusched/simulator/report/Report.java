package io.gpusched.simulator.report;

import io.gpusched.simulator.PolicySummary;
import io.gpusched.simulator.RunResult;
import io.gpusched.simulator.trace.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What the page shows.
 *
 * @param title its heading
 * @param subtitle what was run
 * @param notes how it came about: version, command, seeds and what policies mean
 * @param policies one entry for each policy
 */
public record Report(String title, String subtitle, List<String> notes, List<PolicyPart> policies) {
    /** Copies the lists. */
    public Report {
        notes = List.copyOf(notes);
        policies = List.copyOf(policies);
    }

    /**
     * One policy: its curves over arrived percent, means over the seeds, and the cluster at the end of one run.
     *
     * @param name the policy
     * @param allocated allocated GPU compute in percent, a value for each arrived percent from 0
     * @param allocatedLow the least of any seed
     * @param allocatedHigh the most of any seed
     * @param fragmented fragmented GPU compute in percent
     * @param fragmentedLow the least of any seed
     * @param fragmentedHigh the most of any seed
     * @param cluster the cluster at the end
     */
    public record PolicyPart(
            String name,
            List<Double> allocated,
            List<Double> allocatedLow,
            List<Double> allocatedHigh,
            List<Double> fragmented,
            List<Double> fragmentedLow,
            List<Double> fragmentedHigh,
            ClusterPart cluster) {}

    /** Returns the report of these runs. */
    public static Report of(Workload workload, List<RunResult> results) {
        WasteMeter meter = WasteMeter.of(workload.pods());
        List<PolicySummary> summaries = PolicySummary.of(results);
        String subtitle = String.format(
                "%,d nodes, %,d GPUs, %,d pods in the workload, %d runs",
                workload.nodes().size(),
                workload.gpuMillis() / 1_000,
                workload.pods().size(),
                results.size());
        return new Report(
                "gpu-sched: " + workload.name(),
                subtitle,
                List.of(),
                summaries.stream().map(summary -> part(summary, meter)).toList());
    }

    /** Returns this report with another heading, and with notes on how it came about. */
    public Report with(String heading, List<String> more) {
        return new Report(heading, subtitle, more, policies);
    }

    private static PolicyPart part(PolicySummary summary, WasteMeter meter) {
        List<List<Double>> allocated =
                curves(summary, (run, percent) -> run.at(percent).allocatedPercent());
        List<List<Double>> fragmented =
                curves(summary, (run, percent) -> run.at(percent).fragPercent());
        RunResult shown = summary.runs().get(0);
        return new PolicyPart(
                summary.policy(),
                each(allocated, Report::mean),
                each(
                        allocated,
                        values -> values.stream().mapToDouble(v -> v).min().orElse(0)),
                each(
                        allocated,
                        values -> values.stream().mapToDouble(v -> v).max().orElse(0)),
                each(fragmented, Report::mean),
                each(
                        fragmented,
                        values -> values.stream().mapToDouble(v -> v).min().orElse(0)),
                each(
                        fragmented,
                        values -> values.stream().mapToDouble(v -> v).max().orElse(0)),
                ClusterPart.of(
                        shown.seed(),
                        summary.runs().stream().map(RunResult::end).toList(),
                        meter));
    }

    private interface Value {
        double at(RunResult run, int percent);
    }

    /** Returns for each arrived percent the values of all runs. */
    private static List<List<Double>> curves(PolicySummary summary, Value value) {
        int length = summary.runs().stream()
                .mapToInt(run -> run.curve().size())
                .min()
                .orElse(0);
        List<List<Double>> byPercent = new ArrayList<>();
        for (int percent = 0; percent < length; percent++) {
            int at = percent;
            byPercent.add(summary.runs().stream().map(run -> value.at(run, at)).toList());
        }
        return byPercent;
    }

    private static List<Double> each(List<List<Double>> values, ToDoubleFunction<List<Double>> summed) {
        return values.stream()
                .map(list -> Math.round(100 * summed.applyAsDouble(list)) / 100.0)
                .toList();
    }

    private static double mean(List<Double> values) {
        return values.stream().mapToDouble(v -> v).average().orElse(0);
    }
}
