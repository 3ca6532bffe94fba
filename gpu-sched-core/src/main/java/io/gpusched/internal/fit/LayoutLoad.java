package io.gpusched.internal.fit;

import io.gpusched.policy.BoundedPolicy;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What a pod takes of each GPU of a node while its containers are being laid out, unit by unit, and what the policy charges
 * for it. Of a GPU it takes the greater of what runs together in the end and what any init container takes together with
 * the sidecars before it.
 */
final class LayoutLoad {
    private final LayoutProblem problem;
    private final LayoutPlan plan;
    private final BoundedPolicy.@Nullable Bound charges;

    private final int[] runCompute;
    private final long[] runMemory;
    private final int[] runSlots;
    private final int[] initCompute;
    private final long[] initMemory;
    private final int[] initSlots;
    private final long[] cost;
    private long totalCost;

    /** By depth: the GPUs that the container has so far. */
    private final long[] chosen;

    /** By unit: what an init container or the charges have overwritten. */
    private final int[] oldCompute;

    private final long[] oldMemory;
    private final int[] oldSlots;
    private final long[] oldCost;

    /** What the sidecars before the init container at {@link #besideOf} take. */
    private final int[] besideCompute;

    private final long[] besideMemory;
    private final int[] besideSlots;
    private int besideOf = -1;

    LayoutLoad(LayoutProblem problem, BoundedPolicy.@Nullable Bound charges) {
        this.problem = problem;
        this.plan = problem.plan;
        this.charges = charges;
        int gpus = problem.gpus;
        runCompute = new int[gpus];
        runMemory = new long[gpus];
        runSlots = new int[gpus];
        initCompute = new int[gpus];
        initMemory = new long[gpus];
        initSlots = new int[gpus];
        cost = new long[gpus];
        besideCompute = new int[gpus];
        besideMemory = new long[gpus];
        besideSlots = new int[gpus];
        chosen = new long[plan.containers];
        int units = plan.units();
        oldCompute = new int[units];
        oldMemory = new long[units];
        oldSlots = new int[units];
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

    /** The GPUs that have room for the container at this depth, as a mask. */
    long fitting(int depth) {
        if (plan.init[depth] && plan.initBesideSidecar) {
            findSidecarsBefore(depth);
        }
        long mask = 0;
        for (long rest = problem.alone[plan.type[depth]]; rest != 0; rest &= rest - 1) {
            int gpu = Long.numberOfTrailingZeros(rest);
            mask |= fits(depth, gpu) ? 1L << gpu : 0;
        }
        return mask;
    }

    private boolean fits(int depth, int gpu) {
        int type = plan.type[depth];
        boolean init = plan.init[depth];
        int compute = init ? besideCompute[gpu] : runCompute[gpu];
        long memory = init ? besideMemory[gpu] : runMemory[gpu];
        int slots = init ? besideSlots[gpu] : runSlots[gpu];
        return compute + problem.needCompute[type][gpu] <= problem.freeCompute[gpu]
                && memory + problem.needMemory[type][gpu] <= problem.freeMemory[gpu]
                && slots + problem.needSlots[type][gpu] <= problem.freeSlots[gpu];
    }

    private void findSidecarsBefore(int depth) {
        if (besideOf == depth) {
            return;
        }
        besideOf = depth;
        Arrays.fill(besideCompute, 0);
        Arrays.fill(besideMemory, 0);
        Arrays.fill(besideSlots, 0);
        for (int d = 0; d < plan.containers && !plan.init[d]; d++) {
            if (plan.sidecar[d] && plan.position[d] < plan.position[depth]) {
                for (long rest = chosen[d]; rest != 0; rest &= rest - 1) {
                    int gpu = Long.numberOfTrailingZeros(rest);
                    besideCompute[gpu] += problem.needCompute[plan.type[d]][gpu];
                    besideMemory[gpu] += problem.needMemory[plan.type[d]][gpu];
                    besideSlots[gpu] += problem.needSlots[plan.type[d]][gpu];
                }
            }
        }
    }

    void place(int unit, int gpu) {
        int depth = plan.depth[unit];
        int type = plan.type[depth];
        chosen[depth] |= 1L << gpu;
        if (plan.init[depth]) {
            oldCompute[unit] = initCompute[gpu];
            oldMemory[unit] = initMemory[gpu];
            oldSlots[unit] = initSlots[gpu];
            initCompute[gpu] = Math.max(initCompute[gpu], besideCompute[gpu] + problem.needCompute[type][gpu]);
            initMemory[gpu] = Math.max(initMemory[gpu], besideMemory[gpu] + problem.needMemory[type][gpu]);
            initSlots[gpu] = Math.max(initSlots[gpu], besideSlots[gpu] + problem.needSlots[type][gpu]);
        } else {
            runCompute[gpu] += problem.needCompute[type][gpu];
            runMemory[gpu] += problem.needMemory[type][gpu];
            runSlots[gpu] += problem.needSlots[type][gpu];
            besideOf = -1;
        }
        oldCost[unit] = cost[gpu];
        if (charges != null) {
            long now = charges.cost(
                    gpu,
                    Math.max(runCompute[gpu], initCompute[gpu]),
                    Math.max(runMemory[gpu], initMemory[gpu]),
                    Math.max(runSlots[gpu], initSlots[gpu]));
            totalCost += now - cost[gpu];
            cost[gpu] = now;
        }
    }

    void undo(int unit, int gpu) {
        int depth = plan.depth[unit];
        int type = plan.type[depth];
        chosen[depth] &= ~(1L << gpu);
        if (plan.init[depth]) {
            initCompute[gpu] = oldCompute[unit];
            initMemory[gpu] = oldMemory[unit];
            initSlots[gpu] = oldSlots[unit];
        } else {
            runCompute[gpu] -= problem.needCompute[type][gpu];
            runMemory[gpu] -= problem.needMemory[type][gpu];
            runSlots[gpu] -= problem.needSlots[type][gpu];
            besideOf = -1;
        }
        totalCost += oldCost[unit] - cost[gpu];
        cost[gpu] = oldCost[unit];
    }

    /** What the policy would charge more if the container at this depth, for which there is room, got this GPU too. */
    long charge(int depth, int gpu) {
        if (charges == null) {
            return 0;
        }
        int type = plan.type[depth];
        int compute = problem.needCompute[type][gpu];
        long memory = problem.needMemory[type][gpu];
        int slots = problem.needSlots[type][gpu];
        boolean init = plan.init[depth];
        return charges.cost(
                        gpu,
                        Math.max(
                                runCompute[gpu] + (init ? 0 : compute), Math.max(initCompute[gpu], init ? compute : 0)),
                        Math.max(runMemory[gpu] + (init ? 0 : memory), Math.max(initMemory[gpu], init ? memory : 0)),
                        Math.max(runSlots[gpu] + (init ? 0 : slots), Math.max(initSlots[gpu], init ? slots : 0)))
                - cost[gpu];
    }

    /** What the policy would charge more at least if any container that keeps running got this GPU too. */
    long leastCharge(int gpu) {
        return charges == null
                ? 0
                : charges.cost(
                                gpu,
                                Math.max(runCompute[gpu], initCompute[gpu]),
                                Math.max(runMemory[gpu], initMemory[gpu]),
                                Math.max(runSlots[gpu] + 1, initSlots[gpu]))
                        - cost[gpu];
    }

    int freeCompute(int gpu) {
        return problem.freeCompute[gpu] - runCompute[gpu];
    }

    long freeMemory(int gpu) {
        return problem.freeMemory[gpu] - runMemory[gpu];
    }

    int freeSlots(int gpu) {
        return problem.freeSlots[gpu] - runSlots[gpu];
    }

    /** Whether the pod takes as much of the one as of the other, of two GPUs of a kind. */
    boolean isEqual(int one, int other) {
        return runSlots[one] == runSlots[other]
                && runCompute[one] == runCompute[other]
                && runMemory[one] == runMemory[other]
                && initSlots[one] == initSlots[other]
                && initCompute[one] == initCompute[other]
                && initMemory[one] == initMemory[other]
                && (!plan.initBesideSidecar || sidecarsOn(one, 0) == sidecarsOn(other, 0));
    }

    /**
     * A hash of what is taken, the same for states that differ only in which GPU of a kind takes what. Two of them with
     * different seeds make 128 bits: that two different states of one search share them is less likely than a broken
     * memory chip.
     */
    long hash(int depth, long seed) {
        long sum = seed * (depth + 1);
        for (int g = 0; g < problem.gpus; g++) {
            if ((runSlots[g] | initSlots[g]) != 0) {
                long hash = mix(seed ^ problem.kind[g] ^ (long) runCompute[g] << 32 ^ (long) initCompute[g] << 48);
                hash = mix(hash ^ runMemory[g] ^ (long) runSlots[g] << 32);
                hash = mix(hash ^ initMemory[g] ^ (long) initSlots[g] << 32);
                sum += plan.initBesideSidecar ? mix(hash ^ sidecarsOn(g, seed)) : hash;
            }
        }
        return sum;
    }

    /** Tells apart which sidecars are on a GPU: init containers may start before some of them. */
    private long sidecarsOn(int gpu, long seed) {
        long sum = 0;
        for (int d = 0; d < plan.containers && !plan.init[d]; d++) {
            sum += plan.sidecar[d] && (chosen[d] >>> gpu & 1) != 0 ? mix(seed ^ plan.position[d] + 1L) : 0;
        }
        return sum;
    }

    /** The finaliser of SplitMix64. */
    private static long mix(long value) {
        long z = (value ^ value >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return z ^ z >>> 31;
    }
}
