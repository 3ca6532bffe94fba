package io.gpusched.internal.partition;

import java.util.Arrays;

/**
 * How much a device is still good for, by what is expected to be asked of it: what partitions that arrive one after the other, drawn
 * from a mix of profiles, will get of it, if each goes to its best place and what does not fit goes elsewhere.
 *
 * <p>Worked out exactly for each state and for a number of arrivals (dynamic programming backwards over them). With
 * {@code w} the part of arrivals that ask for a profile and {@code g} what it takes,
 * {@code V(h, s) = sum of w * (best of g + V(h-1, s + place) over its places that are free, or V(h-1, s) if none is)}. A placement
 * is the better, the less of {@code V} it takes away beyond what it uses. Immutable and thread-safe.
 */
public final class PartitionWorth {
    /** The worth of one unit of the grid, or of a hundredth of the compute where there is no grid. */
    public static final int UNIT = 1_024;

    private static final int MOST_WEIGHT = 1 << 16;

    private final PartitionStates states;
    private final long[] worth;

    private PartitionWorth(PartitionStates states, long[] worth) {
        this.states = states;
        this.worth = worth;
    }

    /**
     * Returns the worth by a mix.
     *
     * @param weights how often each name of a profile is asked for, relative to the others; not all 0
     * @param arrivals how many partitions are looked ahead, at least 1
     */
    public static PartitionWorth of(PartitionStates states, long[] weights, int arrivals) {
        if (!states.isComplete()) {
            return new PartitionWorth(states, new long[0]);
        }
        int[] next = transitions(states);
        double[] parts = parts(weights);
        double[] now = new double[states.size()];
        for (int arrival = 0; arrival < arrivals; arrival++) {
            now = before(states.words(), next, parts, now);
        }
        return new PartitionWorth(
                states, Arrays.stream(now).mapToLong(Math::round).toArray());
    }

    /** The worth where nothing is known of what will be asked: all profiles alike. */
    static PartitionWorth unknown(PartitionStates states, int arrivals) {
        long[] weights = new long[states.words().names.size()];
        Arrays.fill(weights, 1);
        return of(states, weights, arrivals);
    }

    private static double[] parts(long[] weights) {
        long sum = Math.max(1, Arrays.stream(weights).sum());
        return Arrays.stream(weights)
                .mapToDouble(weight -> Math.rint((double) weight * MOST_WEIGHT / sum) / MOST_WEIGHT)
                .toArray();
    }

    private static int[] transitions(PartitionStates states) {
        int places = states.words().places();
        int[] next = new int[states.size() * places];
        for (int state = 0; state < states.size(); state++) {
            for (int place = 0; place < places; place++) {
                next[state * places + place] =
                        states.words().fits(states.word(state), place) ? states.next(state, place) : -1;
            }
        }
        return next;
    }

    private static double[] before(PartitionWords words, int[] next, double[] parts, double[] after) {
        double[] now = new double[after.length];
        for (int state = 0; state < now.length; state++) {
            double sum = 0;
            for (int name = 0; name < parts.length; name++) {
                if (parts[name] > 0) {
                    sum += parts[name] * best(words, next, name, state, after);
                }
            }
            now[state] = sum;
        }
        return now;
    }

    private static double best(PartitionWords words, int[] next, int name, int state, double[] after) {
        double best = -1;
        int[] places = words.placesOf[name];
        for (int place : places) {
            int to = next[state * words.places() + place];
            best = to < 0 ? best : Math.max(best, after[to]);
        }
        return best < 0 ? after[state] : best + gain(words, places[0]);
    }

    /** What a partition at a place takes, in worth. */
    private static long gain(PartitionWords words, int place) {
        var profile = words.profile(place);
        int units = profile.size() > 0 ? profile.size() : Math.max(1, profile.computeMillis() / 100);
        return (long) UNIT * units / profile.tenants();
    }

    /** Returns the worth of a device in a state; where it is not known, what fits there. */
    public long of(long used) {
        int at = worth.length == 0 ? -1 : states.position(used);
        return at < 0 ? (long) UNIT * Integer.bitCount(states.capability(used)) : worth[at];
    }
}
