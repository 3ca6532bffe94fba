package io.gpusched.simulator.report;

import io.gpusched.simulator.Estimate;
import io.gpusched.simulator.replay.ReplaySummary;
import java.util.List;

/**
 * The numbers of one policy on the page of a replay: means over the seeds.
 *
 * @param meanWaitMinutes mean wait before the first start
 * @param medianWaitMinutes wait that half of the jobs do not exceed
 * @param p95WaitMinutes wait that 95 % of the jobs do not exceed
 * @param p99WaitMinutes wait that 99 % of the jobs do not exceed
 * @param usedPercent GPU compute in use while jobs arrive
 * @param usedInterval both ends of its 95 % confidence interval, nothing for one seed
 * @param fragPercent fragmented GPU compute while jobs arrive
 * @param waiting jobs that wait then
 * @param restarts how often a job was lost with its node
 * @param neverStarted jobs that never started
 */
public record ReplayNumbers(
        double meanWaitMinutes,
        double medianWaitMinutes,
        double p95WaitMinutes,
        double p99WaitMinutes,
        double usedPercent,
        List<Double> usedInterval,
        double fragPercent,
        double waiting,
        double restarts,
        double neverStarted) {
    /** Copies the list. */
    public ReplayNumbers {
        usedInterval = List.copyOf(usedInterval);
    }

    /** Returns the numbers of a summary. */
    public static ReplayNumbers of(ReplaySummary summary) {
        Estimate used = summary.used();
        return new ReplayNumbers(
                summary.meanWaitMinutes(),
                summary.medianWaitMinutes(),
                summary.p95WaitMinutes(),
                summary.p99WaitMinutes(),
                used.mean(),
                used.runs() == 1 ? List.of() : List.of(used.lowPercent(), used.highPercent()),
                summary.fragPercent(),
                summary.waiting(),
                summary.restarts(),
                summary.neverStarted());
    }
}
