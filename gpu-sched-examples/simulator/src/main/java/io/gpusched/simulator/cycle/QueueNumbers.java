package io.gpusched.simulator.cycle;

/**
 * What came of a queue, or of all.
 *
 * @param queue its name
 * @param jobs its jobs
 * @param neverStarted the jobs that never started
 * @param meanWaitMinutes how long its jobs waited until their first start: mean
 * @param medianWaitMinutes half of them waited no longer
 * @param p95WaitMinutes 95 of 100 waited no longer
 * @param p99WaitMinutes 99 of 100 waited no longer
 * @param meanCompletionMinutes mean time from submission to end
 * @param evictions how often its jobs were evicted
 * @param usedPercent the GPUs that it used while jobs arrived, in percent of the cluster's
 * @param fairPercent its fair share in that time, in percent of the cluster's GPUs
 */
public record QueueNumbers(
        String queue,
        int jobs,
        int neverStarted,
        double meanWaitMinutes,
        double medianWaitMinutes,
        double p95WaitMinutes,
        double p99WaitMinutes,
        double meanCompletionMinutes,
        int evictions,
        double usedPercent,
        double fairPercent) {}
