package io.gpusched.simulator.grid;

import io.gpusched.simulator.policy.LibraryPolicies;
import java.io.Serializable;
import java.util.Comparator;

/**
 * One combination of a grid.
 *
 * @param trace the file name of the job list
 * @param cluster nodes of one kind such as {@code 32x8}, or the file name of the machines
 * @param load the offered load, in 0.01..10; 0 for the arrivals at the list's own times
 * @param rule a {@link io.gpusched.simulator.cycle.CycleRule}, by which jobs go through scheduling cycles, or a policy, by which they are replayed
 * @param told what the scheduler is told of run times; empty with a policy, which is told nothing
 * @param seed draws the arrivals, at least 0; 0 for the arrivals as they were
 */
public record Cell(String trace, String cluster, double load, String rule, String told, long seed)
        implements Comparable<Cell>, Serializable {
    private static final Comparator<Cell> ORDER = Comparator.comparing(Cell::trace)
            .thenComparing(Cell::cluster)
            .thenComparingDouble(Cell::load)
            .thenComparing(Cell::rule)
            .thenComparing(Cell::told)
            .thenComparingLong(Cell::seed);

    /** Whether jobs are replayed by a policy, and do not go through scheduling cycles. */
    boolean isByPolicy() {
        return LibraryPolicies.names().contains(rule);
    }

    /** Orders cells by their values, in the order of the components. */
    @Override
    public int compareTo(Cell other) {
        return ORDER.compare(this, other);
    }

    /** Returns it as it is named in messages: {@code philly.csv 32x8 load 0.95 easy hours seed 1}. */
    @Override
    public String toString() {
        return trace + " " + cluster + (load == 0 ? "" : " load " + load) + " " + rule
                + (told.isEmpty() ? "" : " " + told) + (seed == 0 ? "" : " seed " + seed);
    }
}
