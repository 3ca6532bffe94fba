package io.gpusched.cli;

import io.gpusched.model.Node;
import io.gpusched.simulator.Seeds;
import io.gpusched.simulator.capacity.CapacityStudy;
import io.gpusched.simulator.capacity.ClusterChange;
import io.gpusched.simulator.capacity.ClusterResult;
import io.gpusched.simulator.capacity.Goal;
import io.gpusched.simulator.capacity.ModelTable;
import io.gpusched.simulator.capacity.Resampling;
import io.gpusched.simulator.capacity.RunStore;
import io.gpusched.simulator.capacity.SizeSearch;
import io.gpusched.simulator.policy.LibraryPolicies;
import io.gpusched.simulator.replay.NeverRun;
import io.gpusched.simulator.replay.QueueOrder;
import io.gpusched.simulator.replay.ReplaySettings;
import io.gpusched.simulator.replay.Scenario;
import io.gpusched.simulator.report.ReplayReport;
import io.gpusched.simulator.report.ReportPage;
import io.gpusched.simulator.trace.GangTrace;
import io.gpusched.simulator.trace.JobColumns;
import io.gpusched.simulator.trace.JobList;
import io.gpusched.simulator.trace.JobTrace;
import io.gpusched.simulator.trace.SubmittedJob;
import io.gpusched.simulator.trace.TraceJob;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code gpu-sched simulate plan}: how a job list would wait on other clusters, and how large one must be. */
@Command(
        name = "plan",
        mixinStandardHelpOptions = true,
        description =
                "Replays a job list on a cluster, on others that are changed, and on larger ones until its waits are short"
                        + " enough: which nodes to buy.",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:all clusters can run all jobs, and the goal is met",
            "1:some jobs can never run, or the goal is not met by the most nodes",
            "2:bad input"
        })
final class SimulatePlanCommand implements Callable<Integer> {
    private static final int HOUR_SECONDS = 3_600;
    private static final String NOW = "now";

    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = "--trace",
            required = true,
            paramLabel = "F",
            description = "the job list: that of a published trace, what sacct -P prints, or CSV with the columns"
                    + " submit,gpus,run_seconds and more (docs/capacity.md)")
    @SuppressWarnings("NullAway.Init")
    private Path trace;

    @Option(
            names = "--columns",
            paramLabel = "WHAT=COLUMN[:UNIT],...",
            converter = PlanOptions.Columns.class,
            description =
                    "which column of the list says what, such as submit=ts:ms,gpus=n,duration=dur:min; units are s, ms, min and h"
                            + " (default: as its header tells; docs/capacity.md has all)")
    private JobColumns columns = JobColumns.NONE;

    @Option(
            names = "--cluster",
            paramLabel = "F",
            description = "the machines: a node list in CSV, the form of place, or what kubectl printed")
    private @Nullable Path cluster;

    @Option(
            names = "--pool",
            paramLabel = "NxG",
            converter = Ranges.Pools.class,
            description = "N nodes of G V100 instead of --cluster (default: 100x8)")
    private Ranges.@Nullable Pool pool;

    @Option(
            names = "--until",
            paramLabel = "GOAL",
            converter = PlanOptions.Goals.class,
            description = "what must hold, such as \"mean wait < 10m\"; mean, median, p95 or p99; goes with --grow")
    private @Nullable Goal until;

    @Option(
            names = "--grow",
            paramLabel = "N@KIND",
            converter = PlanOptions.Growths.class,
            description =
                    "adds up to N nodes like a node or GPU model of the cluster, or of a size such as 8xH100, until it holds")
    private PlanOptions.@Nullable Growth grow;

    @Option(
            names = "--what-if",
            paramLabel = "CHANGE",
            converter = PlanOptions.Changes.class,
            description =
                    "another cluster beside: nodes that go and come, such as -200@V100,+40@8xH100; may be given several times")
    private List<ClusterChange> changes = new ArrayList<>();

    @Option(
            names = "--models",
            paramLabel = "F",
            description =
                    "CSV with the columns model, speed and price (of a GPU an hour): jobs run as long as the list says at speed 1")
    private @Nullable Path models;

    @Option(
            names = "--arrivals",
            paramLabel = "X",
            converter = Ranges.Arrivals.class,
            description =
                    "so many times as many jobs in a time, whatever the cluster, 0.01..100 (default: ${DEFAULT-VALUE})")
    private double arrivals = 1;

    @Option(
            names = "--queue",
            paramLabel = "ORDER",
            converter = Ranges.Order.class,
            description = "fifo-skip or shortest-first (default: fifo-skip)")
    private QueueOrder queue = QueueOrder.FIFO_SKIP;

    @Option(
            names = "--interval",
            paramLabel = "SECONDS",
            converter = Ranges.Interval.class,
            description = "how often waiting jobs are tried, 1..86400 (default: whenever a job arrives or ends)")
    private int interval = ReplaySettings.ON_THE_EVENT;

    @Option(names = "--policy", paramLabel = "NAME", description = "where jobs go (default: ${DEFAULT-VALUE})")
    private String policy = "bin-pack";

    @Option(
            names = "--seeds",
            paramLabel = "42..51",
            converter = Seeds.Converter.class,
            description = "draws other arrivals of the same kind for each seed: blocks of the list, with replacement"
                    + " (default: the list as it is)")
    private @Nullable Seeds seeds;

    @Option(
            names = "--block-hours",
            paramLabel = "X",
            converter = Ranges.Hours.class,
            description =
                    "the length of a block of --seeds, 0.01..1000 (default: 24, or a thirtieth of a list of less than 30 days)")
    private @Nullable Double blockHours;

    @Option(
            names = "--threads",
            paramLabel = "n",
            converter = Ranges.Threads.class,
            description =
                    "runs to play at once, 1..1024 (default: one for each processor); the numbers are the same with any")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Option(
            names = "--csv",
            paramLabel = "F",
            description = "keeps a row for each run; a run that is there already is not played again")
    private @Nullable Path csv;

    @Option(names = "--report", paramLabel = "F.html", description = "writes a page with all clusters side by side")
    private @Nullable Path report;

    @Override
    public Integer call() throws IOException {
        check();
        List<Node> nodes = nodes();
        ModelTable table = models == null ? ModelTable.NONE : ModelTable.read(models);
        JobList list = JobTrace.read(trace, columns);
        Scenario scenario = new Scenario(WorkloadOptions.name(trace), nodes, jobs(list, table)).withArrivals(arrivals);
        Map<String, List<Node>> clusters = new LinkedHashMap<>();
        clusters.put(NOW, nodes);
        changes.forEach(change -> clusters.put(change.toString(), change.of(nodes)));
        ReplaySettings settings = ReplaySettings.DEFAULT
                .withOrder(queue)
                .withCycleSeconds(interval)
                .withSpeeds(table.speeds());
        try (RunStore store = csv == null ? RunStore.none() : RunStore.in(csv)) {
            Resampling resampling = resampling();
            CapacityStudy study = new CapacityStudy(scenario, settings, policy, resampling, store);
            PlanTable printed = new PlanTable(scenario, list, table, resampling);
            PrintWriter out = Commands.out(spec);
            out.print(printed.heading());
            boolean isMet = until == null || grow == null
                    ? show(study, clusters, printed, out)
                    : search(study, nodes, until, grow, clusters, printed, out);
            if (report != null) {
                writeReport(study, clusters, printed);
            }
            out.print(RunHeader.of(spec, seeds == null ? List.of() : seeds.values(), List.of(policy), false));
            out.flush();
            return isMet ? 0 : 1;
        }
    }

    /** Prints the clusters side by side, and which jobs can never run there; returns whether all can. */
    private boolean show(CapacityStudy study, Map<String, List<Node>> clusters, PlanTable printed, PrintWriter out) {
        out.print(printed.of(study.play(clusters, threads)));
        boolean all = true;
        for (Map.Entry<String, List<Node>> one : clusters.entrySet()) {
            List<NeverRun> never = NeverRun.of(one.getValue(), study.scenario().jobs());
            out.print(PlanTable.never(one.getKey(), never));
            all &= never.isEmpty();
        }
        return all;
    }

    private boolean search(
            CapacityStudy study,
            List<Node> nodes,
            Goal goal,
            PlanOptions.Growth growth,
            Map<String, List<Node>> clusters,
            PlanTable printed,
            PrintWriter out) {
        SizeSearch.Answer answer = SizeSearch.of(study, nodes, growth.kind(), growth.most(), goal, threads);
        out.print(printed.of(answer.tried()));
        out.println("\n" + goal.text() + ": "
                + (answer.added().isPresent() ? "+" + answer.added().getAsInt() + "@" + growth.kind() : "not met")
                + "\n" + answer.why());
        ClusterResult last = answer.tried().stream()
                .filter(result -> answer.added().isEmpty()
                        || result.name().equals("+" + answer.added().getAsInt() + "@" + growth.kind()))
                .reduce((first, second) -> second)
                .orElseThrow();
        clusters.put(last.name(), last.nodes());
        List<NeverRun> never = NeverRun.of(last.nodes(), study.scenario().jobs());
        out.print(PlanTable.never(last.name(), never));
        return answer.added().isPresent() && never.isEmpty();
    }

    private void writeReport(CapacityStudy study, Map<String, List<Node>> clusters, PlanTable printed)
            throws IOException {
        RunHeader header = RunHeader.of(spec, seeds == null ? List.of() : seeds.values(), List.of(policy), false);
        ReplayReport page = ReplayReport.of(
                "gpu-sched: " + study.scenario().name() + " on " + clusters.size() + " clusters",
                printed.heading().strip(),
                study.scenario(),
                study.replays(clusters, threads));
        ReportPage.write(java.util.Objects.requireNonNull(report), page.with(header.notes()));
    }

    private void check() {
        refuse(cluster != null && pool != null, "--cluster and --pool are two ways to say the same");
        refuse((until == null) != (grow == null), "--until and --grow go together");
        refuse(until != null && !changes.isEmpty(), "--until and --what-if are two questions; ask one after the other");
        refuse(seeds == null && blockHours != null, "--block-hours goes with --seeds");
        refuse(
                !LibraryPolicies.names().contains(policy),
                "--policy must be one of " + String.join(", ", LibraryPolicies.names()) + ", got \"" + policy + "\"");
        OptionErrors.checkWritable(spec, "--csv", csv);
        OptionErrors.checkWritable(spec, "--report", report);
    }

    private void refuse(boolean bad, String message) {
        if (bad) {
            throw OptionErrors.bad(spec, message);
        }
    }

    private List<Node> nodes() {
        if (cluster != null) {
            return ClusterFiles.nodes(cluster);
        }
        return pool == null ? GangTrace.nodes(100, 8) : GangTrace.nodes(pool.nodes(), pool.gpus());
    }

    /** The jobs at speed 1: one that ran on GPUs twice as fast would run twice as long. */
    private static List<TraceJob> jobs(JobList list, ModelTable table) {
        List<TraceJob> jobs = new ArrayList<>();
        for (SubmittedJob job : list.jobs()) {
            double speed = job.ranOn().isEmpty() ? 1 : table.speeds().of(job.ranOn());
            jobs.add(
                    speed == 1
                            ? job.job()
                            : job.job().withRun(Math.round(job.job().lifetime().runSeconds() * speed)));
        }
        return jobs;
    }

    private Resampling resampling() {
        return seeds == null
                ? Resampling.NONE
                : new Resampling(
                        seeds.values(), blockHours == null ? 0 : Math.max(1, Math.round(blockHours * HOUR_SECONDS)));
    }
}
