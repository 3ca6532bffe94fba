package io.gpusched.simulator.replay;

import java.util.Comparator;

/**
 * Something that happens.
 *
 * @param seconds when
 * @param kind what
 * @param index to which job, by its place among the jobs, or to which node, by its place among the nodes
 */
record Event(long seconds, Kind kind, int index) implements Comparable<Event> {
    /** What happens; at the same second in this order. */
    enum Kind {
        /** A job ends. */
        END,
        /** A node goes back into service. */
        RETURN,
        /** A node fails. */
        FAIL,
        /** A node takes nothing new. */
        DRAIN,
        /** A job arrives. */
        ARRIVE
    }

    private static final Comparator<Event> ORDER =
            Comparator.comparingLong(Event::seconds).thenComparing(Event::kind).thenComparingInt(Event::index);

    @Override
    public int compareTo(Event other) {
        return ORDER.compare(this, other);
    }
}
