package io.gpusched.cli;

import io.gpusched.simulator.grid.CellPlayer;
import io.gpusched.simulator.grid.Grid;
import io.gpusched.simulator.grid.GridOptions;
import io.gpusched.simulator.grid.GridRun;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code gpu-sched simulate grid}: every list on every cluster at every load by every rule with every seed. */
@Command(
        name = "grid",
        description =
                "Plays every job list on every cluster at every load by every rule with every seed, and writes a row for each as CSV.",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:all cells have numbers", "1:some have none, and why is printed", "2:bad input"})
final class SimulateGridCommand implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private GridOptions options = new GridOptions();

    @Option(
            names = "--threads",
            paramLabel = "n",
            converter = Ranges.Threads.class,
            description =
                    "cells to play at once, 1..1024 (default: one for each processor); the file is the same with any")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Override
    public Integer call() {
        Grid grid = options.grid();
        OptionErrors.checkWritable(spec, "--csv", options.csv());
        GridRun.Outcome outcome =
                GridRun.play(grid, options.csv(), CellPlayer.here(grid, ClusterFiles::nodes), threads);
        outcome.print(Commands.out(spec), options.csv());
        return outcome.isComplete() ? 0 : 1;
    }
}
