package io.gpusched.internal.cycle;

import io.gpusched.decision.PendingReason;
import io.gpusched.model.Placement;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Victims of whom any may leave. */
class AnyVictims implements VictimChoice {
    private final List<Victim> all;
    private int next;

    AnyVictims(List<Victim> cheapestFirst) {
        this.all = cheapestFirst;
    }

    @Override
    public @Nullable Victim next() {
        return next < all.size() ? all.get(next++) : null;
    }

    @Override
    public boolean isEmpty() {
        return all.isEmpty();
    }

    @Override
    public List<Victim> all() {
        return all;
    }

    @Override
    public @Nullable PendingReason forbids(List<Victim> victims, List<Placement> placements) {
        return null;
    }

    @Override
    public long most(int resource) {
        return all.stream().mapToLong(victim -> victim.held()[resource]).sum();
    }
}
