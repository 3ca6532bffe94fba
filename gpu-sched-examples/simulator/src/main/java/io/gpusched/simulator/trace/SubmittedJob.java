package io.gpusched.simulator.trace;

import java.util.Objects;

/**
 * A job and whose it is.
 *
 * @param job its pods and times
 * @param owner the virtual cluster that the trace names, else the user; empty where it names neither
 */
public record SubmittedJob(TraceJob job, String owner) {
    /** Checks that nothing is missing. */
    public SubmittedJob {
        Objects.requireNonNull(job, "job");
        Objects.requireNonNull(owner, "owner");
    }
}
