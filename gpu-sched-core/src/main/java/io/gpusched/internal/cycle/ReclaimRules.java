package io.gpusched.internal.cycle;

import io.gpusched.decision.CyclePass;
import io.gpusched.decision.PendingReason;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Jobs of queues that have more than they may keep leave for those of queues that have less than their fair share. What is compared are
 * the siblings in the tree on the way from the one queue and the other to the top.
 */
final class ReclaimRules implements EvictionRules {
    private final Cycle cycle;

    ReclaimRules(Cycle cycle) {
        this.cycle = cycle;
    }

    @Override
    public CyclePass pass() {
        return CyclePass.RECLAIM;
    }

    @Override
    public Object circumstances(Ask ask) {
        return List.of(ask.job().queue.name(), ask.isFixed());
    }

    /** A queue gets no more back than its fair share. */
    @Override
    public @Nullable PendingReason forbids(Ask ask) {
        QueueUse queue = ask.job().queue;
        int r = Vectors.firstAbove(queue.used, ask.asked(), queue.fairShare);
        return r < 0
                ? null
                : new PendingReason.OverFairShare(
                        queue.name(), cycle.resources.resource(r), queue.used[r], ask.asked()[r], queue.fairShare[r]);
    }

    @Override
    public VictimChoice choice(Ask ask) {
        return new ReclaimChoice(cycle.resources, ask, cycle.victims());
    }
}
