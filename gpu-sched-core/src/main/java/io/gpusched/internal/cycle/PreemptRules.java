package io.gpusched.internal.cycle;

import io.gpusched.decision.CyclePass;
import io.gpusched.decision.PendingReason;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Jobs leave for those of higher priority in the same queue. What that frees and what is free may be used together, but no more than the
 * queue may keep or has already: others would take it back, and so on in turns.
 */
final class PreemptRules implements EvictionRules {
    private final Cycle cycle;

    PreemptRules(Cycle cycle) {
        this.cycle = cycle;
    }

    @Override
    public CyclePass pass() {
        return CyclePass.PREEMPT;
    }

    @Override
    public Object circumstances(Ask ask) {
        return List.of(ask.job().queue.name(), ask.job().job.priority(), ask.isFixed());
    }

    @Override
    public @Nullable PendingReason forbids(Ask ask) {
        return null;
    }

    @Override
    public VictimChoice choice(Ask ask) {
        List<Victim> lower = new ArrayList<>();
        for (Victim victim : cycle.victims().pool(ask.job().queue).victims()) {
            if (victim.job().job.priority() >= ask.job().job.priority()) {
                break; // the lowest priority comes first
            }
            lower.add(victim);
        }
        return new AnyVictims(lower, (victims, placements) -> forbids(ask, victims, lower));
    }

    private static @Nullable PendingReason forbids(Ask ask, List<Victim> victims, List<Victim> lower) {
        long[] more = ask.asked().clone();
        victims.forEach(victim -> Vectors.subtract(more, victim.held()));
        for (QueueUse at = ask.job().queue; at != null; at = at.parent) {
            for (int r = 0; r < more.length; r++) {
                if (more[r] > 0 && at.used[r] > at.allocatable[r] - more[r]) {
                    return new PendingReason.Unfair(at.name(), lower.size());
                }
            }
        }
        return null;
    }
}
