package io.gpusched.cli;

import io.gpusched.model.Node;
import io.gpusched.simulator.Seeds;
import io.gpusched.simulator.capacity.CapacityStudy;
import io.gpusched.simulator.capacity.CheapestSearch;
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
import io.gpusched.simulator.report.PlanPart;
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
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code gpu-sched simulate plan}: how a job list would wait on other clusters, and how large one must be. */
@Command(
        name = "plan",
        description =
                "Replays a job list on a cluster, on others that are changed, and on larger ones until its waits are"
                        + " short enough: which nodes to buy.",
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
            converter = ListFile.class,
            description =
                    "the job list, - for standard input: that of a published trace, what sacct -P prints, or CSV with the columns"
                            + " submit,gpus,run_seconds and more (docs/capacity.md)")
    @SuppressWarnings("NullAway.Init")
    private Path trace;

    @Option(
            names = "--columns",
            paramLabel = "WHAT=COLUMN[:UNIT],...",
            converter = PlanOptions.Columns.class,
            description =
                    "which column of the list says what, such as submit=ts:ms,gpus=n,duration=dur:min; units are s,"
                            + " ms, min and h (default: as its header tells; docs/capacity.md has all)")
    private JobColumns columns = JobColumns.NONE;

    @Option(
            names = "--cluster",
            paramLabel = "F",
            converter = ListFile.class,
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
                    "adds up to N nodes like a node or GPU model of the cluster, or of a size such as 8xH100, until it"
                            + " holds; several times with --cheapest")
    private List<CheapestSearch.Growth> grow = new ArrayList<>();

    @Option(names = "--cheapest", description = "adds the nodes that meet --until at the least price of --models")
    private boolean cheapest;

    @Mixin
    private PlanRules rules = new PlanRules();

    @Option(
            names = "--what-if",
            paramLabel = "CHANGE",
            converter = PlanOptions.Changes.class,
            description =
                    "another cluster to compare with: nodes removed and added, such as -200@V100,+40@8xH100; may be"
                            + " given several times")
    private List<ClusterChange> changes = new ArrayList<>();

    @Option(
            names = "--models",
            paramLabel = "F",
            description =
                    "CSV with the columns model, speed and price (of a GPU an hour): jobs run as long as the list says"
                            + " at speed 1")
    private @Nullable Path models;

    @Option(
            names = "--arrivals",
            paramLabel = "X",
            converter = Ranges.Arrivals.class,
            description = "X times as many jobs per hour, whatever the cluster, 0.01..100 (default: ${DEFAULT-VALUE})")
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
                    "the length of a block of --seeds, 0.01..1000 (default: 24, or a thirtieth of a list of less than"
                            + " 30 days)")
    private @Nullable Double blockHours;

    @Option(
            names = "--threads",
            paramLabel = "n",
            converter = Ranges.Threads.class,
            description =
                    "runs to play at once, 1..1024 (default: one for each processor); the numbers are the same with"
                            + " any")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Option(
            names = "--csv",
            paramLabel = "F",
            description = "keeps a row for each run; a run that is there already is not played again")
    private @Nullable Path csv;

    @Option(names = "--report", paramLabel = "F.html", description = "writes a page with all clusters side by side")
    private @Nullable Path report;

    @Option(names = "--json", description = "Prints JSON.")
    private boolean json;

    @Override
    public Integer call() throws IOException {
        check();
        List<Node> nodes = nodes();
        ModelTable table = models == null ? ModelTable.NONE : ModelTable.read(models);
        refuse(
                rules.isByCycles() && !table.speeds().byModel().isEmpty(),
                "the speeds of --models do not go with --backfill, by which all GPUs are equally fast");
        JobList list = JobTrace.read(trace, columns);
        Scenario scenario = new Scenario(WorkloadOptions.name(trace), nodes, jobs(list, table)).withArrivals(arrivals);
        Map<String, List<Node>> clusters = new LinkedHashMap<>();
        clusters.put(NOW, nodes);
        changes.forEach(change -> clusters.put(change.toString(), change.of(nodes)));
        ReplaySettings settings = ReplaySettings.DEFAULT
                .withOrder(queue)
                .withCycleSeconds(interval)
                .withSpeeds(table.speeds())
                .withDisruptions(rules.disruptions())
                .withGangsWithin(rules.gangsWithin());
        try (RunStore store = csv == null ? RunStore.none() : RunStore.in(csv)) {
            Resampling resampling = resampling();
            CapacityStudy study = new CapacityStudy(scenario, settings, policy, resampling, store);
            PlanTable printed = new PlanTable(scenario, list, table, resampling);
            RunHeader header = RunHeader.of(spec, seeds == null ? List.of() : seeds.values(), List.of(policy), false);
            PlanJson values = new PlanJson(header, scenario, list);
            PrintWriter out = json ? new PrintWriter(Writer.nullWriter()) : Commands.out(spec);
            out.print(printed.heading());
            out.flush();
            Found found;
            try (Progress progress =
                    Progress.of("plan", (long) Math.max(1, resampling.seeds().size()) * clusters(clusters))) {
                CapacityStudy played = rules.through(study, list).onEnd(progress::ended);
                found = until == null ? show(played, clusters) : search(played, nodes, until, table);
            }
            out.print(printed.of(found.results()));
            out.print(found.words());
            values.put(found.results(), table);
            if (until != null) {
                values.put(until, found.answer(), found.words().strip());
            }
            List<NeverRun> never = new ArrayList<>();
            for (ClusterResult result : until == null ? found.results() : List.of(found.last())) {
                List<NeverRun> here =
                        NeverRun.of(result.nodes(), study.scenario().jobs(), rules.gangsWithin());
                out.print(PlanTable.never(result.name(), here));
                values.put(result.name(), here);
                never.addAll(here);
            }
            if (report != null) {
                writeReport(study, clusters, printed, found, table, never);
            }
            out.print(header);
            out.flush();
            if (json) {
                PrintWriter answer = Commands.out(spec);
                answer.print(values);
                answer.flush();
            }
            return found.isMet() && never.isEmpty() ? 0 : 1;
        }
    }

    /**
     * What was found.
     *
     * @param results the clusters that were played
     * @param last the one that is the answer, else the last
     * @param isMet whether the goal is met, if there is one
     * @param words the answer; empty if there is no goal
     */
    private record Found(List<ClusterResult> results, ClusterResult last, boolean isMet, String words) {
        /** The name of the cluster that meets the goal. */
        Optional<String> answer() {
            return isMet ? Optional.of(last.name()) : Optional.empty();
        }
    }

    /** How many clusters are played, about. */
    private int clusters(Map<String, List<Node>> clusters) {
        int most = grow.stream().mapToInt(CheapestSearch.Growth::most).sum();
        return until == null ? clusters.size() : 3 + Integer.SIZE - Integer.numberOfLeadingZeros(most);
    }

    private Found show(CapacityStudy study, Map<String, List<Node>> clusters) {
        List<ClusterResult> results = study.play(clusters, threads);
        return new Found(results, results.get(results.size() - 1), true, "");
    }

    private Found search(CapacityStudy study, List<Node> nodes, Goal goal, ModelTable table) {
        String compared = goal.text()
                + (seeds == null
                        ? " (of the list as it is; --seeds compares an interval)"
                        : " (by the upper end of the 95 % interval)")
                + ": ";
        if (cheapest) {
            CheapestSearch.Answer answer = CheapestSearch.of(study, nodes, grow, goal, table, threads);
            ClusterResult last =
                    answer.best().orElse(answer.tried().get(answer.tried().size() - 1));
            String best = answer.best().map(ClusterResult::name).orElse("not met");
            return new Found(
                    answer.tried(),
                    last,
                    answer.best().isPresent(),
                    "\n" + compared + best + "\n" + answer.why() + "\n");
        }
        CheapestSearch.Growth growth = grow.get(0);
        SizeSearch.Answer answer = SizeSearch.of(study, nodes, growth.kind(), growth.most(), goal, threads);
        String best = answer.added().isPresent() ? "+" + answer.added().getAsInt() + "@" + growth.kind() : "not met";
        ClusterResult last = answer.tried().stream()
                .filter(result -> answer.added().isEmpty() || result.name().equals(best))
                .reduce((first, second) -> second)
                .orElseThrow();
        return new Found(
                answer.tried(), last, answer.added().isPresent(), "\n" + compared + best + "\n" + answer.why() + "\n");
    }

    private void writeReport(
            CapacityStudy study,
            Map<String, List<Node>> clusters,
            PlanTable printed,
            Found found,
            ModelTable table,
            List<NeverRun> never)
            throws IOException {
        if (until != null) {
            clusters.put(found.last().name(), found.last().nodes());
        }
        RunHeader header = RunHeader.of(spec, seeds == null ? List.of() : seeds.values(), List.of(policy), false);
        ReplayReport page = ReplayReport.of(
                        "gpu-sched: " + study.scenario().name() + " on " + clusters.size() + " clusters",
                        printed.heading().strip(),
                        study.scenario(),
                        study.replays(clusters, threads))
                .with(PlanPart.of(Optional.ofNullable(until), found.words().strip(), found.results(), table, never));
        ReportPage.write(java.util.Objects.requireNonNull(report), page.with(header.notes()));
    }

    private void check() {
        refuse(cluster != null && pool != null, "--cluster and --pool are two ways to say the same");
        refuse((until == null) != grow.isEmpty(), "--until and --grow go together");
        refuse(grow.size() > 1 && !cheapest, "several --grow go with --cheapest, which says which of them cost least");
        refuse(
                cheapest && (grow.isEmpty() || models == null),
                "--cheapest goes with --until, --grow and --models, which has the prices");
        rules.check(spec);
        refuse(until != null && !changes.isEmpty(), "--until and --what-if are two questions; run one after the other");
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
