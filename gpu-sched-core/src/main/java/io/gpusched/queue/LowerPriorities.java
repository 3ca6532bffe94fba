package io.gpusched.queue;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What preemption may take: the victims of lower priority in the same queue. */
final class LowerPriorities implements Sources {
    private final VictimPool pool;
    private final int priority;
    private final Iterator<Victim> rest;

    LowerPriorities(VictimPool pool, int priority) {
        this.pool = pool;
        this.priority = priority;
        this.rest = pool.victims().iterator();
    }

    @Override
    public @Nullable Victim next() {
        Victim victim = rest.hasNext() ? rest.next() : null;
        return victim != null && victim.priority() < priority ? victim : null; // the lowest priority comes first
    }

    @Override
    public List<Victim> all() {
        List<Victim> lower = new ArrayList<>();
        for (Victim victim : pool.victims()) {
            if (victim.priority() >= priority) {
                break;
            }
            lower.add(victim);
        }
        return lower;
    }

    @Override
    public int pods() {
        return all().stream().mapToInt(victim -> victim.placements().size()).sum();
    }

    @Override
    public long most(int resource) {
        return all().stream().mapToLong(victim -> victim.amounts()[resource]).sum();
    }
}
