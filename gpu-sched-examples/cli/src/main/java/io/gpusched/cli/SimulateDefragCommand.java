package io.gpusched.cli;

import io.gpusched.model.Cluster;
import io.gpusched.simulator.Estimate;
import io.gpusched.simulator.Seeds;
import io.gpusched.simulator.defrag.DefragExperiment;
import io.gpusched.simulator.defrag.DefragRow;
import io.gpusched.simulator.defrag.MoveRule;
import io.gpusched.simulator.trace.Workload;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code gpu-sched simulate defrag}: how many whole nodes are gained by moving running pods. */
@Command(
        name = "defrag",
        description =
                "Says how many nodes with 8 free GPUs are gained by moving running pods: by a plan for the whole cluster,"
                        + " and for one pending job after the other. Pods of the list come in random order, are placed"
                        + " by bin-pack and end at random.")
final class SimulateDefragCommand implements Callable<Integer> {
    private static final List<Integer> MOVES = List.of(10, 25, 50, 100, 200);

    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private WorkloadOptions source = new WorkloadOptions();

    @Option(
            names = "--fill",
            paramLabel = "X",
            converter = Ranges.Fill.class,
            description = "how much of the GPUs is allocated, 0.1..1 (default: ${DEFAULT-VALUE})")
    private double fill = 0.8;

    @Option(
            names = "--seeds",
            paramLabel = "42..51",
            converter = Seeds.Converter.class,
            description = "snapshots, one for each seed (default: 42..51)")
    private @Nullable Seeds seeds;

    @Option(
            names = "--threads",
            paramLabel = "n",
            converter = Ranges.Threads.class,
            description = "runs to play at once, 1..1024 (default: one for each processor)")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Override
    public Integer call() {
        source.check(spec);
        Workload workload = source.workload();
        List<Long> chosen =
                seeds == null ? LongStream.rangeClosed(42, 51).boxed().toList() : seeds.values();
        List<Cluster> snapshots = DefragExperiment.snapshots(workload, fill, chosen, threads);
        List<DefragRow> rows = DefragExperiment.play(snapshots, MOVES.get(MOVES.size() - 1), threads);
        PrintWriter out = Commands.out(spec);
        out.printf(
                Locale.ROOT,
                "%s: %,d nodes, %,d GPUs; %d snapshots with %.0f %% of the GPUs allocated, %.1f nodes with 8 free"
                        + " GPUs%n",
                workload.name(),
                workload.nodes().size(),
                workload.gpuMillis() / 1_000,
                snapshots.size(),
                100 * fill,
                rows.stream().mapToInt(DefragRow::free).average().orElse(0));
        out.println("additional such nodes after each number of moves, with 95 % confidence intervals; and moves per"
                + " node\n");
        out.print(table(rows));
        out.print(RunHeader.of(spec, chosen, List.of(), false));
        out.flush();
        return 0;
    }

    private static TextTable table(List<DefragRow> rows) {
        List<String> header = new ArrayList<>(List.of("moves by"));
        MOVES.forEach(moves -> header.add(String.valueOf(moves)));
        header.add("moves/node");
        TextTable table = new TextTable(1, header.toArray(String[]::new));
        for (MoveRule rule : MoveRule.values()) {
            List<DefragRow> of = rows.stream().filter(row -> row.rule() == rule).toList();
            List<String> cells = new ArrayList<>(List.of(rule.toString()));
            MOVES.forEach(moves -> cells.add(mean(of, row -> row.nodes(moves))));
            int nodes = of.stream().mapToInt(DefragRow::nodes).sum();
            int moves = of.stream().mapToInt(DefragRow::moves).sum();
            cells.add(nodes == 0 ? "" : SummaryTable.number("%.1f", (double) moves / nodes));
            table.row(cells);
        }
        return table;
    }

    private static String mean(List<DefragRow> rows, ToDoubleFunction<DefragRow> value) {
        Estimate mean = Estimate.of(rows.stream().map(value::applyAsDouble).toList());
        String width = mean.runs() == 1 ? "" : " ±" + SummaryTable.number("%.1f", mean.halfWidth());
        return SummaryTable.number("%.1f", mean.mean()) + width;
    }
}
