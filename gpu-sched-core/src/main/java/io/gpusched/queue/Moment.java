package io.gpusched.queue;

import io.gpusched.decision.Certainty;
import io.gpusched.model.Cluster;
import io.gpusched.model.Placement;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is held at a time of a {@link Timeline}.
 *
 * @param held how much of it by each queue
 * @param fixed how much of that may never be evicted
 */
record Moment(PlanInput input, Cluster cluster, Vec<long[]> held, Vec<long[]> fixed) {
    /**
     * What members of a job hold.
     *
     * @param minimum those of them that belong to the minimum of the job
     */
    record Stay(int job, List<Placement> placements, List<Placement> minimum) {
        /** What a job holds that has no more than this. */
        static Stay of(PlanInput input, int job, List<Placement> placed) {
            int least = input.job(job).job.group().minMember();
            return new Stay(job, placed, placed.subList(0, Math.min(placed.size(), least)));
        }
    }

    /** Returns what is held once members of a job hold nothing any more. */
    Moment without(Stay stay) {
        return new Moment(
                input,
                Snapshots.without(cluster, stay.placements),
                added(held, stay.job, amounts(stay), -1),
                added(fixed, stay.job, fixed(stay), -1));
    }

    /**
     * Returns what is held with members of a job, or null if they do not fit, or their queue or one above would exceed a limit, or what it
     * deserves with what may never be evicted.
     */
    @Nullable
    Moment with(Stay stay) {
        Cluster next = Snapshots.with(cluster, stay.placements);
        if (next == null) {
            return null;
        }
        return isWithinQuotas(stay)
                ? new Moment(
                        input, next, added(held, stay.job, amounts(stay), 1), added(fixed, stay.job, fixed(stay), 1))
                : null;
    }

    /** Whether the queue of a job may hold members of it at this time. */
    boolean isWithinQuotas(Stay stay) {
        return overLimit(stay) == null && !isOverDeserved(stay.job, fixed(stay));
    }

    /** Returns the limit that members of a job would exceed: {@link LimitLaw} at this time; null if there is none. */
    @Nullable
    PendingReason overLimit(Stay stay) {
        return input.overLimit(held, input.job(stay.job).queue, amounts(stay), Certainty.LIMIT);
    }

    private long[] amounts(Stay stay) {
        return input.table().held(stay.placements, input.cluster());
    }

    private long[] fixed(Stay stay) {
        JobFacts facts = input.job(stay.job);
        List<Placement> never =
                facts.isFixed(false) ? stay.placements : facts.isFixed(true) ? stay.minimum : List.<Placement>of();
        return input.table().held(never, input.cluster());
    }

    /** Whether a queue would hold more than it deserves that may never be evicted: {@link DeservedLaw} at this time. */
    private boolean isOverDeserved(int job, long[] more) {
        for (int q = input.job(job).queue; q >= 0; q = input.queues().parent(q)) {
            if (Amounts.firstAbove(fixed.get(q), more, input.queues().deserved(q)) >= 0) {
                return true;
            }
        }
        return false;
    }

    private Vec<long[]> added(Vec<long[]> sums, int job, long[] amounts, int sign) {
        Vec<long[]> next = sums;
        for (int q = input.job(job).queue; q >= 0; q = input.queues().parent(q)) {
            long[] sum = next.get(q).clone();
            for (int r = 0; r < sum.length; r++) {
                sum[r] += sign * amounts[r];
            }
            next = next.with(q, sum);
        }
        return next;
    }
}
