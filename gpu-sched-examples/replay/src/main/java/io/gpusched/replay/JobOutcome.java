package io.gpusched.replay;

import java.util.OptionalLong;

/**
 * What became of a job.
 *
 * @param name its name
 * @param queue its queue
 * @param gpuMillis what its members ask, in milli of GPUs
 * @param arrived when it came
 * @param old whether it was there when the history began
 * @param started when its minimum first started; empty if it did not
 * @param ended when it was gone; empty if it never was
 * @param unfinished whether pods of it had been evicted or lost their node and had not run again when it was gone: it did not end by itself
 * @param evictions how many pods were evicted
 * @param lostGpuTime what pods had run when they were evicted or lost their node, in milli of GPUs times the unit of time
 * @param promised when its start was first reserved, if it was promised one
 */
public record JobOutcome(
        String name,
        String queue,
        long gpuMillis,
        long arrived,
        boolean old,
        OptionalLong started,
        OptionalLong ended,
        boolean unfinished,
        int evictions,
        long lostGpuTime,
        OptionalLong promised) {
    /** Returns how long it waited for its first start; empty if it never started, or was there before the history began. */
    public OptionalLong waited() {
        return old || started.isEmpty() ? OptionalLong.empty() : OptionalLong.of(started.getAsLong() - arrived);
    }
}
