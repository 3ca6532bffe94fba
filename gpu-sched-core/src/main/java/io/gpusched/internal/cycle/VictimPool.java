package io.gpusched.internal.cycle;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Some who may leave, the cheapest first, and how much they hold. */
final class VictimPool {
    private final TreeSet<Victim> victims;
    private final long[] total;

    /** Of each resource, how many hold each amount. */
    private final List<TreeMap<Long, Integer>> amounts = new ArrayList<>();

    private int pods;

    VictimPool(Comparator<Victim> cheapestFirst, int resources) {
        victims = new TreeSet<>(cheapestFirst);
        total = new long[resources];
        for (int r = 0; r < resources; r++) {
            amounts.add(new TreeMap<>());
        }
    }

    void add(Victim victim) {
        victims.add(victim);
        Vectors.add(total, victim.held());
        for (int r = 0; r < total.length; r++) {
            amounts.get(r).merge(victim.held()[r], 1, Integer::sum);
        }
        pods += victim.placements().size();
    }

    void remove(Victim victim) {
        victims.remove(victim);
        Vectors.subtract(total, victim.held());
        for (int r = 0; r < total.length; r++) {
            amounts.get(r).computeIfPresent(victim.held()[r], (amount, count) -> count == 1 ? null : count - 1);
        }
        pods -= victim.placements().size();
    }

    Set<Victim> victims() {
        return Collections.unmodifiableSet(victims);
    }

    /** How many pods they are. */
    int pods() {
        return pods;
    }

    /** What all hold together. */
    long total(int resource) {
        return total[resource];
    }

    /** How much one of them holds at most. */
    long largest(int resource) {
        TreeMap<Long, Integer> own = amounts.get(resource);
        return own.isEmpty() ? 0 : own.lastKey();
    }
}
