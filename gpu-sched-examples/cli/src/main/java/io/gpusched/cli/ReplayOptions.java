package io.gpusched.cli;

import io.gpusched.model.Node;
import io.gpusched.simulator.replay.BlockBootstrap;
import io.gpusched.simulator.replay.QueueOrder;
import io.gpusched.simulator.replay.ReplaySettings;
import io.gpusched.simulator.replay.Scenario;
import io.gpusched.simulator.trace.GangTrace;
import io.gpusched.simulator.trace.JobColumns;
import io.gpusched.simulator.trace.JobList;
import io.gpusched.simulator.trace.JobTrace;
import io.gpusched.simulator.trace.SubmittedJob;
import io.gpusched.simulator.trace.TraceJob;
import java.lang.reflect.Field;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The options of a replay. */
final class ReplayOptions extends DisruptionOptions {
    private static final int DEFAULT_GANG_NODES = 100;
    private static final int HOUR_SECONDS = 3_600;

    @Option(
            names = "--replay",
            description =
                    "play the workload by its own times: jobs arrive, wait, run and end; nodes fail, drain and return")
    private boolean on;

    @Option(
            names = "--queue",
            paramLabel = "ORDER",
            converter = Ranges.Order.class,
            description = "order in which waiting jobs are tried; a job that does not fit is skipped: "
                    + "fifo-skip or shortest-first (default: fifo-skip)")
    private QueueOrder queue = QueueOrder.FIFO_SKIP;

    @Option(
            names = "--jobs",
            paramLabel = "F",
            converter = ListFile.class,
            description =
                    "job list (- for standard input) instead of pods, in any form that simulate plan takes; jobs larger than a node become"
                            + " gangs")
    private @Nullable Path jobs;

    @Option(
            names = "--columns",
            paramLabel = "WHAT=COLUMN[:UNIT],...",
            converter = PlanOptions.Columns.class,
            description =
                    "which column of --jobs or --trace says what, such as submit=ts:ms,gpus=n,duration=dur:min; units"
                            + " are s, ms, min and h (default: as its header tells; docs/capacity.md has all)")
    private JobColumns columns = JobColumns.NONE;

    @Option(
            names = "--gang-nodes",
            paramLabel = "n",
            converter = Ranges.NodeCount.class,
            description = "nodes of 8 GPUs for --jobs, 1..100000 (default: " + DEFAULT_GANG_NODES + ")")
    private @Nullable Integer gangNodes;

    @Option(
            names = "--load",
            paramLabel = "X",
            converter = Ranges.Load.class,
            description =
                    "press arrivals together or spread them out so that jobs request X times the GPU time that the "
                            + "cluster has, 0.01..10 (default: the trace's own times)")
    private @Nullable Double load;

    @Option(
            names = "--arrivals",
            paramLabel = "X",
            converter = Ranges.Arrivals.class,
            description = "X times as many jobs per hour, whatever the cluster, 0.01..100; does not go with --load")
    private @Nullable Double arrivals;

    @Option(
            names = "--cluster",
            paramLabel = "F",
            converter = ListFile.class,
            description = "the machines for --jobs or --trace: a node list in CSV, the form of place, or what kubectl"
                    + " printed")
    private @Nullable Path cluster;

    @Option(
            names = "--interval",
            paramLabel = "SECONDS",
            converter = Ranges.Interval.class,
            description = "how often waiting jobs are tried, 1..86400 (default: whenever a job arrives or ends)")
    private int interval = ReplaySettings.ON_THE_EVENT;

    @Option(
            names = "--block-hours",
            paramLabel = "X",
            converter = Ranges.Hours.class,
            description =
                    "draws other arrivals of the same kind for each seed: blocks of this many hours, with replacement"
                            + " (default: the arrivals as they are)")
    private @Nullable Double blockHours;

    private String listed = "";

    /** Returns what the job list was taken for, once it was read; empty if there is none. */
    String listed() {
        return listed;
    }

    /** Returns which column of the job list says what. */
    JobColumns columns() {
        return columns;
    }

    /** Returns how it is replayed. */
    ReplaySettings settings() {
        return ReplaySettings.DEFAULT
                .withOrder(queue)
                .withDisruptions(disruptions())
                .withCycleSeconds(interval);
    }

    /** Returns which arrivals are replayed with a seed. */
    Scenario arrivals(Scenario scenario, long seed) {
        return blockHours == null
                ? scenario
                : BlockBootstrap.of(scenario, Math.max(1, Math.round(blockHours * HOUR_SECONDS)), seed);
    }

    /** Whether runs of different seeds may differ, whatever the policy. */
    boolean heedsSeeds() {
        return blockHours != null || isDisrupted();
    }

    QueueOrder queue() {
        return queue;
    }

    /** Returns the file of the machines; null if there is none. */
    @Nullable
    Path cluster() {
        return cluster;
    }

    /**
     * Checks that the options go together.
     *
     * @throws picocli.CommandLine.ParameterException if they do not
     */
    void check(@Nullable CommandSpec spec, WorkloadOptions source) {
        if (!on) {
            throw OptionErrors.bad(spec, given(spec) + " is for replays and goes with --replay");
        }
        if (jobs != null && source.fromFiles()) {
            throw OptionErrors.bad(spec, "--jobs takes the place of --nodes and --pods and does not go with them");
        }
        if (jobs != null && source.isScaled()) {
            throw OptionErrors.bad(
                    spec, "--scale is for the generated cluster and does not go with --jobs; maybe --gang-nodes");
        }
        if (load != null && arrivals != null) {
            throw OptionErrors.bad(spec, "--load and --arrivals are two ways to say when jobs come");
        }
        if (jobs == null && !columns.columns().isEmpty()) {
            throw OptionErrors.bad(spec, "--columns is for job lists and goes with --jobs");
        }
        if (cluster != null && (jobs == null || gangNodes != null)) {
            throw OptionErrors.bad(spec, "--cluster has the machines for --jobs, in place of --gang-nodes");
        }
        if (jobs == null && gangNodes != null) {
            throw OptionErrors.bad(spec, "--gang-nodes is for job lists and goes with --jobs, got " + gangNodes);
        }
        checkDisruptions(spec);
    }

    /** Returns the first option of this group as it was given. */
    private static String given(@Nullable CommandSpec spec) {
        return Stream.ofNullable(spec)
                .flatMap(it -> it.commandLine().getParseResult().matchedOptions().stream())
                .filter(option -> option.userObject() instanceof Field field
                        && field.getDeclaringClass().isAssignableFrom(ReplayOptions.class))
                .map(option -> option.longestName() + " " + String.join(" ", option.originalStringValues()))
                .findFirst()
                .orElse("a replay option");
    }

    /** Reads or generates what is replayed. */
    Scenario scenario(WorkloadOptions source) {
        return timed(jobs == null ? Scenario.of(source.replayWorkload()) : gangs(jobs));
    }

    /** Returns a scenario with the arrivals that are asked for. */
    Scenario timed(Scenario scenario) {
        if (arrivals != null) {
            return scenario.withArrivals(arrivals);
        }
        return load == null ? scenario : scenario.withLoad(load);
    }

    private Scenario gangs(Path file) {
        int count = gangNodes == null ? DEFAULT_GANG_NODES : gangNodes;
        List<Node> nodes = cluster == null ? GangTrace.nodes(count) : ClusterFiles.nodes(cluster);
        JobList list = JobTrace.read(file, columns);
        listed = list.toString();
        List<TraceJob> played = list.jobs().stream().map(SubmittedJob::job).toList();
        return new Scenario(WorkloadOptions.name(file), nodes, played);
    }
}
