package io.gpusched.cli;

import io.gpusched.simulator.ArrivalSequence;
import io.gpusched.simulator.CurveCsv;
import io.gpusched.simulator.Experiment;
import io.gpusched.simulator.NamedPolicy;
import io.gpusched.simulator.PolicySummary;
import io.gpusched.simulator.RunResult;
import io.gpusched.simulator.Seeds;
import io.gpusched.simulator.paper.PaperBound;
import io.gpusched.simulator.paper.PaperPolicies;
import io.gpusched.simulator.paper.PaperTrace;
import io.gpusched.simulator.paper.Published;
import io.gpusched.simulator.trace.Workload;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs the experiments of the FGD paper and prints its table beside ours. */
@Command(
        name = "paper",
        description = {
            "Runs the experiments of \"Beware of Fragmentation\" (USENIX ATC 2023) on the openb traces of a folder, in"
                    + " the orders of arrival that its authors drew, and prints the published numbers next to ours."
        })
final class PaperCommand implements Callable<Integer> {
    private static final Seeds ALL =
            new Seeds(LongStream.rangeClosed(42, 51).boxed().toList());
    private static final Seeds QUICK = new Seeds(List.of(42L, 43L));

    @Spec
    private @Nullable CommandSpec spec;

    @Option(names = "--quick", description = "two seeds, 42..43, instead of ten")
    private boolean quick;

    @Option(
            names = "--traces",
            paramLabel = "DIR",
            defaultValue = "${env:GPU_SCHED_TRACES:-../shared/traces/openb}",
            description = "folder with openb_node_list_gpu_node.csv and openb_pod_list_NAME.csv, as in data/csv of "
                    + "hkust-adsl/kubernetes-scheduler-simulator (default: ${DEFAULT-VALUE})")
    private Path folder = Path.of(".");

    @Option(
            names = "--seeds",
            paramLabel = "42..51",
            converter = Seeds.Converter.class,
            description = "orders of arrival to play (default: 42..51)")
    private @Nullable Seeds seeds;

    @Option(
            names = "--policies",
            paramLabel = "a,b,c",
            converter = PolicyNames.Converter.class,
            description = "policies to run (default: the six of the paper in its form, then default)")
    private @Nullable PolicyNames policies;

    @Option(names = "--csv", paramLabel = "F", description = "write the curves of all runs as CSV")
    private @Nullable Path csv;

    @Option(
            names = "--threads",
            paramLabel = "n",
            converter = Ranges.Threads.class,
            description = "runs to play at once, 1..1024 (default: one for each processor)")
    private int threads = Runtime.getRuntime().availableProcessors();

    private List<String> names() {
        return policies != null
                ? policies.names()
                : Stream.concat(PaperPolicies.NAMES.stream(), Stream.of("default"))
                        .toList();
    }

    @Override
    public Integer call() throws IOException {
        OptionErrors.checkWritable(spec, "--csv", csv);
        Seeds chosen = seeds != null ? seeds : quick ? QUICK : ALL;
        List<NamedPolicy> named = PolicyCatalog.named(spec, names(), false);
        PaperTable table = new PaperTable(Published.load());
        List<RunResult> all = new ArrayList<>();
        long start = System.nanoTime();
        for (PaperTrace trace : PaperTrace.in(folder)) {
            Workload workload = trace.workload();
            List<ArrivalSequence> arrivals = PaperTrace.arrivals(workload, chosen.values());
            List<RunResult> results = play(new Experiment(workload, arrivals, named));
            table.add(workload, PolicySummary.of(results));
            addBound(table, workload, arrivals.get(0));
            all.addAll(results);
        }
        if (csv != null) {
            CurveCsv.write(csv, all);
        }
        print(chosen, table, (System.nanoTime() - start) / 1e9);
        return 0;
    }

    private static void addBound(PaperTable table, Workload workload, ArrivalSequence arrivals) {
        table.addBound(
                workload,
                arrivals.seed(),
                PaperBound.allocatedPercent(workload, arrivals, 100),
                PaperBound.allocatedPercent(workload, arrivals, 130));
    }

    private List<RunResult> play(Experiment experiment) {
        try (Progress progress = Progress.of(experiment.workload().name(), experiment.decisions())) {
            return experiment.run(threads, progress);
        }
    }

    private void print(Seeds chosen, PaperTable table, double seconds) {
        PrintWriter out = Commands.out(spec);
        out.println("GPU compute allocated, in percent of the cluster's, when 100 and 130 percent of it had been"
                + " requested:");
        out.println("mean over the seeds " + chosen
                + " with its 95 % confidence interval, next to the published mean over " + "42..51,");
        out.println("and by how much it exceeds fgd-paper on the same orders.\n");
        out.print(table);
        out.printf("%n%.1f s on %d threads%n", seconds, threads);
        out.print(RunHeader.of(spec, chosen.values(), names(), false));
        out.flush();
    }
}
