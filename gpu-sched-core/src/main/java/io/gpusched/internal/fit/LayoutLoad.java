package io.gpusched.internal.fit;

import io.gpusched.internal.word.GpuWord;
import org.jspecify.annotations.Nullable;

/**
 * What a pod takes of each GPU of a node while its containers are being laid out, unit by unit, and what the policy charges
 * for it. Of a GPU it takes the greater of what runs together in the end and what any init container takes together with
 * the sidecars before it. Amounts are {@linkplain GpuWord words}.
 */
final class LayoutLoad {
    private final LayoutProblem problem;
    private final LayoutPlan plan;
    private final @Nullable LayoutCosts charges;

    /** By GPU: what the containers take that keep running. */
    private final long[] run;

    /** By GPU: the most that any init container takes together with the sidecars before it. */
    private final long[] init;

    /** By GPU and group: what the sidecars take that the init containers of the group find running. */
    private final long[] beside;

    /** By GPU and group: the most that any init container of the group takes alone; empty where no container asks. */
    private final long[] initAlone;

    private final LayoutMarks marks;

    /** What is taken in partitions; null where the pod asks for none. */
    final @Nullable PlaceLoad places;

    /** What the choices come to. */
    final LayoutOutcome outcome;

    private final long[] cost;
    private long totalCost;

    /** By depth: the GPUs that the container has so far; by unit: its GPU, or its GPU and place. */
    private final long[] chosen;

    private final int[] choice;

    /** By unit: what it has overwritten. */
    private final long[] oldInit;

    private final long[] oldInitAlone;
    private final long[] oldCost;

    LayoutLoad(LayoutProblem problem, @Nullable LayoutCosts charges) {
        this.problem = problem;
        this.plan = problem.plan;
        this.charges = charges;
        int gpus = problem.gpus;
        run = new long[gpus];
        init = new long[gpus];
        beside = new long[gpus * plan.groups];
        initAlone = new long[plan.initBeforeSidecar ? gpus * plan.groups : 0];
        marks = new LayoutMarks(gpus);
        places = plan.partitions > 0 ? new PlaceLoad(problem, marks) : null;
        cost = new long[gpus];
        chosen = new long[plan.containers];
        int units = plan.units();
        choice = new int[units];
        oldInit = new long[units];
        oldInitAlone = new long[plan.initBeforeSidecar ? units : 0];
        oldCost = new long[units];
        outcome = new LayoutOutcome(problem, this);
    }

    long totalCost() {
        return totalCost;
    }

    long chosen(int depth) {
        return chosen[depth];
    }

    /** By unit: what it has. */
    int[] choices() {
        return choice.clone();
    }

    /** What the pod takes of a GPU while it runs, init containers included. */
    long taken(int gpu) {
        return GpuWord.max(run[gpu], init[gpu]);
    }

    /** What the containers take of a GPU that run when the one at this depth starts, or together with it. */
    long beside(int depth, int gpu) {
        return plan.init[depth] ? beside[gpu * plan.groups + plan.group[depth]] : run[gpu];
    }

    /** The GPUs that have room for the container at this depth, as a mask; for partitions, the GPUs that may ever have. */
    long fitting(int depth) {
        if (plan.cut[depth]) {
            return problem.alone[plan.type[depth]];
        }
        long mask = 0;
        for (long rest = problem.alone[plan.type[depth]]; rest != 0; rest &= rest - 1) {
            int gpu = Long.numberOfTrailingZeros(rest);
            mask |= fits(depth, gpu) ? 1L << gpu : 0;
        }
        return mask;
    }

    private boolean fits(int depth, int gpu) {
        long need = problem.need[plan.type[depth]][gpu];
        return isUncut(gpu)
                && GpuWord.covers(problem.free[gpu] - beside(depth, gpu), need)
                && (initAlone.length == 0 || plan.init[depth] || leavesRoomForInit(depth, gpu, need));
    }

    /** Whether what init containers take that have their GPUs already still fits when they find one sidecar more. */
    private boolean leavesRoomForInit(int depth, int gpu, long need) {
        for (int group = plan.group[depth]; group < plan.groups; group++) {
            int at = gpu * plan.groups + group;
            if (initAlone[at] != 0 && !GpuWord.covers(problem.free[gpu] - beside[at] - initAlone[at], need)) {
                return false;
            }
        }
        return true;
    }

    private boolean isUncut(int gpu) {
        return places == null || places.taken(gpu) == 0;
    }

    /** Whether the pod takes nothing of a GPU but partitions. */
    boolean mayCut(int gpu) {
        return (run[gpu] | init[gpu]) == 0;
    }

    /** Gives a unit a GPU, or a place on one. */
    void place(int unit, int code) {
        choice[unit] = code;
        if (places != null && plan.cut[plan.depth[unit]]) {
            places.place(unit, code);
        } else {
            placeOn(unit, code);
        }
    }

    private void placeOn(int unit, int gpu) {
        int depth = plan.depth[unit];
        long need = problem.need[plan.type[depth]][gpu];
        chosen[depth] |= 1L << gpu;
        oldInit[unit] = init[gpu];
        oldCost[unit] = cost[gpu];
        if (plan.init[depth]) {
            placeInit(unit, depth, gpu, need);
        } else {
            run[gpu] += need;
            startSidecar(depth, gpu, need);
        }
        note(depth, gpu, 1);
        if (charges != null) {
            long now = cost(gpu, GpuWord.max(run[gpu], init[gpu]));
            totalCost += now - cost[gpu];
            cost[gpu] = now;
        }
    }

    private void placeInit(int unit, int depth, int gpu, long need) {
        int at = gpu * plan.groups + plan.group[depth];
        init[gpu] = GpuWord.max(init[gpu], beside[at] + need);
        if (initAlone.length > 0) {
            oldInitAlone[unit] = initAlone[at];
            initAlone[at] = GpuWord.max(initAlone[at], need);
        }
    }

    private void startSidecar(int depth, int gpu, long need) {
        int end = (gpu + 1) * plan.groups;
        for (int at = gpu * plan.groups + plan.group[depth]; at < end; at++) {
            beside[at] += need;
            if (initAlone.length > 0 && initAlone[at] != 0) {
                init[gpu] = GpuWord.max(init[gpu], beside[at] + initAlone[at]);
            }
        }
    }

    void undo(int unit) {
        if (places != null && plan.cut[plan.depth[unit]]) {
            places.undo(unit);
        } else {
            undoOn(unit, choice[unit]);
        }
    }

    private void undoOn(int unit, int gpu) {
        int depth = plan.depth[unit];
        long need = problem.need[plan.type[depth]][gpu];
        chosen[depth] &= ~(1L << gpu);
        if (!plan.init[depth]) {
            run[gpu] -= need;
            int end = (gpu + 1) * plan.groups;
            for (int at = gpu * plan.groups + plan.group[depth]; at < end; at++) {
                beside[at] -= need;
            }
        } else if (initAlone.length > 0) {
            initAlone[gpu * plan.groups + plan.group[depth]] = oldInitAlone[unit];
        }
        note(depth, gpu, -1);
        init[gpu] = oldInit[unit];
        totalCost += oldCost[unit] - cost[gpu];
        cost[gpu] = oldCost[unit];
    }

    /** Which sidecars are on a GPU matters to init containers, and which init containers are to sidecars that come later. */
    private void note(int depth, int gpu, int times) {
        if (plan.init[depth] ? plan.initBeforeSidecar : plan.isSeenByInit(depth)) {
            long what = ((long) plan.type[depth] << 32 | plan.group[depth]) * 2 + (plan.init[depth] ? 1 : 0);
            marks.note(gpu, what, times);
        }
    }

    private long cost(int gpu, long taken) {
        return charges == null
                ? 0
                : charges.cost(gpu, GpuWord.compute(taken), GpuWord.memory(taken), GpuWord.slots(taken));
    }

    /** What the policy would charge more if the container at this depth, for which there is room, got this GPU too. */
    long charge(int depth, int gpu) {
        if (charges == null) {
            return 0;
        }
        long with = beside(depth, gpu) + problem.need[plan.type[depth]][gpu];
        long others = plan.init[depth] ? GpuWord.max(run[gpu], init[gpu]) : init[gpu];
        return cost(gpu, GpuWord.max(with, others)) - cost[gpu];
    }

    /** What the policy would charge more at least if any container that keeps running got this GPU too. */
    long leastCharge(int gpu) {
        boolean isFull = GpuWord.slots(left(gpu)) == 0;
        return isFull ? 0 : cost(gpu, GpuWord.max(run[gpu] + GpuWord.of(0, 0, 1), init[gpu])) - cost[gpu];
    }

    /** What is left of a GPU for containers that keep running. */
    long left(int gpu) {
        return isUncut(gpu) ? problem.free[gpu] - run[gpu] : 0;
    }

    /** Whether two GPUs of a kind serve a unit alike: the pod takes as much of the one as of the other. */
    boolean areEqual(int unit, int one, int other) {
        return run[one] == run[other]
                && init[one] == init[other]
                && marks.areEqual(one, other)
                && (places == null
                        || places.taken(one) == places.taken(other)
                                && places.own(unit, one, 0) == places.own(unit, other, 0));
    }

    /** What the devices that are cut are worth less than before, as a number to be as high as possible. */
    long worth(SearchSteps steps) {
        return places == null ? 0 : places.worth(steps);
    }

    /**
     * A hash of what the units before this one take, the same for states that differ only in which GPU of a kind takes what. With
     * {@link #otherHash} it makes 128 bits: that two different states of one search share them is less likely than a broken memory
     * chip.
     *
     * @param open the GPUs that are open to this unit because of those of its container; 0 where it is the first
     */
    long hash(int unit, long open) {
        return hash(unit, StateSet.SEED, open, marks.first);
    }

    /** The other half of the hash. */
    long otherHash(int unit, long open) {
        return hash(unit, StateSet.OTHER_SEED, open, marks.second);
    }

    private long hash(int unit, long seed, long open, long[] mark) {
        long sum = seed * (unit + 1) + (open == 0 ? 0 : StateSet.mix(seed + open));
        for (int g = 0; g < problem.gpus; g++) {
            long salt = seed ^ problem.kind[g] ^ mark[g];
            if ((run[g] | init[g]) != 0) {
                sum += StateSet.mix(StateSet.mix(StateSet.mix(salt) ^ run[g]) ^ init[g]);
            } else if (places != null && places.taken(g) != 0) {
                sum += StateSet.mix(StateSet.mix(salt) ^ places.taken(g) ^ places.own(unit, g, seed));
            }
        }
        return sum;
    }

    /**
     * Whether a lower GPU would serve a unit as well as this one.
     *
     * @param mine the GPUs that its container has and cannot get again
     */
    boolean hasEquivalentBefore(int unit, int gpu, long mine, SearchSteps steps) {
        int looked = 0;
        boolean found = false;
        for (int lower = problem.previousOfKind(gpu); lower >= 0 && !found; lower = problem.previousOfKind(lower)) {
            found = (mine >>> lower & 1) == 0 && areEqual(unit, lower, gpu);
            looked++;
        }
        steps.take(looked / 8);
        return found;
    }
}
