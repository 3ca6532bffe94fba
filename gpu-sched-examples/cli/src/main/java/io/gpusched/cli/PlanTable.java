package io.gpusched.cli;

import io.gpusched.simulator.Estimate;
import io.gpusched.simulator.capacity.ClusterResult;
import io.gpusched.simulator.capacity.ModelTable;
import io.gpusched.simulator.capacity.RunNumbers;
import io.gpusched.simulator.replay.NeverRun;
import io.gpusched.simulator.replay.Scenario;
import io.gpusched.simulator.trace.TraceJob;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Clusters side by side, a row for each. */
final class PlanTable {
    private static final int SHOWN = 5;

    private final Scenario scenario;
    private final ModelTable models;

    PlanTable(Scenario scenario, ModelTable models) {
        this.scenario = scenario;
        this.models = models;
    }

    /** Returns what is played, and what the columns are. */
    String heading() {
        return String.format(
                Locale.ROOT,
                "%s: %,d jobs, %,d of them gangs, arrive over %.1f days; offered load %.2f of the cluster as it is%n"
                        + "waits before the first start, in minutes; used: GPU compute, mean over the second half of the arrivals%n%n",
                scenario.name(),
                scenario.jobs().size(),
                scenario.jobs().stream().filter(TraceJob::isGang).count(),
                scenario.spanSeconds() / 86_400.0,
                scenario.load());
    }

    String of(List<ClusterResult> results) {
        boolean hasPrices = !models.prices().isEmpty();
        boolean hasSeeds = results.stream().anyMatch(result -> result.runs().size() > 1);
        List<String> header = new ArrayList<>(List.of("cluster", "nodes", "GPUs"));
        header.addAll(hasPrices ? List.of("price/h") : List.of());
        header.add("mean wait");
        header.addAll(hasSeeds ? List.of("95 % CI") : List.of());
        header.addAll(List.of("median", "p95", "p99", "used %", "never started", "steady"));
        TextTable table = new TextTable(1, header.toArray(String[]::new));
        for (ClusterResult result : results) {
            List<String> row = new ArrayList<>(
                    List.of(result.name(), String.valueOf(result.nodes().size()), String.valueOf(result.gpus())));
            if (hasPrices) {
                row.add(SummaryTable.number("%,.0f", models.pricePerHour(result.nodes())));
            }
            Estimate wait = result.estimate(RunNumbers::meanWaitMinutes);
            row.add(oneDecimal(wait.mean()));
            if (hasSeeds) {
                row.add(oneDecimal(Math.max(0, wait.mean() - wait.halfWidth())) + ".."
                        + oneDecimal(wait.mean() + wait.halfWidth()));
            }
            row.add(oneDecimal(result.mean(RunNumbers::medianWaitMinutes)));
            row.add(oneDecimal(result.mean(RunNumbers::p95WaitMinutes)));
            row.add(oneDecimal(result.mean(RunNumbers::p99WaitMinutes)));
            row.add(oneDecimal(result.mean(RunNumbers::usedPercent)));
            row.add(oneDecimal(result.neverStarted()));
            row.add(result.steady() + " of " + result.runs().size());
            table.row(row);
        }
        return table.toString();
    }

    private static String oneDecimal(double value) {
        return SummaryTable.number("%.1f", value);
    }

    /** Returns which jobs can never run on a cluster, whose name may be empty, and why; nothing if all can. */
    static String never(String cluster, List<NeverRun> never) {
        StringBuilder text = new StringBuilder();
        for (NeverRun one : never.subList(0, Math.min(SHOWN, never.size()))) {
            int others = one.jobs().size() - 1;
            text.append(cluster.isEmpty() ? "\njob " : "\non cluster " + cluster + " job ")
                    .append(one.jobs().get(0));
            text.append(others == 0 ? "" : " and " + others + " like it").append(" can never run:\n");
            text.append(one.diagnosis().indent(2));
        }
        int more = never.stream().skip(SHOWN).mapToInt(one -> one.jobs().size()).sum();
        return text + (more == 0 ? "" : "and " + more + " jobs of other kinds\n");
    }
}
