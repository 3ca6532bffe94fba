package io.gpusched.internal.fit;

import io.gpusched.internal.word.GpuWord;

/**
 * Lays a pod out container after container without looking back: mostly good, sometimes wrong, always quick. A walk that
 * knows such a layout can leave out everything that is worse.
 */
final class LayoutDive {
    /** Which GPUs a container gets among those with room. */
    enum Rule {
        /** The GPUs that are charged least, of equal ones the tightest. */
        CHEAPEST,
        /** The tightest. */
        TIGHTEST,
        /** The roomiest. */
        ROOMIEST
    }

    private final LayoutProblem problem;
    private final LayoutPlan plan;
    private final LayoutLoad load;
    private int placed;

    LayoutDive(LayoutProblem problem, LayoutLoad load) {
        this.problem = problem;
        this.plan = problem.plan;
        this.load = load;
    }

    /** Places units by a rule until one finds no room; returns whether all have found it. */
    boolean dive(Rule rule, SearchSteps steps) {
        for (int d = 0; d < plan.containers; d++) {
            if (!steps.take(2L * problem.gpus * plan.count[d]) || !serve(rule, d)) {
                return false;
            }
        }
        return true;
    }

    private boolean serve(Rule rule, int depth) {
        long fitting = load.fitting(depth);
        for (int missing = plan.count[depth]; missing > 0; missing--) {
            if (!problem.hasEnough(plan.type[depth], missing, fitting)) {
                return false;
            }
            fitting = problem.promising(plan.type[depth], missing, fitting);
            int gpu = pick(rule, depth, fitting);
            fitting = problem.matesOf(plan.type[depth], gpu, fitting & ~(1L << gpu));
            load.place(placed++, gpu);
        }
        return true;
    }

    /** Takes all units back. */
    void undo() {
        while (placed > 0) {
            load.undo(--placed);
        }
    }

    private int pick(Rule rule, int depth, long fitting) {
        int best = -1;
        long bestCharge = 0;
        double bestRoom = 0;
        for (long rest = fitting; rest != 0; rest &= rest - 1) {
            int gpu = Long.numberOfTrailingZeros(rest);
            long charge = rule == Rule.CHEAPEST ? load.charge(depth, gpu) : 0;
            double room = rule == Rule.ROOMIEST ? -room(gpu) : room(gpu);
            if (best < 0 || charge < bestCharge || charge == bestCharge && room < bestRoom) {
                best = gpu;
                bestCharge = charge;
                bestRoom = room;
            }
        }
        return best;
    }

    /** What is left of a GPU, as parts of a device added up; an order among candidates, not a measure of what fits. */
    private double room(int gpu) {
        var device = problem.node.nodeClass().gpus().get(gpu);
        return (double) GpuWord.compute(load.left(gpu)) / device.computeMillis()
                + (double) GpuWord.memory(load.left(gpu)) / Math.max(1, device.memoryMib());
    }
}
