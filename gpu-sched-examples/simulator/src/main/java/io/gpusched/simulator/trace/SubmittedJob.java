package io.gpusched.simulator.trace;

import java.util.Objects;

/**
 * A job and whose it is.
 *
 * @param job its pods and times
 * @param owner the virtual cluster that the trace names, else the user; empty where it names neither
 * @param ranOn the model of the GPUs on which it ran; empty where the trace does not tell
 */
public record SubmittedJob(TraceJob job, String owner, String ranOn) {
    /** Checks that nothing is missing. */
    public SubmittedJob {
        Objects.requireNonNull(job, "job");
        Objects.requireNonNull(owner, "owner");
        Objects.requireNonNull(ranOn, "ranOn");
    }

    /** A job without the GPUs that it ran on. */
    public SubmittedJob(TraceJob job, String owner) {
        this(job, owner, "");
    }

    /** Returns this job, so many seconds earlier. */
    SubmittedJob earlier(long seconds) {
        return new SubmittedJob(job.at(job.lifetime().arrivalSeconds() - seconds), owner, ranOn);
    }
}
