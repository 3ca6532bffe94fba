package io.gpusched.cli;

import io.gpusched.simulator.cycle.CycleResult;
import io.gpusched.simulator.cycle.CycleRule;
import io.gpusched.simulator.cycle.CycleScenario;
import io.gpusched.simulator.cycle.PlayedJob;
import io.gpusched.simulator.cycle.Promises;
import io.gpusched.simulator.cycle.QueueNumbers;
import io.gpusched.simulator.replay.Scenario;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The same jobs by several rules: a row for each. */
final class CycleComparison {
    private static final int LARGE_GPUS = 32;

    private CycleComparison() {}

    /** Plays the jobs by each rule and returns the table. */
    static String of(
            CycleScenario scenario,
            String listed,
            List<CycleRule> rules,
            BiFunction<CycleScenario, CycleRule, CycleResult> play) {
        Scenario jobs = scenario.jobs();
        TextTable table = new TextTable(
                1,
                "backfill",
                "mean wait",
                "p95",
                "p99",
                "completion",
                "> 32 GPUs",
                "2 x fifo",
                "told",
                "slipped",
                "mean slip",
                "p99 slip",
                "error %",
                "evictions");
        Map<CycleRule, CycleResult> results = new LinkedHashMap<>();
        rules.forEach(rule -> results.computeIfAbsent(rule, each -> play.apply(scenario, each)));
        CycleResult fifo = results.get(CycleRule.FIFO);
        Map<String, PlayedJob> first = fifo == null ? null : byName(fifo);
        results.forEach((rule, result) -> table.row(row(rule, result, first)));
        return String.format(
                        Locale.ROOT,
                        "%s: %,d nodes, %,d GPUs; %,d jobs; offered load %.2f%n",
                        jobs.name(),
                        jobs.nodes().size(),
                        jobs.gpuMillis() / 1_000,
                        jobs.jobs().size(),
                        jobs.load())
                + "list: " + listed + "\n"
                + "times in minutes; > 32 GPUs: mean wait of these jobs, and how many of them wait"
                + " longer than twice their wait without backfill (nobody);\n"
                + "told: jobs with an announced start (by promised: with a promised start), and"
                + " how many of them started later; error of the predicted completion\n\n"
                + table;
    }

    private static Map<String, PlayedJob> byName(CycleResult result) {
        return result.jobs().stream().collect(Collectors.toMap(PlayedJob::name, Function.identity()));
    }

    private static List<String> row(CycleRule rule, CycleResult result, @Nullable Map<String, PlayedJob> fifo) {
        List<QueueNumbers> queues = result.numbers();
        QueueNumbers all = queues.get(queues.size() - 1);
        Promises promises = result.promises();
        List<PlayedJob> large = result.jobs().stream()
                .filter(job -> job.gpus() > LARGE_GPUS && job.started().isPresent())
                .toList();
        return List.of(
                rule.toString(),
                number(all.meanWaitMinutes()),
                number(all.p95WaitMinutes()),
                number(all.p99WaitMinutes()),
                number(all.meanCompletionMinutes()),
                number(large.stream().mapToLong(PlayedJob::waited).average().orElse(0) / 60),
                fifo == null
                        ? "-"
                        : String.valueOf(large.stream()
                                .filter(job -> isOvertaken(job, fifo.get(job.name())))
                                .count()),
                String.valueOf(promises.told()),
                String.valueOf(promises.slipped()),
                number(promises.meanSlipMinutes()),
                number(promises.p99SlipMinutes()),
                SummaryTable.number("%.2f", promises.meanErrorPercent()),
                String.valueOf(all.evictions()));
    }

    private static boolean isOvertaken(PlayedJob job, @Nullable PlayedJob fifo) {
        return fifo != null && fifo.started().isPresent() && job.waited() > 2 * fifo.waited();
    }

    private static String number(double value) {
        return SummaryTable.number("%.1f", value);
    }
}
