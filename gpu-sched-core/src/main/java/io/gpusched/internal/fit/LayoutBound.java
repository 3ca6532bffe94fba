package io.gpusched.internal.fit;

import io.gpusched.internal.word.GpuWord;
import java.util.Arrays;

/**
 * Looks ahead from a state in which some containers are laid out: whether the others may still find room, and what they
 * will be charged at least. Partitions to come are left out of account.
 */
final class LayoutBound {
    /*
     * Five tests, all of them relaxations, so that what they rule out is impossible:
     * - each container to come finds as many GPUs with room as it asks for, and is charged at least the cheapest of them;
     * - containers that keep running and ask for whole GPUs find as many idle ones together;
     * - as items of bin packing, in compute and in memory, containers that keep running may go onto the GPUs (BinBound);
     * - what containers that keep running need in sum is free in sum, on GPUs that have room for any of them;
     * - what does not go on GPUs that cost nothing more has to go on others: those are charged at least what the
     *   best ratio of charge to room gives, and at least as many of the cheapest as are needed by the roomiest.
     */
    static final long IMPOSSIBLE = -1;

    private static final int COMPUTE = 0;
    private static final int MEMORY = 1;
    private static final int SLOTS = 2;

    /** How many looks at a GPU for a container to come there may be. */
    private static final int LOOK_AHEAD = 256;

    /** More items are not packed. */
    private static final int MOST_ITEMS = 128;

    private final LayoutProblem problem;
    private final LayoutPlan plan;
    private final LayoutLoad load;
    private final SearchSteps steps;

    /** By amount and depth: what the containers that keep running from there on need at least in sum. */
    private final long[][] rest;

    /** By type: the least compute and memory that a container needs of any GPU. */
    private final long[] leastCompute;

    private final long[] leastMemory;
    private final long mostCompute;
    private final long mostMemory;
    private final BinBound bins = new BinBound();

    /** Of the containers to come that keep running: the GPUs with room for any of them, all where not each was looked at. */
    private long usable;

    /** The GPUs with room for containers that ask for whole ones, and how many these ask for. */
    private long idle;

    private int wholes;

    private final long[] charges;
    private final long[] room;
    private final double[] ratio;
    private final long[] sorted;

    LayoutBound(LayoutProblem problem, LayoutLoad load, SearchSteps steps) {
        this.problem = problem;
        this.plan = problem.plan;
        this.load = load;
        this.steps = steps;
        leastCompute = least(COMPUTE);
        leastMemory = least(MEMORY);
        rest = new long[][] {rest(leastCompute), rest(leastMemory), rest(least(SLOTS))};
        mostCompute = most(COMPUTE);
        mostMemory = most(MEMORY);
        charges = new long[problem.gpus];
        room = new long[problem.gpus];
        ratio = new double[problem.gpus];
        sorted = new long[problem.gpus];
    }

    private long[] least(int what) {
        long[] least = new long[plan.requests.size()];
        for (int t = 0; t < least.length; t++) {
            long[] need = problem.need[t];
            least[t] = least(problem.alone[t], g -> amount(need[g], what));
        }
        return least;
    }

    private long[] rest(long[] least) {
        long[] rest = new long[plan.containers + 1];
        for (int d = plan.containers - 1; d >= 0; d--) {
            long count = plan.init[d] || plan.cut[d] ? 0 : plan.count[d];
            rest[d] = rest[d + 1] + count * least[plan.type[d]];
        }
        return rest;
    }

    private long most(int what) {
        long most = 1;
        for (long word : problem.free) {
            most = Math.max(most, amount(word, what));
        }
        return most;
    }

    private interface Amount {
        long of(int gpu);
    }

    private static long least(long gpus, Amount amount) {
        long least = gpus == 0 ? 0 : Long.MAX_VALUE;
        for (long rest = gpus; rest != 0; rest &= rest - 1) {
            least = Math.min(least, amount.of(Long.numberOfTrailingZeros(rest)));
        }
        return least;
    }

    /** Returns what the containers from this depth on are charged at least, or {@link #IMPOSSIBLE}. */
    long from(int depth) {
        long most = look(depth);
        if (most == IMPOSSIBLE) {
            return IMPOSSIBLE;
        }
        steps.take(2L * problem.gpus);
        if (rest[SLOTS][depth] == 0) {
            return most;
        }
        return mayBePacked(depth) ? inSum(depth, most) : IMPOSSIBLE;
    }

    /** Looks at one container to come after the other: returns what the dearest of them is charged at least. */
    private long look(int depth) {
        usable = 0;
        idle = 0;
        wholes = 0;
        long most = 0;
        int looked = 0;
        for (int d = depth; d < plan.containers; d = plan.afterRun[d]) {
            if (plan.cut[d]) {
                continue;
            }
            if (looked++ * problem.gpus > LOOK_AHEAD) {
                usable = -1L;
                break;
            }
            steps.take(problem.gpus);
            long fitting = load.fitting(d);
            if (!problem.hasEnough(plan.type[d], plan.count[d], fitting)) {
                return IMPOSSIBLE;
            }
            most = Math.max(most, cheapest(d, plan.count[d], fitting));
            if (!plan.init[d]) {
                keep(d, fitting);
            }
        }
        return Long.bitCount(idle) < wholes ? IMPOSSIBLE : most;
    }

    /** Counts the containers of a run that keep running, and the GPUs with room for one. */
    private void keep(int depth, long fitting) {
        usable |= fitting;
        if (GpuTake.isWhole(plan.requests.get(plan.type[depth]))) {
            idle |= fitting;
            wholes += plan.count[depth] * (plan.afterRun[depth] - depth);
        }
    }

    /** What so many of these GPUs are charged at least for the container at this depth. */
    long cheapest(int depth, int count, long gpus) {
        if (count == 0) {
            return 0;
        }
        if (count == 1) {
            return least(gpus, g -> load.charge(depth, g));
        }
        int found = 0;
        for (long rest = gpus; rest != 0; rest &= rest - 1) {
            sorted[found++] = load.charge(depth, Long.numberOfTrailingZeros(rest));
        }
        return sumOfLeast(found, count);
    }

    private long sumOfLeast(int found, int count) {
        Arrays.sort(sorted, 0, found);
        long sum = 0;
        for (int i = 0; i < Math.min(count, found); i++) {
            sum += sorted[i];
        }
        return sum;
    }

    private boolean mayBePacked(int depth) {
        int last = depth;
        int items = 0;
        while (last < plan.containers
                && !plan.init[last]
                && !plan.cut[last]
                && items + plan.count[last] <= MOST_ITEMS) {
            items += plan.count[last++];
        }
        steps.take(2L * (items + problem.gpus));
        return mayBePacked(depth, last, leastCompute, COMPUTE, mostCompute)
                && mayBePacked(depth, last, leastMemory, MEMORY, mostMemory);
    }

    private boolean mayBePacked(int from, int to, long[] least, int what, long capacity) {
        bins.clear();
        for (int d = from; d < to; d++) {
            bins.add(least[plan.type[d]], plan.count[d]);
        }
        for (int g = 0; g < problem.gpus; g++) {
            bins.add(capacity - amount(load.left(g), what), 1);
        }
        return bins.mayFit(problem.gpus, capacity);
    }

    private long inSum(int depth, long most) {
        int open = 0;
        for (int g = 0; g < problem.gpus; g++) {
            if ((usable >>> g & 1) != 0) {
                charges[open++] = load.leastCharge(g);
            }
        }
        long least = most;
        for (int what = COMPUTE; what <= SLOTS; what++) {
            long need = rest[what][depth];
            int at = 0;
            long missing = need;
            long all = 0;
            for (int g = 0; g < problem.gpus; g++) {
                if ((usable >>> g & 1) != 0) {
                    long free = amount(load.left(g), what);
                    room[at] = free;
                    missing -= charges[at] == 0 ? free : 0;
                    all += free;
                    at++;
                }
            }
            if (all < need) {
                return IMPOSSIBLE;
            }
            if (missing > 0) {
                least = Math.max(least, Math.max(byRatio(open, missing), byNumber(open, missing)));
            }
        }
        return least;
    }

    private static long amount(long word, int what) {
        return what == COMPUTE ? GpuWord.compute(word) : what == MEMORY ? GpuWord.memory(word) : GpuWord.slots(word);
    }

    /** What has to be charged where each GPU could be used in part. */
    private long byRatio(int open, long missing) {
        for (int i = 0; i < open; i++) {
            ratio[i] = charges[i] == 0 || room[i] <= 0 ? Double.MAX_VALUE : (double) charges[i] / room[i];
        }
        double sum = 0;
        long left = missing;
        while (left > 0) {
            int best = 0;
            for (int i = 1; i < open; i++) {
                best = ratio[i] < ratio[best] ? i : best;
            }
            if (ratio[best] == Double.MAX_VALUE) {
                break;
            }
            sum += ratio[best] * Math.min(left, room[best]);
            left -= room[best];
            ratio[best] = Double.MAX_VALUE;
        }
        return (long) (sum * (1 - 1e-12));
    }

    /** What the cheapest GPUs are charged, as many of them as the roomiest that are needed. */
    private long byNumber(int open, long missing) {
        int found = 0;
        for (int i = 0; i < open; i++) {
            if (charges[i] > 0) {
                sorted[found++] = room[i];
            }
        }
        Arrays.sort(sorted, 0, found);
        int number = 0;
        long left = missing;
        while (left > 0 && number < found) {
            left -= sorted[found - 1 - number++];
        }
        found = 0;
        for (int i = 0; i < open; i++) {
            if (charges[i] > 0) {
                sorted[found++] = charges[i];
            }
        }
        return sumOfLeast(found, number);
    }
}
