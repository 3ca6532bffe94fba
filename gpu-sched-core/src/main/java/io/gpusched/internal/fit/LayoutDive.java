package io.gpusched.internal.fit;

import org.jspecify.annotations.Nullable;

/**
 * Lays a pod out container after container without looking back: mostly good, sometimes wrong, always quick. A walk that
 * knows such a layout can leave out everything that is worse.
 */
final class LayoutDive {
    /** Which GPUs a container gets among those with room. */
    enum Rule {
        /** As {@link #CHEAPEST}, but the first few with a look at what that leaves for the containers to come. */
        FORESIGHTED,
        /** Those that are charged least, of equal ones the tightest. */
        CHEAPEST,
        /** The tightest. */
        TIGHTEST,
        /** The roomiest. */
        ROOMIEST
    }

    /** How many units are placed with foresight. */
    private static final int FEW = 3;

    private final LayoutProblem problem;
    private final LayoutPlan plan;
    private final LayoutLoad load;
    private final LayoutBound ahead;
    private final int[] choice;

    LayoutDive(LayoutProblem problem, LayoutLoad load, LayoutBound ahead) {
        this.ahead = ahead;
        this.problem = problem;
        this.plan = problem.plan;
        this.load = load;
        this.choice = new int[plan.units()];
    }

    /** Returns the GPUs of each container in the pod's order, or null; the load is as it was before. */
    long @Nullable [] dive(Rule rule, SearchSteps steps) {
        int unit = 0;
        boolean complete = true;
        for (int d = 0; d < plan.containers && complete; d++) {
            long fitting = load.fitting(d);
            complete = steps.take(2L * problem.gpus * plan.count[d])
                    && problem.hasEnough(plan.type[d], plan.count[d], fitting);
            for (int missing = plan.count[d]; missing > 0 && complete; missing--) {
                fitting = problem.promising(plan.type[d], missing, fitting);
                if (fitting == 0) {
                    complete = false;
                    break;
                }
                int gpu = pick(rule, d, unit, fitting);
                fitting = problem.matesOf(plan.type[d], gpu, fitting & ~(1L << gpu));
                choice[unit] = gpu;
                load.place(unit++, gpu);
            }
        }
        long[] masks = complete ? load.masks() : null;
        while (unit > 0) {
            unit--;
            load.undo(unit, choice[unit]);
        }
        return masks;
    }

    private int pick(Rule rule, int depth, int unit, long fitting) {
        int best = -1;
        long bestCharge = 0;
        double bestRoom = 0;
        for (long rest = fitting; rest != 0; rest &= rest - 1) {
            int gpu = Long.numberOfTrailingZeros(rest);
            long charge = charge(rule, depth, unit, gpu);
            double room = rule == Rule.ROOMIEST ? -room(gpu) : room(gpu);
            if (best < 0 || charge < bestCharge || charge == bestCharge && room < bestRoom) {
                best = gpu;
                bestCharge = charge;
                bestRoom = room;
            }
        }
        return best;
    }

    private long charge(Rule rule, int depth, int unit, int gpu) {
        if (rule == Rule.TIGHTEST || rule == Rule.ROOMIEST) {
            return 0;
        }
        long charge = load.charge(depth, gpu);
        if (rule == Rule.CHEAPEST || unit >= FEW || depth + 1 == plan.containers) {
            return charge;
        }
        load.place(unit, gpu);
        long more = ahead.from(depth + 1);
        load.undo(unit, gpu);
        return more == LayoutBound.IMPOSSIBLE ? Long.MAX_VALUE : charge + more;
    }

    /** What is left of a GPU, as parts of a device added up; an order among candidates, not a measure of what fits. */
    private double room(int gpu) {
        var device = problem.node.nodeClass().gpus().get(gpu);
        return (double) GpuWord.compute(load.left(gpu)) / device.computeMillis()
                + (double) GpuWord.memory(load.left(gpu)) / Math.max(1, device.memoryMib());
    }
}
