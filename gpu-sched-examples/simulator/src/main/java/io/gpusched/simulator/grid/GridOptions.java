package io.gpusched.simulator.grid;

import io.gpusched.simulator.Seeds;
import io.gpusched.simulator.cycle.CycleRule;
import io.gpusched.simulator.policy.LibraryPolicies;
import io.gpusched.simulator.replay.ReplaySettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of commands that play a grid. */
public final class GridOptions {
    @Option(
            names = "--trace",
            required = true,
            split = ",",
            paramLabel = "F",
            description = "job lists, in any form that simulate plan takes")
    private List<Path> traces = new ArrayList<>();

    @Option(
            names = "--columns",
            paramLabel = "WHAT=COLUMN[:UNIT],...",
            description = "which column of the job lists says what, see simulate plan (default: as their headers tell)")
    private String columns = "";

    @Option(names = "--cluster", split = ",", paramLabel = "F", description = "files of machines")
    private List<Path> clusters = new ArrayList<>();

    @Option(
            names = "--pool",
            split = ",",
            paramLabel = "NxG",
            description = "clusters of N nodes of G V100 (default: 100x8, without --cluster)")
    private List<String> pools = new ArrayList<>();

    @Option(
            names = "--load",
            split = ",",
            paramLabel = "X",
            description = "offered loads, 0.01..10; 0 for the list's own times (default: 0)")
    private List<Double> loads = new ArrayList<>();

    @Option(
            names = "--backfill",
            split = ",",
            paramLabel = "RULE[:ORDER]",
            description =
                    "rules by which jobs go through scheduling cycles, in one queue, as simulate --cycle takes them")
    private List<String> backfill = new ArrayList<>();

    @Option(
            names = "--told",
            split = ",",
            paramLabel = "T",
            description =
                    "the run times that these rules are given: exact, hours, limits, within:P, log-normal:M (default:"
                            + " exact)")
    private List<String> told = new ArrayList<>();

    @Option(
            names = "--policies",
            split = ",",
            paramLabel = "a,b,c",
            description = "policies by which jobs are replayed; a job that does not fit is skipped")
    private List<String> policies = new ArrayList<>();

    @Option(
            names = "--interval",
            paramLabel = "SECONDS",
            description = "how often a policy tries waiting jobs, 1..86400 (default: whenever a job arrives or ends)")
    private int interval = ReplaySettings.ON_THE_EVENT;

    @Option(
            names = "--seeds",
            paramLabel = "1..10",
            converter = Seeds.Converter.class,
            description = "draws other arrivals for each seed, see simulate plan; 0 for the list as it is (default: 0)")
    private @Nullable Seeds seeds;

    @Option(
            names = "--block-hours",
            paramLabel = "X",
            description = "the length of a block of --seeds, 0.01..1000 (default: ${DEFAULT-VALUE})")
    private double blockHours = Grid.BLOCK_HOURS;

    @Option(
            names = "--csv",
            required = true,
            paramLabel = "F",
            description = "a row for each cell; what is there already is not played again")
    @SuppressWarnings("NullAway.Init")
    private Path csv;

    /** Returns the file of the results. */
    public Path csv() {
        return csv;
    }

    /**
     * Returns the grid.
     *
     * @throws IllegalArgumentException if the options do not go together or a value is out of its range
     */
    public Grid grid() {
        if (!told.isEmpty() && backfill.isEmpty()) {
            throw new IllegalArgumentException("--told goes with --backfill");
        }
        backfill.forEach(GridOptions::checkBackfill);
        policies.forEach(LibraryPolicies::check);
        List<String> rules = new ArrayList<>(backfill);
        rules.addAll(policies);
        if (rules.isEmpty()) {
            throw new IllegalArgumentException("--backfill, --policies or both must be given");
        }
        return new Grid(
                traces,
                clusters,
                pools.isEmpty() && clusters.isEmpty() ? List.of("100x8") : pools,
                loads.isEmpty() ? List.of(0.0) : loads,
                rules,
                told.isEmpty() ? List.of("exact") : told,
                seeds == null ? List.of(0L) : seeds.values(),
                blockHours,
                interval,
                columns);
    }

    private static void checkBackfill(String rule) {
        try {
            CycleRule.parse(rule);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("--backfill " + e.getMessage(), e);
        }
    }
}
