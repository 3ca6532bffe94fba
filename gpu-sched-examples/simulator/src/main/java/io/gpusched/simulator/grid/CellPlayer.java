package io.gpusched.simulator.grid;

import io.gpusched.model.Node;
import io.gpusched.queue.JobQueue;
import io.gpusched.queue.QueueTree;
import io.gpusched.simulator.cycle.CycleReplay;
import io.gpusched.simulator.cycle.CycleResult;
import io.gpusched.simulator.cycle.CycleRule;
import io.gpusched.simulator.cycle.CycleScenario;
import io.gpusched.simulator.cycle.Promises;
import io.gpusched.simulator.cycle.QueueNumbers;
import io.gpusched.simulator.cycle.RunTimes;
import io.gpusched.simulator.policy.LibraryPolicies;
import io.gpusched.simulator.replay.BlockBootstrap;
import io.gpusched.simulator.replay.NeverRun;
import io.gpusched.simulator.replay.Replay;
import io.gpusched.simulator.replay.ReplayResult;
import io.gpusched.simulator.replay.ReplaySettings;
import io.gpusched.simulator.replay.Sample;
import io.gpusched.simulator.replay.Scenario;
import io.gpusched.simulator.trace.GangTrace;
import io.gpusched.simulator.trace.JobTrace;
import io.gpusched.simulator.trace.SubmittedJob;
import io.gpusched.simulator.trace.TracePod;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Plays a cell. The row is a function of the cell, the settings and the content of the files; thread-safe. */
@FunctionalInterface
public interface CellPlayer {
    /** Returns the row of a cell. */
    GridRow play(Cell cell) throws Exception;

    /**
     * Returns what plays cells in this process.
     *
     * @param machines reads a file of machines, such as {@link io.gpusched.simulator.trace.NodeTable#read}
     */
    static CellPlayer here(Grid grid, Function<Path, List<Node>> machines) {
        GridSettings settings = grid.settings();
        Map<String, Path> files = grid.files();
        return cell -> play(cell, settings, name -> Objects.requireNonNull(files.get(name), name), machines);
    }

    /**
     * Plays a cell.
     *
     * @param files where the file of a name is
     * @param machines reads a file of machines
     * @throws io.gpusched.simulator.trace.TraceException if a file cannot be used
     */
    static GridRow play(
            Cell cell, GridSettings settings, Function<String, Path> files, Function<Path, List<Node>> machines) {
        List<Node> nodes;
        if (settings.digests().containsKey(cell.cluster())) {
            nodes = machines.apply(files.apply(cell.cluster()));
        } else {
            int[] pool = Grid.pool(cell.cluster());
            nodes = GangTrace.nodes(pool[0], pool[1]);
        }
        Map<GridColumn, Object> values = settings.of(cell);
        Scenario scenario = scenario(cell, settings, files.apply(cell.trace()), nodes);
        String failure = never(NeverRun.of(nodes, scenario.jobs()));
        if (!failure.isEmpty()) {
            values.put(GridColumn.FAILURE, failure);
        } else if (cell.isByPolicy()) {
            replay(cell, settings, scenario, values);
        } else {
            CycleRule rule = CycleRule.parse(cell.rule());
            cycle(CycleReplay.play(queued(scenario), rule, RunTimes.parse(cell.told())), values);
        }
        return GridRow.of(cell, values);
    }

    private static Scenario scenario(Cell cell, GridSettings settings, Path trace, List<Node> nodes) {
        Scenario scenario = new Scenario(
                cell.trace(),
                nodes,
                JobTrace.read(trace, settings.jobColumns()).jobs().stream()
                        .map(SubmittedJob::job)
                        .toList());
        scenario = cell.load() == 0 ? scenario : scenario.withLoad(cell.load());
        long blockSeconds = Math.max(1, Math.round(settings.blockHours() * 3_600));
        return cell.seed() == 0 ? scenario : BlockBootstrap.of(scenario, blockSeconds, cell.seed());
    }

    /** All jobs in one queue. */
    private static CycleScenario queued(Scenario scenario) {
        QueueTree queues = QueueTree.of(List.of(JobQueue.builder("all").build()));
        return CycleScenario.of(
                scenario.name(),
                scenario.nodes(),
                queues,
                scenario.jobs().stream()
                        .map(job -> new SubmittedJob(job, "all"))
                        .toList());
    }

    private static String never(List<NeverRun> never) {
        return never.stream()
                .map(one -> "job " + one.jobs().get(0)
                        + (one.jobs().size() == 1 ? "" : " and " + (one.jobs().size() - 1) + " like it")
                        + " can never run: " + inOneLine(one.diagnosis()))
                .collect(Collectors.joining("; "));
    }

    /** A row is a line, so that one that was cut is known by its missing end. */
    private static String inOneLine(String text) {
        return text.lines().map(String::strip).collect(Collectors.joining("; "));
    }

    private static void cycle(CycleResult result, Map<GridColumn, Object> values) {
        if (!result.never().isEmpty()) {
            values.put(
                    GridColumn.FAILURE,
                    result.never().entrySet().stream()
                            .map(job -> "job " + job.getKey() + " never started: " + inOneLine(job.getValue()))
                            .collect(Collectors.joining("; ")));
            return;
        }
        List<QueueNumbers> queues = result.numbers();
        QueueNumbers all = queues.get(queues.size() - 1);
        Promises promises = result.promises();
        values.put(GridColumn.JOBS, all.jobs());
        values.put(GridColumn.MEAN_WAIT_MINUTES, all.meanWaitMinutes());
        values.put(GridColumn.MEDIAN_WAIT_MINUTES, all.medianWaitMinutes());
        values.put(GridColumn.P95_WAIT_MINUTES, all.p95WaitMinutes());
        values.put(GridColumn.P99_WAIT_MINUTES, all.p99WaitMinutes());
        values.put(GridColumn.MEAN_COMPLETION_MINUTES, all.meanCompletionMinutes());
        values.put(GridColumn.USED_PERCENT, all.usedPercent());
        values.put(GridColumn.EVICTIONS, all.evictions());
        values.put(GridColumn.TOLD_STARTS, promises.told());
        values.put(GridColumn.SLIPPED, promises.slipped());
        values.put(GridColumn.MEAN_SLIP_MINUTES, promises.meanSlipMinutes());
        values.put(GridColumn.P99_SLIP_MINUTES, promises.p99SlipMinutes());
        values.put(GridColumn.PREDICTION_ERROR_PERCENT, promises.meanErrorPercent());
    }

    private static void replay(Cell cell, GridSettings settings, Scenario scenario, Map<GridColumn, Object> values) {
        ReplayResult result = Replay.play(
                scenario,
                cell.rule(),
                LibraryPolicies.of(
                        cell.rule(),
                        () -> scenario.pods().stream().map(TracePod::pod).toList(),
                        cell.seed()),
                ReplaySettings.DEFAULT.withCycleSeconds(settings.intervalSeconds()),
                cell.seed());
        if (result.neverStarted() > 0) {
            values.put(GridColumn.FAILURE, result.neverStarted() + " jobs never started");
            return;
        }
        values.put(GridColumn.JOBS, scenario.jobs().size());
        values.put(GridColumn.MEAN_WAIT_MINUTES, result.meanWaitSeconds() / 60);
        values.put(GridColumn.MEDIAN_WAIT_MINUTES, result.waitSeconds(50) / 60);
        values.put(GridColumn.P95_WAIT_MINUTES, result.waitSeconds(95) / 60);
        values.put(GridColumn.P99_WAIT_MINUTES, result.waitSeconds(99) / 60);
        values.put(GridColumn.USED_PERCENT, result.whileArriving(Sample::usedPercent));
        values.put(GridColumn.STEADY, result.unsteady().isEmpty());
    }
}
