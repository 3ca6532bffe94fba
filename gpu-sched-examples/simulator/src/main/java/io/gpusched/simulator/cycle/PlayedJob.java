package io.gpusched.simulator.cycle;

import java.util.OptionalLong;

/**
 * What became of a job. Times are in seconds since the start of the trace.
 *
 * @param name its name
 * @param queue its queue
 * @param gpus its GPUs
 * @param submitted when it was submitted
 * @param runs how long it runs
 * @param told how long the scheduler was told that it runs
 * @param started when it started first; empty if it never did
 * @param ended when it ended
 * @param promised the start that it was told first while it waited; empty if it was told none
 * @param evictions how often it was evicted
 */
public record PlayedJob(
        String name,
        String queue,
        long gpus,
        long submitted,
        long runs,
        long told,
        OptionalLong started,
        OptionalLong ended,
        OptionalLong promised,
        int evictions) {
    /** Returns how long it waited for its first start. */
    public long waited() {
        return started.orElseThrow() - submitted;
    }

    /** Returns how long it took from its submission to its end. */
    long completion() {
        return ended.orElseThrow() - submitted;
    }
}
