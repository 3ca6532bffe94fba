package io.gpusched.cli;

import io.gpusched.simulator.replay.NeverRun;
import io.gpusched.simulator.replay.QueueOrder;
import io.gpusched.simulator.replay.ReplaySummary;
import io.gpusched.simulator.replay.Scenario;
import java.util.List;
import java.util.Locale;

/** The closing table of a replay: a row for each policy, means over the seeds. */
final class ReplayTable {
    private final Scenario scenario;
    private final String listed;
    private final QueueOrder queue;
    private final List<ReplaySummary> summaries;
    private final List<NeverRun> never;

    ReplayTable(
            Scenario scenario, String listed, QueueOrder queue, List<ReplaySummary> summaries, List<NeverRun> never) {
        this.never = List.copyOf(never);
        this.scenario = scenario;
        this.listed = listed;
        this.queue = queue;
        this.summaries = List.copyOf(summaries);
    }

    /** Returns what was replayed, in a line. */
    String subtitle() {
        return String.format(
                Locale.ROOT,
                "%,d nodes, %,d GPUs; %s; offered load %.2f; queue %s",
                scenario.nodes().size(),
                scenario.gpuMillis() / 1_000,
                PlanTable.jobs(scenario),
                scenario.load(),
                queue);
    }

    /** Returns whether the cluster can run all jobs. */
    boolean canRunAll() {
        return never.isEmpty();
    }

    private String heading() {
        return scenario.name() + ": " + subtitle() + (listed.isEmpty() ? "" : "\nlist: " + listed)
                + "\nwaits before the first start, in minutes; used, fragmented and waiting: means while jobs arrive\n\n";
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
        summaries.forEach(summary -> table.row(row(summary)));
        return heading() + table + "\n" + steadiness() + PlanTable.never("", never);
    }

    /** Says for each policy that had no steady state why, or that all had one. */
    private String steadiness() {
        List<String> notes =
                summaries.stream().flatMap(summary -> summary.note().stream()).toList();
        return notes.isEmpty() ? "steady state: yes, in all replays\n" : String.join("\n", notes) + "\n";
    }

    private static List<String> row(ReplaySummary summary) {
        return List.of(
                summary.policy(),
                oneDecimal(summary.meanWaitMinutes()),
                oneDecimal(summary.medianWaitMinutes()),
                oneDecimal(summary.p95WaitMinutes()),
                oneDecimal(summary.p99WaitMinutes()),
                SummaryTable.number("%.2f", summary.used().mean()),
                SummaryTable.interval(summary.used()),
                SummaryTable.number("%.2f", summary.fragPercent()),
                oneDecimal(summary.waiting()),
                oneDecimal(summary.restarts()),
                oneDecimal(summary.neverStarted()),
                SummaryTable.number("%,.0f", summary.decisionsPerSecond()));
    }

    private static String oneDecimal(double value) {
        return SummaryTable.number("%.1f", value);
    }
}
