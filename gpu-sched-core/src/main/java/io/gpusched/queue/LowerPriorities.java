package io.gpusched.queue;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What preemption may take: the victims of lower priority in the same queue. */
final class LowerPriorities implements Sources {
    private final List<Victim> lower = new ArrayList<>();
    private int taken;

    LowerPriorities(VictimPool pool, int priority) {
        if (pool.lowestPriority() < priority) {
            for (Victim victim : pool.victims()) { // the lowest priority comes first
                if (victim.priority() >= priority) {
                    break;
                }
                lower.add(victim);
            }
        }
    }

    @Override
    public @Nullable Victim next() {
        return taken < lower.size() ? lower.get(taken++) : null;
    }

    @Override
    public List<Victim> all() {
        return lower;
    }

    @Override
    public int pods() {
        return lower.stream().mapToInt(victim -> victim.placements().size()).sum();
    }

    @Override
    public long most(int resource) {
        return lower.stream().mapToLong(victim -> victim.amounts()[resource]).sum();
    }
}
