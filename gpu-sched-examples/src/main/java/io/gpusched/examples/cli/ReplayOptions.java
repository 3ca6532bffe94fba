package io.gpusched.examples.cli;

import io.gpusched.examples.replay.Disruptions;
import io.gpusched.examples.replay.QueueOrder;
import io.gpusched.examples.replay.Scenario;
import io.gpusched.examples.trace.GangTrace;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of a replay. */
final class ReplayOptions {
    @Option(
            names = "--replay",
            description =
                    "play the workload by its own times: jobs arrive, wait, run and end; nodes fail, drain and return")
    private boolean on;

    @Option(
            names = "--queue",
            paramLabel = "ORDER",
            description = "order in which waiting jobs are tried, those that do not fit being passed over: "
                    + "${COMPLETION-CANDIDATES} (default: fifo-skip)")
    private QueueOrder queue = QueueOrder.FIFO_SKIP;

    @Option(
            names = "--jobs",
            paramLabel = "F",
            description =
                    "job list of a training cluster (Helios, Philly) instead of pods; jobs above 8 GPUs become gangs "
                            + "of members with 8 GPUs")
    private @Nullable Path jobs;

    @Option(
            names = "--gang-nodes",
            paramLabel = "n",
            description = "nodes of 8 GPUs for --jobs, 1..100000 (default: 100)")
    private int gangNodes = 100;

    @Option(
            names = "--load",
            paramLabel = "X",
            description =
                    "press arrivals together or spread them out so that jobs ask for X times the GPU time that the "
                            + "cluster has, 0.01..10 (default: the trace's own times)")
    private @Nullable Double load;

    @Option(
            names = "--failures-per-day",
            paramLabel = "X",
            description = "nodes that fail a day; what runs there is lost and starts again (default: 0)")
    private double failuresPerDay;

    @Option(
            names = "--drains-per-day",
            paramLabel = "X",
            description = "nodes that are drained a day: nothing new comes there (default: 0)")
    private double drainsPerDay;

    @Option(
            names = "--out-hours",
            paramLabel = "X",
            description = "hours that a failed or drained node stays out of service (default: 4)")
    private double outHours = 4;

    /** Returns whether a replay is asked for. */
    boolean isOn() {
        return on;
    }

    QueueOrder queue() {
        return queue;
    }

    Disruptions disruptions() {
        return new Disruptions(failuresPerDay, drainsPerDay, outHours);
    }

    /**
     * Reads or generates what is replayed.
     *
     * @throws IllegalArgumentException if options do not go together or are out of range
     */
    Scenario scenario(WorkloadOptions source) {
        Scenario scenario = jobs == null ? Scenario.of(source.replayWorkload()) : gangs(jobs, source);
        if (load == null) {
            return scenario;
        }
        if (!(load >= 0.01 && load <= 10)) {
            throw new IllegalArgumentException("--load must be in 0.01..10, got " + load);
        }
        return scenario.withLoad(load);
    }

    private Scenario gangs(Path file, WorkloadOptions source) {
        if (source.fromFiles()) {
            throw new IllegalArgumentException("--jobs takes the place of --nodes and --pods");
        }
        if (gangNodes < 1 || gangNodes > 100_000) {
            throw new IllegalArgumentException("--gang-nodes must be in 1..100000, got " + gangNodes);
        }
        return new Scenario(WorkloadOptions.name(file), GangTrace.nodes(gangNodes), GangTrace.jobs(file));
    }
}
