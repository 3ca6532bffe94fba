package io.gpusched.internal.fit;

import org.jspecify.annotations.Nullable;

/** The GPUs and places that each unit of a pod may have, gone through one after the other, given what the units before it have. */
final class LayoutOptions {
    private final LayoutProblem problem;
    private final LayoutPlan plan;
    private final LayoutLoad load;
    private final @Nullable PlaceOffer places;
    private final @Nullable OrderedOffer ordered;
    private final SearchSteps steps;
    private final int[] lowestFirst;

    /** By unit: what it may have, and at which of that it is. */
    private final int[][] options;

    private final int[] at;

    /** By unit: the GPUs that it may get, without the GPUs that it had. */
    private final long[] open;

    /** By unit: whether all before it in its container are where they are in the container before. */
    private final boolean[] follows;

    LayoutOptions(LayoutProblem problem, LayoutLoad load, @Nullable OrderedOffer ordered, SearchSteps steps) {
        this.problem = problem;
        this.plan = problem.plan;
        this.load = load;
        this.places = load.places == null ? null : new PlaceOffer(problem, load, load.places, steps);
        this.ordered = ordered;
        this.steps = steps;
        int units = plan.units();
        this.options = new int[units][];
        this.at = new int[units];
        this.open = new long[units];
        this.follows = new boolean[units];
        this.lowestFirst = new int[problem.gpus];
        for (int g = 0; g < problem.gpus; g++) {
            lowestFirst[g] = g;
        }
    }

    /** Starts to go through the options of a unit. */
    void begin(int unit) {
        int depth = plan.depth[unit];
        boolean isFirst = unit == plan.firstUnit[depth];
        boolean isAnew = isFirst || plan.cut[depth] && ordered == null;
        open[unit] = isFirst ? load.fitting(depth) : problem.matesOf(plan.type[depth], gpu(unit - 1), open[unit - 1]);
        options[unit] = isAnew ? options(unit, depth) : options[unit - 1];
        at[unit] = isAnew ? -1 : at[unit - 1];
        follows[unit] = isFirst
                ? ordered == null && plan.asPrevious[depth]
                : follows[unit - 1] && at[unit - 1] == at[unit - 1 - plan.count[depth]];
        if (follows[unit]) {
            at[unit] = Math.max(at[unit], at[unit - plan.count[depth]] - 1);
            open[unit] &= -1L << at[unit] + 1;
        }
    }

    private int[] options(int unit, int depth) {
        if (ordered != null) {
            // a system's order is found with lists and comparisons
            steps.take(8L * problem.gpus + depth / 4);
            return ordered.offer(depth, open[unit]);
        }
        return places != null && plan.cut[depth] ? places.best(unit, open[unit]) : lowestFirst;
    }

    /** Goes on to the next option of a unit, if there is one. */
    boolean advance(int unit) {
        int[] mine = options[unit];
        do {
            at[unit]++;
        } while (at[unit] < mine.length && !isOpen(unit, mine[at[unit]]));
        return at[unit] < mine.length;
    }

    private boolean isOpen(int unit, int code) {
        int depth = plan.depth[unit];
        if (places != null && plan.cut[depth]) {
            return ordered == null || places.isLegal(unit, code, open[unit]);
        }
        long gpu = 1L << code;
        if ((open[unit] & gpu) == 0) {
            return false;
        }
        open[unit] &= ~gpu;
        return ordered != null || !load.hasEquivalentBefore(unit, code, load.chosen(depth), steps);
    }

    private int gpu(int unit) {
        int code = code(unit);
        return plan.cut[plan.depth[unit]] ? PlaceLoad.gpu(code) : code;
    }

    /** What the unit has: a GPU, or a GPU and a place on it. */
    int code(int unit) {
        return options[unit][at[unit]];
    }

    /** The GPUs that the next unit of its container may get. */
    long left(int unit) {
        return problem.matesOf(plan.type[plan.depth[unit]], gpu(unit), open[unit]);
    }
}
