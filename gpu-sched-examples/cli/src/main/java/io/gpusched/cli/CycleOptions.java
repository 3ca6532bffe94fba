package io.gpusched.cli;

import io.gpusched.manifests.yaml.InputException;
import io.gpusched.model.Node;
import io.gpusched.queue.JobQueue;
import io.gpusched.queue.QueueTree;
import io.gpusched.replay.Recorder;
import io.gpusched.replay.RecorderLimits;
import io.gpusched.simulator.cycle.CycleCsv;
import io.gpusched.simulator.cycle.CycleReplay;
import io.gpusched.simulator.cycle.CycleResult;
import io.gpusched.simulator.cycle.CycleRule;
import io.gpusched.simulator.cycle.CycleScenario;
import io.gpusched.simulator.cycle.RunTimes;
import io.gpusched.simulator.report.CurveReport;
import io.gpusched.simulator.report.ReportPage;
import io.gpusched.simulator.trace.GangTrace;
import io.gpusched.simulator.trace.JobColumns;
import io.gpusched.simulator.trace.JobList;
import io.gpusched.simulator.trace.JobTrace;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;

/** The options of a replay through queues. */
final class CycleOptions {
    private static final Set<String> ALLOWED = Set.of(
            "--cycle",
            "--trace",
            "--queues",
            "--backfill",
            "--told",
            "--promise-above",
            "--pool",
            "--cluster",
            "--arrivals",
            "--columns",
            "--jobs-csv",
            "--record",
            "--load",
            "--csv",
            "--report",
            "--summary");

    @Option(
            names = "--cycle",
            description =
                    "play a job list through scheduling cycles with queues: a cycle whenever a job arrives or ends."
                            + " Evictions and moves take no time; an evicted job keeps what it has run, and runs what is"
                            + " left once it starts again")
    private boolean on;

    @Option(
            names = "--trace",
            paramLabel = "F",
            converter = ListFile.class,
            description =
                    "job list (- for standard input), in any form that simulate plan takes; a job that is larger than a node becomes a gang")
    private @Nullable Path trace;

    @Option(
            names = "--queues",
            paramLabel = "F.yaml",
            description = "queues, each with name, parent, priority, and resources: {gpu: {deserved, limit,"
                    + " overQuotaWeight}}. The jobs of a virtual cluster (column vc), else of a user, are in the"
                    + " queue of that name; other owners are given to the queues in turn (default: one queue)")
    private @Nullable Path queues;

    @Option(
            names = "--pool",
            paramLabel = "NxG",
            converter = Ranges.Pools.class,
            description = "N nodes of G GPUs; G alone is one node (default: 100x8)")
    private Ranges.Pool pool = new Ranges.Pool(100, 8);

    @Option(
            names = "--backfill",
            paramLabel = "RULE[:ORDER]",
            converter = Ranges.CycleRules.class,
            description =
                    "which jobs may start while an earlier job waits: anyone (any job that fits), nobody (none: first"
                            + " come, first served), easy (a job that does not delay the first waiting job), conservative"
                            + " (one that delays no waiting job), promised (one that delays neither the first waiting job"
                            + " nor a job that is promised its start: --promise-above); with all but anyone no job is"
                            + " evicted or moved (default: anyone). Or tiresias: any job that fits, but jobs that have"
                            + " used more than a GPU hour are preempted for others. ORDER says which of two jobs comes"
                            + " first: submitted (default) or shortest. Several, such as nobody,promised:shortest, are"
                            + " compared in a table")
    private Ranges.Rules backfill = new Ranges.Rules(List.of(CycleRule.ANYONE));

    @Option(
            names = "--promise-above",
            paramLabel = "N",
            converter = Ranges.Gpus.class,
            description =
                    "with --backfill promised: jobs of more than N GPUs are promised their start (default: jobs larger"
                            + " than a node)")
    private @Nullable Integer promisedAbove;

    @Option(
            names = "--told",
            paramLabel = "T",
            converter = Ranges.ToldTimes.class,
            description =
                    "the run times that the scheduler is given: exact, hours (rounded up to whole hours), limits (the"
                            + " time limits that the list has), within:P (each job off by up to P percent), log-normal:M"
                            + " (each job times a factor of mean M); jobs run on past it (default: exact)")
    private RunTimes told = RunTimes.EXACT;

    @Option(
            names = "--jobs-csv",
            paramLabel = "F",
            description =
                    "write a row for each job as CSV: when it was submitted, given its first announced start, started"
                            + " and ended")
    private @Nullable Path jobsCsv;

    @Option(
            names = "--record",
            paramLabel = "DIR",
            description = "record what each cycle saw and decided as a history that gpu-sched replay plays")
    private @Nullable Path record;

    private String listed = "";

    /**
     * Checks that the options go together.
     *
     * @throws picocli.CommandLine.ParameterException if they do not
     */
    void check(@Nullable CommandSpec spec) {
        if (!on || trace == null) {
            throw OptionErrors.bad(spec, "--cycle and --trace go together");
        }
        Objects.requireNonNull(spec).commandLine().getParseResult().matchedOptions().stream()
                .map(OptionSpec::longestName)
                .filter(name -> !ALLOWED.contains(name))
                .findFirst()
                .ifPresent(name -> {
                    throw OptionErrors.bad(spec, name + " does not go with --cycle");
                });
        if (backfill.rules().size() > 1 && jobsCsv != null) {
            throw OptionErrors.bad(spec, "--jobs-csv goes with one rule of --backfill");
        }
        if (backfill.rules().size() > 1 && record != null) {
            throw OptionErrors.bad(spec, "--record goes with one rule of --backfill");
        }
        OptionErrors.checkWritable(spec, "--jobs-csv", jobsCsv);
    }

    /** The files to write beside the table; null for files that are not asked for. */
    record Files(
            @Nullable Path csv,
            @Nullable Path report,
            @Nullable Path summary) {}

    /** Plays the jobs, prints what came of them and writes files; returns whether all have run. */
    boolean play(@Nullable CommandSpec spec, @Nullable ReplayOptions jobs, Files files) throws IOException {
        CycleScenario scenario = scenario(jobs);
        PrintWriter out = Commands.out(spec);
        if (backfill.rules().size() > 1) {
            out.print(CycleComparison.of(scenario, listed, backfill.rules(), this::play));
            out.flush();
            return true;
        }
        CycleResult result = play(scenario, backfill.rules().get(0));
        RunHeader header = RunHeader.of(spec, List.of(), List.of(), false);
        CycleTable table = new CycleTable(scenario, listed, result);
        write(files, header, table, result);
        out.print(table);
        out.flush();
        return result.never().isEmpty();
    }

    private CycleResult play(CycleScenario scenario, CycleRule rule) {
        if (record == null) {
            return CycleReplay.play(scenario, rule, told);
        }
        RecorderLimits whole = RecorderLimits.USUAL.withBacklog(0); // a simulation waits for the disk
        List<String> failed = new ArrayList<>();
        CycleResult result;
        try (Recorder recorder = Recorder.open(record, whole, failed::add)) {
            result = CycleReplay.play(scenario, rule, told, recorder::add);
        }
        if (!failed.isEmpty()) {
            throw new InputException(record.toString(), 0, "", "cannot be written: " + failed.get(0));
        }
        return result;
    }

    private void write(Files files, RunHeader header, CycleTable table, CycleResult result) throws IOException {
        if (jobsCsv != null) {
            CycleCsv.writeJobs(jobsCsv, result);
        }
        if (files.csv() != null) {
            CycleCsv.writeSeries(files.csv(), result);
        }
        if (files.summary() != null) {
            Map<String, Object> numbers = new LinkedHashMap<>();
            result.numbers().forEach(row -> numbers.put(row.queue(), row));
            header.write(files.summary(), table.title(), numbers);
        }
        if (files.report() != null) {
            List<String> notes = List.of(header.version() + ": " + header.command(), table.units());
            ReportPage.write(files.report(), CurveReport.ofQueues("gpu-sched: " + table.title(), notes, result));
        }
    }

    private CycleScenario scenario(@Nullable ReplayOptions jobs) {
        Path file = Objects.requireNonNull(trace, "trace");
        Path machines = jobs == null ? null : jobs.cluster();
        List<Node> nodes = machines == null ? GangTrace.nodes(pool.nodes(), pool.gpus()) : ClusterFiles.nodes(machines);
        JobList list = JobTrace.read(file, jobs == null ? JobColumns.NONE : jobs.columns());
        listed = list.toString();
        CycleScenario scenario = CycleScenario.of(WorkloadOptions.name(file), nodes, queues(), list.jobs());
        CycleScenario timed = jobs == null ? scenario : scenario.withJobs(jobs.timed(scenario.jobs()));
        return promisedAbove == null ? timed : timed.withPromisedAbove(promisedAbove);
    }

    private QueueTree queues() {
        return queues == null ? QueueTree.of(List.of(JobQueue.builder("all").build())) : QueueFile.read(queues);
    }
}
