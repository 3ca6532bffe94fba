package io.gpusched.cli;

import io.gpusched.simulator.ArrivalSequence;
import io.gpusched.simulator.CurveCsv;
import io.gpusched.simulator.Experiment;
import io.gpusched.simulator.NamedPolicy;
import io.gpusched.simulator.PolicySummary;
import io.gpusched.simulator.RunResult;
import io.gpusched.simulator.Seeds;
import io.gpusched.simulator.mig.MigExperiment;
import io.gpusched.simulator.mig.MigRow;
import io.gpusched.simulator.paper.PaperTrace;
import io.gpusched.simulator.report.Report;
import io.gpusched.simulator.report.ReportPage;
import io.gpusched.simulator.trace.Workload;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Plays a workload against policies and says how much of the GPUs they allocate. */
@Command(
        name = "simulate",
        subcommands = {SimulatePlanCommand.class, SimulateGridCommand.class, SimulateDefragCommand.class},
        description = {
            "Plays a workload against policies and says how much GPU compute they allocate.",
            "Pods arrive one after another, are placed at once or refused for good, and nothing departs: the protocol"
                    + " of \"Beware of Fragmentation\" (USENIX ATC 2023)."
        },
        footer = {
            "",
            "With --order the names random, dot-product, gpu-clustering, gpu-packing, best-fit and fgd mean the form"
                    + " in which that paper ran them, so that a run reproduces the published one; core:NAME means the"
                    + " library's own. Without --order plain names are the library's own, and NAME-paper is the paper's"
                    + " form."
        })
final class SimulateCommand implements Callable<Integer> {
    private static final double DEFAULT_INFLATE = 1.3;
    private static final int NEVER_STARTED = 1;
    private static final int MIG_GPUS = 100;
    private static final double MIG_LOAD = 1.0;
    private static final Set<String> MIG_OPTIONS = Set.of("--mig", "--seeds", "--threads", "--summary");
    private static final String DEFAULTS = "random,dot-product,gpu-clustering,gpu-packing,best-fit,fgd,default";

    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private WorkloadOptions source = new WorkloadOptions();

    @Option(
            names = "--policies",
            paramLabel = "a,b,c",
            converter = PolicyNames.Converter.class,
            description = "policies to compare (default: " + DEFAULTS + ", with --replay all but random)")
    private @Nullable PolicyNames policies;

    @Option(
            names = "--seeds",
            paramLabel = "42..51",
            converter = Seeds.Converter.class,
            description = "orders of arrival to play, such as 42, 42..51 or 42,45..47 (default: 42..43 on the generated"
                    + " cluster, 42..51 on lists and with --mig, 42 with --replay)")
    private @Nullable Seeds seeds;

    @Option(
            names = "--inflate",
            paramLabel = "1.3",
            converter = Ranges.Inflate.class,
            description = "GPU demand as a multiple of what the cluster has, 0.1..10 (default: " + DEFAULT_INFLATE
                    + "); " + "has no effect with --order, whose orders have a demand of their own")
    private @Nullable Double inflate;

    @Option(names = "--order", paramLabel = "F", description = "recorded orders of arrival by seed (.txt or .txt.gz)")
    private @Nullable Path order;

    @Option(
            names = "--report",
            paramLabel = "F.html",
            description = "write a page with the curves and a map of the cluster at the end")
    private @Nullable Path report;

    @Option(
            names = "--summary",
            paramLabel = "F.json",
            description = "write version, command, seeds, policies and their results as JSON")
    private @Nullable Path summary;

    @Option(names = "--csv", paramLabel = "F", description = "write the curves of all runs as CSV")
    private @Nullable Path csv;

    @Option(
            names = "--threads",
            paramLabel = "n",
            converter = Ranges.Threads.class,
            description = "runs to play at once, 1..1024 (default: one for each processor)")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Option(
            names = "--mig",
            description =
                    "play MIG partitions instead: 100 GPUs of each model, four mixes of arrivals and departures, by"
                            + " rules of others and by look-ahead, next to an upper bound; goes with --seeds, --threads"
                            + " and --summary alone")
    private boolean mig;

    @ArgGroup(exclusive = false, heading = "%nReplay: arrivals, waiting and departures by the trace's own times%n")
    private @Nullable ReplayOptions replay;

    @ArgGroup(
            exclusive = false,
            heading = "%nQueues: a job list through scheduling cycles; goes with --load, --arrivals and --cluster%n")
    private @Nullable CycleOptions cycle;

    @Override
    public Integer call() throws IOException {
        if (mig) {
            checkMig();
            playMig();
            return 0;
        }
        if (cycle != null) {
            cycle.check(spec);
            checkWritable();
            CycleOptions.Files files = new CycleOptions.Files(csv, report, summary);
            return cycle.play(spec, replay, files) ? 0 : NEVER_STARTED;
        }
        check();
        if (replay != null) {
            return replay(replay) ? 0 : NEVER_STARTED;
        }
        List<NamedPolicy> chosen = PolicyCatalog.named(spec, names(DEFAULTS), order != null);
        Workload workload = source.workload();
        Experiment experiment = new Experiment(workload, arrivals(workload), chosen);
        long start = System.nanoTime();
        List<RunResult> results = play(experiment);
        if (csv != null) {
            CurveCsv.write(csv, results);
        }
        RunHeader header = RunHeader.of(spec, chosenSeeds(), names(DEFAULTS), order != null);
        String title = "gpu-sched simulation of " + workload.name() + ", "
                + (order == null
                        ? "pods drawn until " + Math.round(100 * demand()) + " % is requested, "
                        : "recorded orders, ")
                + header.seedsInWords();
        if (report != null) {
            ReportPage.write(report, Report.of(workload, results).with(title, header.notes()));
        }
        if (summary != null) {
            header.write(summary, title, numbers(results));
        }
        print(experiment, results, (System.nanoTime() - start) / 1e9);
        Commands.out(spec).print(header);
        if (seeds == null && isGenerated()) {
            Commands.out(spec).println("two orders of arrival; --seeds 42..51 plays ten, in five times the time");
        }
        Commands.out(spec).flush();
        return 0;
    }

    /** Allocated and fragmented compute in percent, by the percents at which tables show them. */
    private Map<String, ?> numbers(List<RunResult> results) {
        Map<String, Object> numbers = new LinkedHashMap<>();
        for (PolicySummary one : PolicySummary.of(results)) {
            Map<String, Object> columns = new LinkedHashMap<>();
            for (int percent : columns()) {
                columns.put(
                        "allocatedPercentAt" + percent,
                        one.allocatedPercent(percent).mean());
                columns.put(
                        "fragmentedPercentAt" + percent,
                        one.fragPercent(percent).mean());
            }
            numbers.put(one.policy(), columns);
        }
        return numbers;
    }

    private List<Integer> columns() {
        int last = order != null ? 130 : (int) Math.round(100 * demand());
        return last > 100 ? List.of(100, last) : List.of(last);
    }

    private void playMig() throws IOException {
        PrintWriter out = Commands.out(spec);
        out.println(
                "Pods that get their partition, in percent, of a load of " + MIG_LOAD + " times the GPUs' units:\n");
        List<MigRow> rows = new MigExperiment(MIG_GPUS, MIG_LOAD, chosenSeeds()).play(threads);
        MigExperiment.percents(rows).forEach(out::println);
        if (chosenSeeds().size() > 1) {
            out.println("\nWhat look-ahead accepts more, in points: mean of the orders and its standard error:\n");
            MigExperiment.gains(rows).forEach(out::println);
        }
        out.println("\nThe same in the long run on few GPUs, where the best that any rule can do is known exactly:\n");
        MigExperiment.playSmall(MIG_LOAD).forEach(out::println);
        RunHeader header = RunHeader.of(spec, chosenSeeds(), List.of(), false).meaning(MigExperiment.meanings());
        if (summary != null) {
            header.write(
                    summary, "MIG partitions of " + MIG_GPUS + " GPUs at load " + MIG_LOAD, MigExperiment.parts(rows));
        }
        out.print(header);
        out.flush();
    }

    private List<String> names(String defaults) {
        return policies == null ? List.of(defaults.split(",", -1)) : policies.names();
    }

    /** Returns whether the cluster can run all jobs. */
    private boolean replay(ReplayOptions options) throws IOException {
        List<Long> chosen = seeds == null ? List.of(42L) : seeds.values();
        List<String> names = PolicyCatalog.coreNames(spec, names(DEFAULTS.substring("random,".length())));
        refuse(
                chosen.size() > 1 && !options.heedsSeeds() && !names.contains("random"),
                "--seeds makes no difference to these replays\n"
                        + "Maybe give --block-hours 24, so that each seed draws other arrivals, or --failures-per-day.");
        RunHeader header = RunHeader.of(spec, chosen, names, false);
        ReplayTable table = new ReplayRun(options, source).play(names, header, threads, csv, report, summary);
        PrintWriter out = Commands.out(spec);
        out.print(table);
        out.print(header);
        out.flush();
        return table.canRunAll();
    }

    private void checkMig() {
        Objects.requireNonNull(spec).commandLine().getParseResult().matchedOptions().stream()
                .map(OptionSpec::longestName)
                .filter(name -> !MIG_OPTIONS.contains(name))
                .findFirst()
                .ifPresent(name -> refuse(true, "--mig goes with --seeds, --threads and --summary alone, got " + name));
        checkWritable();
    }

    private void check() {
        source.check(spec);
        if (replay != null) {
            replay.check(spec, source);
            refuse(order != null, "--replay plays pods at their own times and does not go with --order");
            refuse(
                    inflate != null,
                    "--replay plays pods at their own times and does not go with --inflate; maybe --load");
        }
        refuse(
                order != null && !source.fromFiles(),
                "--order goes with --nodes and --pods: it names rows of those lists");
        checkWritable();
    }

    private void checkWritable() {
        OptionErrors.checkWritable(spec, "--csv", csv);
        OptionErrors.checkWritable(spec, "--report", report);
        OptionErrors.checkWritable(spec, "--summary", summary);
    }

    private void refuse(boolean bad, String message) {
        if (bad) {
            throw OptionErrors.bad(spec, message);
        }
    }

    private double demand() {
        return inflate == null ? DEFAULT_INFLATE : inflate;
    }

    private List<ArrivalSequence> arrivals(Workload workload) {
        if (order == null) {
            return chosenSeeds().stream()
                    .map(seed -> ArrivalSequence.shuffled(workload, seed, demand()))
                    .toList();
        }
        return PaperTrace.arrivals(workload, order, chosenSeeds());
    }

    private List<Long> chosenSeeds() {
        return seeds != null
                ? seeds.values()
                : LongStream.rangeClosed(42, isGenerated() ? 43 : 51).boxed().toList();
    }

    private boolean isGenerated() {
        return !mig && !source.fromFiles();
    }

    private List<RunResult> play(Experiment experiment) {
        try (Progress progress = Progress.of("simulate", experiment.decisions())) {
            return experiment.run(threads, progress);
        }
    }

    private void print(Experiment experiment, List<RunResult> results, double seconds) {
        PrintWriter out = Commands.out(spec);
        Workload workload = experiment.workload();
        out.printf(
                "%s: %,d nodes, %,d GPUs, %,d pods; %d runs, %,d decisions in %.1f s on %d threads%n",
                workload.name(),
                workload.nodes().size(),
                workload.gpuMillis() / 1_000,
                workload.pods().size(),
                results.size(),
                experiment.decisions(),
                seconds,
                threads);
        out.println("GPU compute allocated, in percent of the cluster's, when this much of it had been requested;");
        out.println("frag: GPU compute that typical pods cannot use, in percent of the cluster's\n");
        out.print(SummaryTable.of(PolicySummary.of(results), columns()));
        out.flush();
    }
}
