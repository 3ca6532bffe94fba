package io.gpusched.internal.cycle;

import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.TreeSet;

/** Some who may leave, and how much they hold. They are put in order when first asked for: often arithmetic refuses before. */
final class VictimPool {
    private final TreeSet<Victim> ordered;

    /** Those that are not in order yet. */
    private final Set<Victim> added = new LinkedHashSet<>();

    private final long[] total;

    /** Of each resource, how much one of them holds at most, and how many hold as much: none if that has to be looked up again. */
    private final long[] largest;

    private final int[] holders;

    private int pods;

    VictimPool(Comparator<Victim> cheapestFirst, int resources) {
        ordered = new TreeSet<>(cheapestFirst);
        total = new long[resources];
        largest = new long[resources];
        holders = new int[resources];
    }

    void add(Victim victim) {
        boolean isFirst = isEmpty();
        added.add(victim);
        Vectors.add(total, victim.held());
        for (int r = 0; r < total.length; r++) {
            largest[r] = isFirst ? 0 : largest[r];
            if (isFirst || holders[r] > 0) {
                count(victim, r);
            }
        }
        pods += victim.placements().size();
    }

    void remove(Victim victim) {
        if (!added.remove(victim)) {
            ordered.remove(victim);
        }
        Vectors.subtract(total, victim.held());
        for (int r = 0; r < total.length; r++) {
            holders[r] -= holders[r] > 0 && victim.held()[r] == largest[r] ? 1 : 0;
        }
        pods -= victim.placements().size();
    }

    private void count(Victim victim, int r) {
        if (victim.held()[r] > largest[r]) {
            largest[r] = victim.held()[r];
            holders[r] = 0;
        }
        holders[r] += victim.held()[r] == largest[r] ? 1 : 0;
    }

    boolean isEmpty() {
        return added.isEmpty() && ordered.isEmpty();
    }

    /** Those who may leave, the cheapest first. */
    Set<Victim> victims() {
        ordered.addAll(added);
        added.clear();
        return Collections.unmodifiableSet(ordered);
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
        if (holders[resource] == 0) {
            largest[resource] = 0;
            victims().forEach(victim -> count(victim, resource));
        }
        return largest[resource];
    }
}
