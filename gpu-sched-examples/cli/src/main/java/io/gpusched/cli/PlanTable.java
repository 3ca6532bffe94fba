package io.gpusched.cli;

import io.gpusched.simulator.capacity.ClusterResult;
import io.gpusched.simulator.capacity.ModelTable;
import io.gpusched.simulator.capacity.Resampling;
import io.gpusched.simulator.capacity.RunNumbers;
import io.gpusched.simulator.replay.NeverRun;
import io.gpusched.simulator.replay.Scenario;
import io.gpusched.simulator.trace.JobList;
import io.gpusched.simulator.trace.TraceJob;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Clusters side by side, a row for each. */
final class PlanTable {
    private static final int SHOWN = 5;

    private final Scenario scenario;
    private final JobList list;
    private final ModelTable models;
    private final Resampling resampling;

    PlanTable(Scenario scenario, JobList list, ModelTable models, Resampling resampling) {
        this.scenario = scenario;
        this.list = list;
        this.models = models;
        this.resampling = resampling;
    }

    /** Returns what is played, and what the columns are. */
    String heading() {
        return String.format(
                Locale.ROOT,
                "%s: %s; offered load %.2f of the cluster as it is%nlist: %s%n"
                        + "waits before the first start, in minutes; used: GPU compute, mean while jobs arrive%n%s%n",
                scenario.name(),
                jobs(scenario),
                scenario.load(),
                list,
                blocks());
    }

    /** Returns the number of jobs and of gangs, and the time over which they arrive. */
    static String jobs(Scenario scenario) {
        long idle = scenario.jobs().stream().filter(job -> job.gpuMillis() == 0).count();
        boolean isShort = scenario.spanSeconds() < 86_400;
        return String.format(
                Locale.ROOT,
                "%,d %s, %,d of them gangs%s, arrive over %.1f %s",
                scenario.jobs().size(),
                scenario.jobs().size() == 1 ? "job" : "jobs",
                scenario.jobs().stream().filter(TraceJob::isGang).count(),
                idle == 0 ? "" : String.format(Locale.ROOT, ", %,d without GPU compute", idle),
                scenario.spanSeconds() / (isShort ? 3_600.0 : 86_400.0),
                isShort ? "hours" : "days");
    }

    /** Says of how many blocks each seed draws, and that they are too few; nothing without seeds. */
    private String blocks() {
        int blocks = resampling.blocks(scenario);
        if (blocks == 0) {
            return "";
        }
        String drawn = String.format(
                Locale.ROOT,
                "each seed draws %,d %s of %.1f hours; 95 %% CI: where the mean wait lies for 95 of 100 lists of"
                        + " this kind%n",
                blocks,
                blocks == 1 ? "block" : "blocks",
                resampling.blockSeconds(scenario) / 3_600.0);
        if (blocks < 2) {
            return drawn
                    + "warning: one block is the whole list, so there is no interval; give a shorter --block-hours\n";
        }
        return blocks < Resampling.FEW_BLOCKS
                ? drawn + "warning: " + blocks
                        + " blocks are few, so intervals are not to be relied on; give a longer list, or"
                        + " shorter --block-hours if jobs of one block do not depend on jobs of another\n"
                : drawn;
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
            row.add(oneDecimal(result.mean(RunNumbers::meanWaitMinutes)));
            if (hasSeeds) {
                row.add(result.interval(RunNumbers::meanWaitMinutes)
                        .map(wait -> oneDecimal(wait.low()) + ".." + oneDecimal(wait.high()))
                        .orElse("-"));
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
