package io.gpusched.internal.fit;

import io.gpusched.policy.BoundedPolicy;
import org.jspecify.annotations.Nullable;

/**
 * What a pod takes of each GPU of a node while its containers are being laid out, unit by unit, and what the policy charges
 * for it. Of a GPU it takes the greater of what runs together in the end and what any init container takes together with
 * the sidecars before it. Amounts are {@linkplain GpuWord words}.
 */
final class LayoutLoad {
    private final LayoutProblem problem;
    private final LayoutPlan plan;
    private final BoundedPolicy.@Nullable Bound charges;

    /** By GPU: what the containers take that keep running. */
    private final long[] run;

    /** By GPU: the most that any init container takes together with the sidecars before it. */
    private final long[] init;

    /** By GPU and group: what the sidecars take that the init containers of the group find running. */
    private final long[] beside;

    /** By GPU and group: the most that any init container of the group takes alone; empty where nobody asks. */
    private final long[] initAlone;

    /** By GPU: tells apart what init containers may yet find on it. */
    private final long[] mark;

    private final long[] otherMark;
    private final long[] cost;
    private long totalCost;

    /** By depth: the GPUs that the container has so far. */
    private final long[] chosen;

    /** By unit: what it has overwritten. */
    private final long[] oldInit;

    private final long[] oldInitAlone;
    private final long[] oldCost;

    LayoutLoad(LayoutProblem problem, BoundedPolicy.@Nullable Bound charges) {
        this.problem = problem;
        this.plan = problem.plan;
        this.charges = charges;
        int gpus = problem.gpus;
        run = new long[gpus];
        init = new long[gpus];
        beside = new long[gpus * plan.groups];
        initAlone = new long[plan.initBeforeSidecar ? gpus * plan.groups : 0];
        mark = new long[gpus];
        otherMark = new long[gpus];
        cost = new long[gpus];
        chosen = new long[plan.containers];
        int units = plan.units();
        oldInit = new long[units];
        oldInitAlone = new long[plan.initBeforeSidecar ? units : 0];
        oldCost = new long[units];
    }

    long totalCost() {
        return totalCost;
    }

    long chosen(int depth) {
        return chosen[depth];
    }

    /** The GPUs of each container, in the pod's order. */
    long[] masks() {
        long[] masks = new long[plan.containers];
        for (int d = 0; d < masks.length; d++) {
            masks[plan.position[d]] = chosen[d];
        }
        return masks;
    }

    /** What the containers take of a GPU that run when the one at this depth starts, or together with it. */
    long beside(int depth, int gpu) {
        return plan.init[depth] ? beside[gpu * plan.groups + plan.group[depth]] : run[gpu];
    }

    /** The GPUs that have room for the container at this depth, as a mask. */
    long fitting(int depth) {
        long mask = 0;
        for (long rest = problem.alone[plan.type[depth]]; rest != 0; rest &= rest - 1) {
            int gpu = Long.numberOfTrailingZeros(rest);
            mask |= fits(depth, gpu) ? 1L << gpu : 0;
        }
        return mask;
    }

    private boolean fits(int depth, int gpu) {
        long need = problem.need[plan.type[depth]][gpu];
        return GpuWord.covers(problem.free[gpu] - beside(depth, gpu), need)
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

    void place(int unit, int gpu) {
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

    void undo(int unit, int gpu) {
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
            mark[gpu] += times * StateSet.mix(StateSet.SEED + what);
            otherMark[gpu] += times * StateSet.mix(StateSet.OTHER_SEED + what);
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
        return problem.free[gpu] - run[gpu];
    }

    /** Whether the pod takes as much of the one as of the other, of two GPUs of a kind. */
    boolean isEqual(int one, int other) {
        return run[one] == run[other]
                && init[one] == init[other]
                && mark[one] == mark[other]
                && otherMark[one] == otherMark[other];
    }

    /**
     * A hash of what is taken, the same for states that differ only in which GPU of a kind takes what. With {@link #otherHash}
     * it makes 128 bits: that two different states of one search share them is less likely than a broken memory chip.
     */
    long hash(int depth) {
        return hash(depth, StateSet.SEED, mark);
    }

    /** The other half of the hash. */
    long otherHash(int depth) {
        return hash(depth, StateSet.OTHER_SEED, otherMark);
    }

    private long hash(int depth, long seed, long[] marks) {
        long sum = seed * (depth + 1);
        for (int g = 0; g < problem.gpus; g++) {
            if ((run[g] | init[g]) != 0) {
                sum += StateSet.mix(StateSet.mix(StateSet.mix(seed ^ problem.kind[g] ^ marks[g]) ^ run[g]) ^ init[g]);
            }
        }
        return sum;
    }
}
