package io.gpusched.queue;

import io.gpusched.decision.Certainty;
import org.jspecify.annotations.Nullable;

/**
 * No queue holds more than its limit: neither with what runs and is nominated nor with what runs and terminates. Where it does already, as
 * its limit was lowered, it does not grow.
 */
record LimitLaw() implements Law {
    @Override
    public @Nullable PendingReason broken(Session before, Statement statement) {
        PlanInput input = before.input();
        Session after = statement.after();
        for (int job : statement.jobs()) {
            for (int q = input.job(job).queue; q >= 0; q = input.queues().parent(q)) {
                PendingReason reason =
                        over(input, q, before.held().get(q), after.held().get(q));
                if (reason == null) {
                    reason = over(
                            input, q, before.standing().get(q), after.standing().get(q));
                }
                if (reason != null) {
                    return reason;
                }
            }
        }
        return null;
    }

    private static @Nullable PendingReason over(PlanInput input, int queue, long[] before, long[] after) {
        long[] limit = input.queues().limit(queue);
        int r = above(before, after, limit);
        return r < 0
                ? null
                : new PendingReason.OverLimit(
                        input.queues().name(queue),
                        input.table().resource(r),
                        before[r],
                        after[r] - before[r],
                        limit[r],
                        Certainty.LIMIT);
    }

    /** The first resource of which a queue holds more than the limit, and more than before; -1 if there is none. */
    static int above(long[] before, long[] after, long[] limit) {
        for (int r = 0; r < limit.length; r++) {
            if (after[r] > limit[r] && after[r] > before[r]) {
                return r;
            }
        }
        return -1;
    }

    /** Returns which limit forbids that a queue holds at least this more; null if none does. */
    static @Nullable PendingReason forbids(Session session, int queue, long[] more) {
        PlanInput input = session.input();
        for (int q = queue; q >= 0; q = input.queues().parent(q)) {
            long[] held = session.held().get(q);
            int r = Amounts.firstAbove(held, more, input.queues().limit(q));
            if (r >= 0) {
                return new PendingReason.OverLimit(
                        input.queues().name(q),
                        input.table().resource(r),
                        held[r],
                        more[r],
                        input.queues().limit(q)[r],
                        Certainty.PROVEN);
            }
        }
        return null;
    }
}
