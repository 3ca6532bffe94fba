package io.gpusched.cli;

import io.gpusched.simulator.trace.GeneratedWorkload;
import io.gpusched.simulator.trace.OpenbTrace;
import io.gpusched.simulator.trace.Workload;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The options that say what is simulated. */
final class WorkloadOptions {
    private static final String POD_LIST_PREFIX = "openb_pod_list_";
    private static final long GENERATED_SEED = 1;
    private static final double REPLAY_SCALE = 0.2;
    private static final int REPLAY_ROUNDS = 6;

    @Option(
            names = "--nodes",
            paramLabel = "F",
            description = "node list, CSV in the format of Alibaba's openb traces; goes with --pods")
    private @Nullable Path nodes;

    @Option(
            names = "--pods",
            paramLabel = "F",
            description =
                    "pod list, CSV in the format of Alibaba's openb traces; without lists a cluster of 1,213 nodes "
                            + "and 8,152 pods is generated in the trace's proportions")
    private @Nullable Path pods;

    @Option(
            names = "--scale",
            paramLabel = "X",
            converter = Ranges.Scale.class,
            description = "part of the generated cluster, 0.001..1 (default: 1, with --replay 0.2)")
    private @Nullable Double scale;

    /** Returns whether the workload comes from files. */
    boolean fromFiles() {
        return pods != null;
    }

    /** Returns whether a part of the generated cluster is asked for. */
    boolean isScaled() {
        return scale != null;
    }

    /**
     * Checks that the options go together.
     *
     * @throws picocli.CommandLine.ParameterException if they do not
     */
    void check(@Nullable CommandSpec spec) {
        if ((nodes == null) != (pods == null)) {
            throw OptionErrors.bad(
                    spec,
                    "--nodes and --pods go together, got only "
                            + (nodes == null ? "--pods " + pods : "--nodes " + nodes));
        }
        if (fromFiles() && isScaled()) {
            throw OptionErrors.bad(
                    spec, "--scale is for the generated cluster and does not go with --nodes and --pods");
        }
    }

    /** Reads or generates the workload. */
    Workload workload() {
        return workload(1, 1);
    }

    /** Reads the workload, or generates one that lasts long enough for a replay to become steady. */
    Workload replayWorkload() {
        return workload(REPLAY_SCALE, REPLAY_ROUNDS);
    }

    private Workload workload(double defaultScale, int rounds) {
        if (nodes == null || pods == null) {
            return GeneratedWorkload.of(GENERATED_SEED, scale == null ? defaultScale : scale, rounds);
        }
        return new Workload(name(pods), OpenbTrace.nodes(nodes), OpenbTrace.pods(pods));
    }

    /** Returns the name of the trace: that of the file without the usual prefix and ending. */
    static String name(Path file) {
        String name = String.valueOf(file.getFileName());
        name = name.startsWith(POD_LIST_PREFIX) ? name.substring(POD_LIST_PREFIX.length()) : name;
        return name.endsWith(".csv") ? name.substring(0, name.length() - ".csv".length()) : name;
    }
}
