package io.gpusched.queue;

import org.jspecify.annotations.Nullable;

/**
 * Preemption takes from lower priorities of the same queue. What that frees and what is free may be used together, but no queue on the way
 * to the top gets more than it may keep or has already: others would take it back, and so on in turns.
 */
record PreemptLaw(Queues.Shares shares) implements Law {
    @Override
    public @Nullable PendingReason broken(Session before, Statement statement) {
        if (statement.pass() != CyclePass.PREEMPT) {
            return null;
        }
        PlanInput input = before.input();
        JobFacts mine = input.job(statement.job());
        for (Statement.Change change : statement.changes()) {
            JobFacts other = input.job(change.job());
            boolean isLower = other.queue == mine.queue
                    && other.job.spec().priority() < mine.job.spec().priority();
            if (change.kind() == Statement.Kind.EVICT && !isLower) {
                return new PendingReason.Unfair(input.queues().name(mine.queue), 0);
            }
        }
        for (int q = mine.queue; q >= 0; q = input.queues().parent(q)) {
            long[] held = before.held().get(q);
            long[] after = statement.after().held().get(q);
            for (int r = 0; r < held.length; r++) {
                if (after[r] > held[r]
                        && after[r] > shares.mayKeep().get(q)[r]
                        && statement.atLeast()[r] > 0) {
                    return new PendingReason.Unfair(input.queues().name(q), 0);
                }
            }
        }
        return null;
    }
}
