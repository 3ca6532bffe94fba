package io.gpusched.internal.lookahead;

import io.gpusched.model.NodeState;
import io.gpusched.workload.WorkloadProfile;
import io.gpusched.workload.WorkloadProfile.Demand;

/** The values of {@link io.gpusched.policy.LookAhead}, by one workload profile. Thread-safe. */
public final class LookAheadScorer {
    /** The bits of a score below its gain, for the best-fit term, in milli. */
    static final int TIE_BITS = 10;

    private final Forecast forecast;

    public LookAheadScorer(WorkloadProfile profile) {
        this.forecast = new Forecast(profile);
    }

    /** Returns the cost of what is free on a node, in 1/1024 milli of GPU compute. */
    public long cost(NodeState node) {
        return forecast.of(node.nodeClass()).cost(free(node));
    }

    private FreeAmounts free(NodeState node) {
        return FreeAmounts.of(node, forecast.mix().stepsFree(node.freeMemoryMib()));
    }

    /** Returns the score of a placement. */
    public long score(NodeState before, NodeState after) {
        HardwareForecast hardware = forecast.of(before.nodeClass());
        FreeAmounts free = free(before);
        int steps = forecast.mix().stepsTaken(before.freeMemoryMib() - after.freeMemoryMib());
        FreeAmounts left = FreeAmounts.of(after, Math.max(0, free.memorySteps() - steps));
        Comparison comparison = new Comparison(before, hardware.cost(free), hardware);
        long score = comparison.score(left, NodeChange.leftOnSharedGpus(before, after));
        int gpu = ShareMove.gpu(before, after);
        return gpu < 0 ? score : Math.min(score, comparison.leastDominating(after, gpu, left) - 1);
    }

    /**
     * The ways to place a pod on a node.
     *
     * @param cost the cost of what is free as it is
     */
    private record Comparison(NodeState before, long cost, HardwareForecast hardware) {
        long score(FreeAmounts left, long leftOnSharedGpus) {
            long gain = cost - hardware.cost(left);
            return (gain << TIE_BITS) - Math.min(leftOnSharedGpus, (1 << TIE_BITS) - 1);
        }

        /** Returns the least score of the ways to place a share on another GPU of the node that are better for all. */
        long leastDominating(NodeState after, int gpu, FreeAmounts left) {
            int here = FreeAmounts.level(before, gpu);
            int hereLeft = FreeAmounts.level(after, gpu);
            int part = before.freeComputeMillis(gpu) - after.freeComputeMillis(gpu);
            long least = Long.MAX_VALUE;
            int last = here;
            for (int other = 0; other < before.gpuCount(); other++) {
                int there = FreeAmounts.level(before, other);
                if (there == last || there == here || there < part || there == 0 || !hardware.areAlike(gpu, other)) {
                    continue;
                }
                last = there;
                ShareMove move = new ShareMove(here, hereLeft, there, Math.min(there - part, Demand.WHOLE - 1));
                if (hardware.isBetter(move, left, after) && ShareMove.hasRoom(before, after, gpu, other)) {
                    least = Math.min(least, score(left.with(move), move.thereLeft()));
                }
            }
            return least;
        }
    }

    /** Returns statistics over no nodes. */
    public LookAheadStatistics statistics() {
        return new LookAheadStatistics(forecast);
    }

    /** Returns what the penalty of a placement depends on. */
    public Object penaltyKey(NodeState before, NodeState after) {
        HardwareForecast hardware = forecast.of(before.nodeClass());
        return hardware.loss(forecast.reserve().lost(before, after, hardware.sizes()));
    }
}
