package io.gpusched.cli;

import io.gpusched.simulator.replay.Disruptions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** How often nodes fail and are drained, and for how long. */
abstract class DisruptionOptions {
    private static final int DEFAULT_OUT_HOURS = 4;

    @Option(
            names = "--failures-per-day",
            paramLabel = "X",
            converter = Ranges.PerDay.class,
            description =
                    "nodes that fail a day, 0..100000; what runs there is lost and starts again; a plan takes it for the cluster as it is, and"
                            + " in proportion for others (default: 0)")
    private double failuresPerDay;

    @Option(
            names = "--drains-per-day",
            paramLabel = "X",
            converter = Ranges.PerDay.class,
            description = "nodes that are drained a day, 0..100000: nothing new comes there (default: 0)")
    private double drainsPerDay;

    @Option(
            names = "--out-hours",
            paramLabel = "X",
            converter = Ranges.Hours.class,
            description = "hours that a failed or drained node stays out of service, 0.01..1000 (default: "
                    + DEFAULT_OUT_HOURS + ")")
    private @Nullable Double outHours;

    /** Whether any node fails or is drained. */
    boolean isDisrupted() {
        return failuresPerDay > 0 || drainsPerDay > 0;
    }

    Disruptions disruptions() {
        return new Disruptions(failuresPerDay, drainsPerDay, outHours == null ? DEFAULT_OUT_HOURS : outHours);
    }

    /**
     * Checks that the options go together.
     *
     * @throws picocli.CommandLine.ParameterException if they do not
     */
    void checkDisruptions(@Nullable CommandSpec spec) {
        if (outHours != null && !isDisrupted()) {
            throw OptionErrors.bad(
                    spec,
                    "--out-hours is for nodes that fail or are drained and goes with --failures-per-day or --drains-per-day, got "
                            + outHours);
        }
    }
}
