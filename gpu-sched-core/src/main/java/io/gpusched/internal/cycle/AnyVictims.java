package io.gpusched.internal.cycle;

import io.gpusched.decision.PendingReason;
import io.gpusched.model.Placement;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Victims of whom any may leave, if that is right for all of them together. */
final class AnyVictims implements VictimChoice {
    private final Collection<Victim> all;
    private final Iterator<Victim> next;
    private final BiFunction<List<Victim>, List<Placement>, @Nullable PendingReason> check;

    AnyVictims(
            Collection<Victim> cheapestFirst,
            BiFunction<List<Victim>, List<Placement>, @Nullable PendingReason> check) {
        this.all = cheapestFirst;
        this.next = cheapestFirst.iterator();
        this.check = check;
    }

    @Override
    public @Nullable Victim next() {
        return next.hasNext() ? next.next() : null;
    }

    @Override
    public boolean isEmpty() {
        return all.isEmpty();
    }

    @Override
    public List<Victim> all() {
        return List.copyOf(all);
    }

    @Override
    public int pods() {
        return all.stream().mapToInt(victim -> victim.placements().size()).sum();
    }

    @Override
    public @Nullable PendingReason forbids(List<Victim> victims, List<Placement> placements) {
        return check.apply(victims, placements);
    }

    @Override
    public long most(int resource) {
        return all.stream().mapToLong(victim -> victim.held()[resource]).sum();
    }
}
