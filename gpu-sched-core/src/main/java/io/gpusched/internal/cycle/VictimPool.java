package io.gpusched.internal.cycle;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Those of one queue who may leave, the cheapest first, and at most how much they hold. */
final class VictimPool {
    private final List<Victim> victims;
    private final Comparator<Victim> cheapestFirst;
    private final long[] total;
    private final long[] largest;

    VictimPool(List<Victim> victims, Comparator<Victim> cheapestFirst, int resources) {
        this.victims = new ArrayList<>(victims);
        this.cheapestFirst = cheapestFirst;
        this.victims.sort(cheapestFirst);
        total = new long[resources];
        largest = new long[resources];
        victims.forEach(this::count);
    }

    private void count(Victim victim) {
        Vectors.add(total, victim.held());
        Vectors.max(largest, victim.held());
    }

    List<Victim> victims() {
        return victims;
    }

    /** What all hold together. */
    long total(int resource) {
        return total[resource];
    }

    /** At most what one of them holds. */
    long largest(int resource) {
        return largest[resource];
    }

    void remove(Victim victim) {
        if (victims.remove(victim)) {
            Vectors.subtract(total, victim.held());
        }
    }

    /** Replaces those of a job. */
    void replace(JobState job, List<Victim> others) {
        for (Victim victim : List.copyOf(victims)) {
            if (victim.job() == job) {
                remove(victim);
            }
        }
        others.forEach(this::count);
        if (victims.addAll(others)) {
            victims.sort(cheapestFirst);
        }
    }
}
