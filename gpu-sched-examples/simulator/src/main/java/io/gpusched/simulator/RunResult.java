package io.gpusched.simulator;

import io.gpusched.model.Cluster;
import java.util.List;

/**
 * What came of one run.
 *
 * @param workload name of the workload
 * @param policy name of the policy as asked for
 * @param seed seed of the order of arrival
 * @param curve a point for each whole percent of arrived GPU compute, from 0
 * @param decisions how many pods were decided
 * @param decisionNanos time spent on deciding and applying, in nanoseconds
 * @param end the cluster at the end
 */
public record RunResult(
        String workload,
        String policy,
        long seed,
        List<CurvePoint> curve,
        int decisions,
        long decisionNanos,
        Cluster end) {
    /** Copies the curve. */
    public RunResult {
        curve = List.copyOf(curve);
    }

    /** Returns the point at this arrived percent, or the last one where less than that arrived. */
    public CurvePoint at(int arrivedPercent) {
        return curve.get(Math.min(arrivedPercent, curve.size() - 1));
    }
}
