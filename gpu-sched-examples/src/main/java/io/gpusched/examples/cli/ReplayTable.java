package io.gpusched.examples.cli;

import io.gpusched.examples.replay.QueueOrder;
import io.gpusched.examples.replay.ReplayResult;
import io.gpusched.examples.replay.Sample;
import io.gpusched.examples.replay.Scenario;
import io.gpusched.examples.simulate.Estimate;
import io.gpusched.examples.trace.TraceJob;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** The closing table of a replay: a row for each policy, means over the seeds. */
final class ReplayTable {
    private final Scenario scenario;
    private final QueueOrder queue;
    private final Map<String, List<ReplayResult>> byPolicy = new LinkedHashMap<>();

    ReplayTable(Scenario scenario, QueueOrder queue, List<ReplayResult> results) {
        this.scenario = scenario;
        this.queue = queue;
        results.forEach(result -> byPolicy.computeIfAbsent(result.policy(), unused -> new ArrayList<>())
                .add(result));
    }

    /** Returns what was replayed, in a line. */
    String subtitle() {
        return String.format(
                Locale.ROOT,
                "%,d nodes, %,d GPUs; %,d jobs, %,d of them gangs, arrive over %.1f days; offered load %.2f; queue %s",
                scenario.nodes().size(),
                scenario.gpuMillis() / 1_000,
                scenario.jobs().size(),
                scenario.jobs().stream().filter(TraceJob::isGang).count(),
                scenario.spanSeconds() / 86_400.0,
                scenario.load(),
                queue);
    }

    private String heading() {
        return scenario.name() + ": " + subtitle()
                + "\nwaits before the first start, in minutes; used, fragmented and waiting: means over the second half of "
                + "the arrivals\n\n";
    }

    @Override
    public String toString() {
        TextTable table = new TextTable(
                1,
                "policy",
                "mean wait",
                "median",
                "p95",
                "p99",
                "used %",
                "95 % CI",
                "frag %",
                "waiting",
                "restarts",
                "never started",
                "decisions/s");
        byPolicy.forEach((policy, results) -> table.row(row(policy, results)));
        return heading() + table + "\n" + steadiness();
    }

    /** Says for each policy whether the second half of the arrivals was a steady state. */
    private String steadiness() {
        StringBuilder text = new StringBuilder();
        notes().forEach(note -> text.append(note).append('\n'));
        return text.length() == 0 ? "steady state: yes, in all replays\n" : text.toString();
    }

    /** Returns a line for each policy that had no steady state, with the reason in the first such replay. */
    List<String> notes() {
        List<String> notes = new ArrayList<>();
        byPolicy.forEach((policy, results) -> {
            List<ReplayResult> unsteady = results.stream()
                    .filter(result -> result.unsteady().isPresent())
                    .toList();
            if (!unsteady.isEmpty()) {
                notes.add(String.format(
                        Locale.ROOT,
                        "no steady state: %s, in %d of %d replays: %s (seed %d)",
                        policy,
                        unsteady.size(),
                        results.size(),
                        unsteady.get(0).unsteady().orElseThrow(),
                        unsteady.get(0).seed()));
            }
        });
        return notes;
    }

    private static List<String> row(String policy, List<ReplayResult> results) {
        Estimate used = estimate(results, result -> result.steady(Sample::usedPercent));
        return List.of(
                policy,
                mean("%.1f", results, result -> result.meanWaitSeconds() / 60),
                mean("%.1f", results, result -> result.waitSeconds(50) / 60),
                mean("%.1f", results, result -> result.waitSeconds(95) / 60),
                mean("%.1f", results, result -> result.waitSeconds(99) / 60),
                SummaryTable.number("%.2f", used.mean()),
                SummaryTable.interval(used),
                mean("%.2f", results, result -> result.steady(Sample::fragPercent)),
                mean("%.1f", results, result -> result.steady(Sample::waiting)),
                mean("%.1f", results, ReplayResult::restarts),
                mean("%.1f", results, ReplayResult::neverStarted),
                mean("%,.0f", results, result -> result.decisions() * 1e9 / Math.max(1, result.decisionNanos())));
    }

    private static String mean(String format, List<ReplayResult> results, ToDoubleFunction<ReplayResult> value) {
        return SummaryTable.number(format, estimate(results, value).mean());
    }

    private static Estimate estimate(List<ReplayResult> results, ToDoubleFunction<ReplayResult> value) {
        return Estimate.of(results.stream().map(value::applyAsDouble).toList());
    }
}
