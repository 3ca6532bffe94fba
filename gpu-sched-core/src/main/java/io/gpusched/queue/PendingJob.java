package io.gpusched.queue;

import io.gpusched.check.Checks;
import java.util.Objects;

/**
 * A job with members that stay pending after a plan.
 *
 * @param job its name
 * @param members how many members are pending or nominated
 * @param reason what stands in the way of the next of them, or of its minimum if that does not run
 */
public record PendingJob(String job, int members, PendingReason reason) {
    /** Checks that nothing is missing. */
    public PendingJob {
        Checks.notBlank("pending job", "job", job);
        Checks.inRange("pending job \"" + job + "\"", "members", members, 1, Integer.MAX_VALUE);
        Objects.requireNonNull(reason, "reason");
    }
}
