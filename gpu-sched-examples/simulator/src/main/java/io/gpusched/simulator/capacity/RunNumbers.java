package io.gpusched.simulator.capacity;

import io.gpusched.simulator.cycle.CycleResult;
import io.gpusched.simulator.cycle.QueueNumbers;
import io.gpusched.simulator.replay.ReplayResult;
import io.gpusched.simulator.replay.Sample;
import java.util.List;

/**
 * What came of one replay. Waits are those before the first start, of the jobs that started.
 *
 * @param meanWaitMinutes the mean wait
 * @param medianWaitMinutes the wait that half of the jobs do not exceed
 * @param p95WaitMinutes the wait that 95 % of the jobs do not exceed
 * @param p99WaitMinutes the wait that 99 % of the jobs do not exceed
 * @param usedPercent GPU compute in use in percent, mean while jobs arrive
 * @param neverStarted jobs that never started
 * @param isSteady whether the second half of the arrivals was a steady state
 */
public record RunNumbers(
        double meanWaitMinutes,
        double medianWaitMinutes,
        double p95WaitMinutes,
        double p99WaitMinutes,
        double usedPercent,
        int neverStarted,
        boolean isSteady) {
    private static final double MINUTE_SECONDS = 60;

    /** Returns the numbers of a replay through scheduling cycles. */
    static RunNumbers of(CycleResult result) {
        List<QueueNumbers> queues = result.numbers();
        QueueNumbers all = queues.get(queues.size() - 1);
        return new RunNumbers(
                all.meanWaitMinutes(),
                all.medianWaitMinutes(),
                all.p95WaitMinutes(),
                all.p99WaitMinutes(),
                all.usedPercent(),
                all.neverStarted(),
                result.unsteady().isEmpty());
    }

    /** Returns the numbers of a replay. */
    public static RunNumbers of(ReplayResult result) {
        return new RunNumbers(
                result.meanWaitSeconds() / MINUTE_SECONDS,
                result.waitSeconds(50) / MINUTE_SECONDS,
                result.waitSeconds(95) / MINUTE_SECONDS,
                result.waitSeconds(99) / MINUTE_SECONDS,
                result.whileArriving(Sample::usedPercent),
                result.neverStarted(),
                result.unsteady().isEmpty());
    }
}
