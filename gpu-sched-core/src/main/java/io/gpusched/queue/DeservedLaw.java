package io.gpusched.queue;

import io.gpusched.decision.Certainty;
import org.jspecify.annotations.Nullable;

/** What may never be evicted stays within what its queue and all queues above it deserve: otherwise others could not get back theirs. */
record DeservedLaw() implements Law {
    @Override
    public @Nullable PendingReason broken(Session before, Statement statement) {
        PlanInput input = before.input();
        for (int job : statement.jobs()) {
            boolean isFixed = input.job(job).isFixed(true);
            for (int q = input.job(job).queue;
                    isFixed && q >= 0;
                    q = input.queues().parent(q)) {
                long[] deserved = input.queues().deserved(q);
                long[] held = before.fixed().get(q);
                int r = LimitLaw.above(held, statement.after().fixed().get(q), deserved);
                if (r >= 0) {
                    long more = statement.after().fixed().get(q)[r] - held[r];
                    return new PendingReason.OverDeserved(
                            input.queues().name(q),
                            input.table().resource(r),
                            held[r],
                            more,
                            deserved[r],
                            Certainty.LIMIT);
                }
            }
        }
        return null;
    }

    /** Returns why a request that may never be evicted is refused, whatever leaves; null if it is not. */
    static @Nullable PendingReason forbids(Session session, Request request) {
        PlanInput input = session.input();
        JobFacts facts = input.job(request.job());
        for (int q = facts.queue;
                facts.isFixed(request.isMinimum()) && q >= 0;
                q = input.queues().parent(q)) {
            long[] held = session.fixed().get(q);
            int r = Amounts.firstAbove(held, request.atLeast(), input.queues().deserved(q));
            if (r >= 0) {
                return new PendingReason.OverDeserved(
                        input.queues().name(q),
                        input.table().resource(r),
                        held[r],
                        request.atLeast()[r],
                        input.queues().deserved(q)[r],
                        Certainty.PROVEN);
            }
        }
        return null;
    }
}
