package io.gpusched.queue;

import io.gpusched.decision.Certainty;
import io.gpusched.model.Placement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * No queue holds more than its limit: neither with what runs and is nominated nor with what runs and terminates. A queue that
 * already holds more, as its limit was lowered, does not grow: no pod takes the place of one that leaves, and no pod moves.
 */
record LimitLaw() implements Law {
    @Override
    public @Nullable PendingReason broken(Session before, Statement statement) {
        PlanInput input = before.input();
        Session after = statement.after();
        for (int job : statement.jobs()) {
            for (int q = input.job(job).queue; q >= 0; q = input.queues().parent(q)) {
                PendingReason reason = over(
                        input,
                        q,
                        before.held().get(q),
                        staying(before, statement, q),
                        after.held().get(q));
                if (reason == null) {
                    long[] standing = before.standing().get(q);
                    reason = over(input, q, standing, standing, after.standing().get(q));
                }
                if (reason != null) {
                    return reason;
                }
            }
        }
        return null;
    }

    /** What a queue holds, without the pods that leave if it is still above its limit afterwards. */
    private static long[] staying(Session before, Statement statement, int queue) {
        long[] held = before.held().get(queue);
        boolean isWithin = Amounts.isWithin(
                statement.after().held().get(queue), before.input().queues().limit(queue));
        if (isWithin || !statement.has(Statement.Kind.EVICT)) {
            return held;
        }
        List<Placement> leaving = new ArrayList<>();
        for (Statement.Change change : statement.changes()) {
            if (change.kind() == Statement.Kind.EVICT && isIn(before.input(), change.job(), queue)) {
                leaving.add(change.placement());
            }
        }
        long[] staying = held.clone();
        Amounts.subtract(staying, before.held(leaving));
        return staying;
    }

    private static boolean isIn(PlanInput input, int job, int queue) {
        int q = input.job(job).queue;
        while (q >= 0 && q != queue) {
            q = input.queues().parent(q);
        }
        return q == queue;
    }

    private static @Nullable PendingReason over(
            PlanInput input, int queue, long[] before, long[] staying, long[] after) {
        long[] limit = input.queues().limit(queue);
        int r = above(staying, after, limit);
        return r < 0
                ? null
                : new PendingReason.OverLimit(
                        input.queues().name(queue),
                        input.table().resource(r),
                        before[r],
                        after[r] - staying[r],
                        limit[r],
                        Certainty.LIMIT);
    }

    /** The first resource that a queue holds more of than the limit, and more than before; -1 if there is none. */
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
        return session.input().overLimit(session.held(), queue, more, Certainty.PROVEN);
    }
}
