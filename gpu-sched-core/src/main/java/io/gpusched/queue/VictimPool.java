package io.gpusched.queue;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Victims of one queue or of all, kept in order from one request to the next; put in order when first asked for. */
final class VictimPool {
    private final Map<Integer, List<Victim>> ofJob = new HashMap<>();
    private final Comparator<Victim> cheapestFirst;
    private @Nullable TreeSet<Victim> ordered;
    private final long[] total;
    private final long[] largest;
    private int lowestPriority = Integer.MAX_VALUE;
    private int pods;

    VictimPool(Comparator<Victim> cheapestFirst, int resources) {
        this.cheapestFirst = cheapestFirst;
        total = new long[resources];
        largest = new long[resources];
    }

    /** Takes these for the victims of a job, in place of those before. */
    void replace(int job, List<Victim> victims) {
        List<Victim> before = victims.isEmpty() ? ofJob.remove(job) : ofJob.put(job, victims);
        if (before != null) {
            before.forEach(this::remove);
        }
        for (Victim victim : victims) {
            Amounts.add(total, victim.amounts());
            Amounts.max(largest, victim.amounts());
            lowestPriority = Math.min(lowestPriority, victim.priority());
            pods += victim.placements().size();
        }
        if (ordered != null) {
            ordered.addAll(victims);
        }
    }

    private void remove(Victim victim) {
        if (ordered != null) {
            ordered.remove(victim);
        }
        Amounts.subtract(total, victim.amounts());
        pods -= victim.placements().size();
    }

    boolean isEmpty() {
        return ofJob.isEmpty();
    }

    /** The victims, the cheapest first. */
    SortedSet<Victim> victims() {
        TreeSet<Victim> known = ordered;
        if (known == null) {
            known = new TreeSet<>(cheapestFirst);
            ofJob.values().forEach(known::addAll);
            ordered = known;
        }
        return known;
    }

    int pods() {
        return pods;
    }

    /** At most the lowest priority of them. */
    int lowestPriority() {
        return lowestPriority;
    }

    /** At least the most that one of them holds of each resource. */
    long[] largest() {
        return largest;
    }

    /** What all hold together. */
    long[] total() {
        return total;
    }
}
