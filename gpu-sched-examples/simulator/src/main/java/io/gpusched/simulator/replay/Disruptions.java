package io.gpusched.simulator.replay;

import java.util.ArrayList;
import java.util.List;
import org.apache.commons.math3.distribution.ExponentialDistribution;
import org.apache.commons.math3.random.RandomGenerator;
import org.apache.commons.math3.random.Well19937c;

/**
 * How often nodes go out of service: Poisson streams over the whole cluster, each hitting any node with the same chance.
 *
 * @param failuresPerDay nodes that fail a day; what runs there is lost and starts again from the queue
 * @param drainsPerDay nodes that are drained a day; what runs there ends in peace, nothing new comes
 * @param hours how long a node stays out
 */
public record Disruptions(double failuresPerDay, double drainsPerDay, double hours) {
    /** Nothing goes wrong. */
    public static final Disruptions NONE = new Disruptions(0, 0, 1);

    private static final double MOST_PER_DAY = 100_000;
    private static final double DAY_SECONDS = 86_400;
    private static final double HOUR_SECONDS = 3_600;

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if a rate is not in 0..100,000 or the time not in 0.01..1,000
     */
    public Disruptions {
        checkRange("failuresPerDay", failuresPerDay, 0, MOST_PER_DAY);
        checkRange("drainsPerDay", drainsPerDay, 0, MOST_PER_DAY);
        checkRange("hours", hours, 0.01, 1_000);
    }

    private static void checkRange(String field, double value, double min, double max) {
        if (!(value >= min && value <= max)) {
            throw new IllegalArgumentException(
                    "disruptions: " + field + " must be in " + min + ".." + max + ", got " + value);
        }
    }

    /** Returns so many times as many disruptions, as of so many times as many nodes. */
    public Disruptions times(double factor) {
        return new Disruptions(
                Math.min(MOST_PER_DAY, factor * failuresPerDay), Math.min(MOST_PER_DAY, factor * drainsPerDay), hours);
    }

    /** Returns the events within a span of time, drawn from the seed. */
    List<Event> events(int nodes, long spanSeconds, long seed) {
        RandomGenerator random = new Well19937c(seed);
        List<Event> events = new ArrayList<>();
        add(events, Event.Kind.FAIL, failuresPerDay, nodes, spanSeconds, random);
        add(events, Event.Kind.DRAIN, drainsPerDay, nodes, spanSeconds, random);
        return events;
    }

    private void add(
            List<Event> events, Event.Kind kind, double perDay, int nodes, long spanSeconds, RandomGenerator random) {
        if (perDay == 0) {
            return;
        }
        var gap = new ExponentialDistribution(random, DAY_SECONDS / perDay);
        for (double now = gap.sample(); now < spanSeconds; now += gap.sample()) {
            int node = random.nextInt(nodes);
            events.add(new Event((long) now, kind, node));
            events.add(new Event((long) (now + hours * HOUR_SECONDS), Event.Kind.RETURN, node));
        }
    }
}
