package io.gpusched.model.partition;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * How much of a device is of no use to what is usually asked, and for how long: the less, the more the device is worth.
 *
 * <p>In a state with {@code f} free units, a profile that does not fit cannot use these units; that is the fragmentation measure
 * of "Beware of Fragmentation" (USENIX ATC 2023) on units of the grid. It finds no fault with a device that is full. To that come
 * two things. A profile that does not fit is a loss in itself, of a sixteenth of the device's units: so a pod rather fills a device
 * that has room for nothing else than one that would take others too. And it matters how long the profile has to wait: if what is
 * held leaves in a random order, {@code T} mean running times. With {@code w} the part of the requests that ask for a profile and
 * {@code u} the units of an empty device, the cost of a state is the sum of {@code w (f + u/16) (1 + 3/4 T)} over profiles that do
 * not fit. The whole device counts as one more profile, for pods that ask for whole GPUs and shares.
 *
 * <p>Example, an A30 (4 units) where only halves are requested: with one unit taken all is well, and each cost is 0; with one
 * taken in each half the cost is (2 + 1/4) (1 + 3/4 * 1/2), or 3.1 units, until one of the two is gone. Immutable and thread-safe.
 */
public final class PartitionWorth {
    /** The cost of one unit of the grid that no request can use. */
    public static final int UNIT = 1 << 12;

    /** What it costs that a profile does not fit, though no unit is free: so many of these are a whole device. */
    private static final double LOSSES_PER_DEVICE = 16;

    /** What it costs to wait for a mean running time, in costs of not fitting. */
    private static final double WAIT = 0.75;

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
    static PartitionWorth of(PartitionStates states, long[] weights, long wholeWeight) {
        Objects.requireNonNull(states, "states");
        Objects.requireNonNull(weights, "weights");
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
        double loss = states.words().freeUnits(0) / LOSSES_PER_DEVICE;
        for (int at = 0; at < cost.length; at++) {
            if (!fit.of(states.word(at))) {
                double units = states.words().freeUnits(states.word(at)) + loss;
                cost[at] += UNIT * weight * units * (1 + WAIT * time[at]);
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
                    .map(at -> states.words().instances(states.word(at)))
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
