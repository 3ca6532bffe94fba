package io.gpusched.cli;

import io.gpusched.policy.PlacementPolicy;
import io.gpusched.simulator.Parallel;
import io.gpusched.simulator.replay.NeverRun;
import io.gpusched.simulator.replay.Replay;
import io.gpusched.simulator.replay.ReplayCsv;
import io.gpusched.simulator.replay.ReplayResult;
import io.gpusched.simulator.replay.ReplaySummary;
import io.gpusched.simulator.replay.Scenario;
import io.gpusched.simulator.report.ReplayNumbers;
import io.gpusched.simulator.report.ReplayReport;
import io.gpusched.simulator.report.ReportPage;
import io.gpusched.simulator.trace.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Replays one scenario on several policies. */
final class ReplayRun {
    private final ReplayOptions options;
    private final WorkloadOptions source;

    ReplayRun(ReplayOptions options, WorkloadOptions source) {
        this.options = options;
        this.source = source;
    }

    /** Plays all replays and returns the table to print. */
    ReplayTable play(
            List<String> policies,
            RunHeader header,
            int threads,
            @Nullable Path csv,
            @Nullable Path report,
            @Nullable Path summary)
            throws IOException {
        Scenario scenario = options.scenario(source);
        Workload workload = new Workload(scenario.name(), scenario.nodes(), scenario.pods());
        List<Callable<ReplayResult>> replays = new ArrayList<>();
        for (String name : policies) {
            for (long seed : header.seeds()) {
                PlacementPolicy policy = PolicyCatalog.core(name, workload, seed);
                replays.add(
                        () -> Replay.play(options.arrivals(scenario, seed), name, policy, options.settings(), seed));
            }
        }
        List<ReplayResult> results = Parallel.all(replays, threads);
        if (csv != null) {
            ReplayCsv.write(csv, scenario.name(), results);
        }
        List<ReplaySummary> summaries = ReplaySummary.of(results);
        ReplayTable table = new ReplayTable(
                scenario, options.listed(), options.queue(), summaries, NeverRun.of(scenario.nodes(), scenario.jobs()));
        String title = "gpu-sched replay of " + scenario.name() + " by its own times, " + header.seedsInWords();
        if (report != null) {
            ReportPage.write(
                    report,
                    ReplayReport.of(title, table.subtitle(), scenario, summaries)
                            .with(header.notes()));
        }
        if (summary != null) {
            Map<String, ReplayNumbers> numbers = new LinkedHashMap<>();
            summaries.forEach(one -> numbers.put(one.policy(), ReplayNumbers.of(one)));
            header.write(summary, title + ": " + table.subtitle(), numbers);
        }
        return table;
    }
}
