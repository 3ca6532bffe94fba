package io.gpusched.internal.cycle;

import io.gpusched.decision.PendingReason;
import io.gpusched.model.Placement;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Who may leave for a job of higher priority in the same queue, which must not use more than it may keep because of that. */
final class PreemptChoice extends AnyVictims {
    private final Ask ask;

    PreemptChoice(List<Victim> cheapestFirst, Ask ask) {
        super(cheapestFirst);
        this.ask = ask;
    }

    @Override
    public @Nullable PendingReason forbids(List<Victim> victims, List<Placement> placements) {
        long[] more = ask.asked().clone();
        victims.forEach(victim -> Vectors.subtract(more, victim.held()));
        for (QueueUse at = ask.job().queue; at != null; at = at.parent) {
            for (int r = 0; r < more.length; r++) {
                if (more[r] > 0 && at.used[r] > at.allocatable[r] - more[r]) {
                    return new PendingReason.Unfair(at.name(), all().size());
                }
            }
        }
        return null;
    }
}
