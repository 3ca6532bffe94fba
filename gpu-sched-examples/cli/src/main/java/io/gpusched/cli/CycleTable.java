package io.gpusched.cli;

import io.gpusched.simulator.cycle.CycleResult;
import io.gpusched.simulator.cycle.CycleScenario;
import io.gpusched.simulator.cycle.QueueNumbers;
import io.gpusched.simulator.replay.Scenario;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The closing table of a replay through queues: a row for each queue, and one for all. */
final class CycleTable {
    private static final int SHOWN = 5;

    private final CycleScenario scenario;
    private final String listed;
    private final CycleResult result;

    CycleTable(CycleScenario scenario, String listed, CycleResult result) {
        this.scenario = scenario;
        this.listed = listed;
        this.result = result;
    }

    /** Returns what was played, in a line. */
    String title() {
        Scenario jobs = scenario.jobs();
        return String.format(
                Locale.ROOT,
                "%s: %,d nodes, %,d GPUs; %,d jobs arrive over %.1f days; offered load %.2f; %,d pods moved",
                jobs.name(),
                jobs.nodes().size(),
                jobs.gpuMillis() / 1_000,
                jobs.jobs().size(),
                jobs.spanSeconds() / 86_400.0,
                jobs.load(),
                result.moves());
    }

    /** Returns what the numbers mean, in a line. */
    String units() {
        return "waits before the first start and completion times in minutes; GPUs in percent of the cluster's, means while jobs arrive";
    }

    @Override
    public String toString() {
        TextTable table = new TextTable(
                1,
                "queue",
                "jobs",
                "mean wait",
                "median",
                "p95",
                "p99",
                "completion",
                "evictions",
                "used %",
                "fair share %",
                "never started");
        result.numbers().forEach(row -> table.row(row(row)));
        return title() + "\nlist: " + listed + "\n" + units() + "\n\n" + table + never();
    }

    private static List<String> row(QueueNumbers row) {
        return List.of(
                row.queue(),
                String.valueOf(row.jobs()),
                oneDecimal(row.meanWaitMinutes()),
                oneDecimal(row.medianWaitMinutes()),
                oneDecimal(row.p95WaitMinutes()),
                oneDecimal(row.p99WaitMinutes()),
                oneDecimal(row.meanCompletionMinutes()),
                String.valueOf(row.evictions()),
                SummaryTable.number("%.2f", row.usedPercent()),
                SummaryTable.number("%.2f", row.fairPercent()),
                String.valueOf(row.neverStarted()));
    }

    private static String oneDecimal(double value) {
        return SummaryTable.number("%.1f", value);
    }

    /** Says why jobs never started. */
    private String never() {
        StringBuilder text = new StringBuilder();
        result.never().entrySet().stream().limit(SHOWN).map(CycleTable::reason).forEach(text::append);
        int more = result.never().size() - SHOWN;
        return text + (more > 0 ? "and " + more + " more jobs never started\n" : "");
    }

    private static String reason(Map.Entry<String, String> job) {
        return "\njob " + job.getKey() + " never started: " + job.getValue() + "\n";
    }
}
