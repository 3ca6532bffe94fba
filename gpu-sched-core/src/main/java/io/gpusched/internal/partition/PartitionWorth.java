package io.gpusched.internal.partition;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * How much of a device is of no use to what is usually asked, and for how long: the less, the more the device is worth.
 *
 * <p>In a state with {@code f} free units, a profile that does not fit cannot use these units; that is the fragmentation measure
 * of "Beware of Fragmentation" (USENIX ATC 2023) on units of the grid. To that comes how long it stays so: if what is held leaves
 * in a random order, one after each mean running time, the profile waits {@code T} of them before it fits. With {@code w} the
 * part of the requests that ask for a profile, the cost of a state is the sum of {@code w f (1 + T)} over profiles that do not
 * fit. The whole device counts as one more profile, for pods that ask for whole GPUs and shares. Immutable and thread-safe.
 */
public final class PartitionWorth {
    /** The cost of one unit of the grid that nobody can use. */
    public static final int UNIT = 1 << 12;

    /** So much costs each unit that is free on the device that is chosen: of equal places the fullest device is taken. */
    private static final int TIE = UNIT / 10;

    private final PartitionStates states;
    private final long[] cost;

    private PartitionWorth(PartitionStates states, long[] cost) {
        this.states = states;
        this.cost = cost;
    }

    /**
     * Returns the worth by a mix.
     *
     * @param weights how often each name of a profile is asked for, relative to the others
     * @param wholeWeight how often whole devices or shares are asked for; not all of these 0
     */
    public static PartitionWorth of(PartitionStates states, long[] weights, long wholeWeight) {
        if (!states.isComplete()) {
            return new PartitionWorth(states, new long[0]);
        }
        double all = Math.max(1, Arrays.stream(weights).sum() + wholeWeight);
        double[] cost = new double[states.size()];
        Waiting waiting = new Waiting(states);
        for (int name = 0; name < weights.length; name++) {
            int mask = 1 << name;
            add(states, waiting, cost, weights[name] / all, state -> (states.capability(state) & mask) != 0);
        }
        add(states, waiting, cost, wholeWeight / all, state -> state == 0);
        return new PartitionWorth(
                states, Arrays.stream(cost).mapToLong(Math::round).toArray());
    }

    /** The worth where nothing is known of what will be asked: all profiles alike. */
    static PartitionWorth unknown(PartitionStates states) {
        long[] weights = new long[states.words().names.size()];
        Arrays.fill(weights, 1);
        return of(states, weights, 0);
    }

    private interface Fit {
        boolean of(long state);
    }

    private static void add(PartitionStates states, Waiting waiting, double[] cost, double weight, Fit fit) {
        if (weight == 0) {
            return;
        }
        double[] time = waiting.until(fit);
        for (int at = 0; at < cost.length; at++) {
            if (!fit.of(states.word(at))) {
                cost[at] += UNIT * weight * states.words().freeUnits(states.word(at)) * (1 + time[at]);
            }
        }
    }

    /** Returns what a state costs; where it is not known, by what fits there. */
    private long costOf(long used) {
        int at = cost.length == 0 ? -1 : states.position(used);
        return at < 0
                ? (long) UNIT * (states.words().names.size() - Integer.bitCount(states.capability(used)))
                : cost[at];
    }

    /** Returns what a device in a state is worth: the negative of its cost. */
    public long of(long used) {
        return -costOf(used);
    }

    /** Returns how good it is to bring a device from one state to another: the higher, the better. */
    public long gain(long before, long after) {
        return costOf(before) - costOf(after) - (long) TIE * states.words().freeUnits(before);
    }

    /** How long it takes until something fits, if what is held leaves in a random order. */
    private static final class Waiting {
        private final PartitionStates states;

        /** By state: those from which one place leads here; and all states, those with fewest partitions first. */
        private final int[][] before;

        private final int[] order;
        private final int[] held;

        Waiting(PartitionStates states) {
            this.states = states;
            int[] count = new int[states.size()];
            int[][] next = next(states, count);
            before = IntStream.range(0, next.length)
                    .mapToObj(at -> new int[count[at]])
                    .toArray(int[][]::new);
            for (int from = 0; from < next.length; from++) {
                for (int to : next[from]) {
                    before[to][--count[to]] = from;
                }
            }
            held = IntStream.range(0, next.length)
                    .map(at -> states.words().tenants(states.word(at)))
                    .toArray();
            order = IntStream.range(0, next.length)
                    .boxed()
                    .sorted(Comparator.comparingInt((Integer at) -> held[at]))
                    .mapToInt(Integer::intValue)
                    .toArray();
        }

        private static int[][] next(PartitionStates states, int[] count) {
            int[][] next = new int[states.size()][];
            for (int from = 0; from < next.length; from++) {
                int state = from;
                next[from] = IntStream.range(0, states.words().places())
                        .filter(place -> states.words().fits(states.word(state), place))
                        .map(place -> states.next(state, place))
                        .toArray();
                for (int to : next[from]) {
                    count[to]++;
                }
            }
            return next;
        }

        double[] until(Fit fit) {
            double[] time = new double[order.length];
            for (int at : order) {
                if (before[at].length > 0 && !fit.of(states.word(at))) {
                    double sum = 0;
                    for (int from : before[at]) {
                        sum += time[from];
                    }
                    time[at] = 1.0 / held[at] + sum / before[at].length;
                }
            }
            return time;
        }
    }
}
