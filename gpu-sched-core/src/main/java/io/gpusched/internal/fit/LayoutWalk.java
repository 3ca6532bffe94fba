package io.gpusched.internal.fit;

import io.gpusched.policy.BoundedPolicy;
import org.jspecify.annotations.Nullable;

/**
 * Goes through the ways to lay a pod's containers out on the GPUs of one node, lowest indexes first, leaving out what
 * cannot lead to anything new or better.
 */
final class LayoutWalk {
    /*
     * Depth first over units (see LayoutPlan), with a stack of its own. Left out is
     * - what LayoutBound proves impossible, or no better than what is known (branch and bound);
     * - of GPUs of a kind that are equally taken, all but the lowest; of equal containers, all but one order: whatever is
     *   left out can be renamed into something that comes earlier and is not;
     * - a state that was met before at the same depth, up to a renaming of GPUs of a kind.
     *
     * The first of equally good layouts wins. A layout that a dive has found is only a mark to reach: once it is known to
     * be the best, the walk goes on for a while to find the first that is as good.
     */
    private static final long STEPS_FOR_TIES = 20_000;

    private final LayoutProblem problem;
    private final LayoutPlan plan;
    private final LayoutLoad load;
    private final LayoutBound ahead;

    private final SearchSteps steps;
    private final BoundedPolicy.@Nullable Bound bound;
    private final Judge judge;
    private final StateSet met = new StateSet();

    private final int[] choice;

    /** By unit: whether all before it in its container are where they are in the container before. */
    private final boolean[] follows;

    /** By unit: the GPUs that it may get. */
    private final long[] candidates;

    /** The score to reach, or to beat once a layout that reaches it {@linkplain #isHeld is held}. */
    private long mark = Long.MIN_VALUE;

    private boolean isHeld;
    private long @Nullable [] best;
    private boolean isComplete;

    /** Says what a layout is worth. */
    interface Judge {
        /** Returns the score of the layout in which each container, in the pod's order, gets the GPUs of its mask. */
        long score(long[] masks);
    }

    LayoutWalk(LayoutProblem problem, BoundedPolicy.@Nullable Bound bound, Judge judge, SearchSteps steps) {
        this.problem = problem;
        this.plan = problem.plan;
        this.bound = bound;
        this.judge = judge;
        this.steps = steps;
        this.load = new LayoutLoad(problem, bound);
        this.ahead = new LayoutBound(problem, load, steps);
        this.choice = new int[plan.units()];
        this.follows = new boolean[choice.length];
        this.candidates = new long[choice.length];
    }

    /** Returns the masks of the best layout that was met, or null. */
    long @Nullable [] best() {
        return best;
    }

    long bestScore() {
        return mark;
    }

    /** Returns whether nothing was left out for want of steps. */
    boolean isComplete() {
        return isComplete;
    }

    /**
     * Looks for the best layout that scores above this.
     *
     * @param above the score to beat; {@link Long#MIN_VALUE} for any
     */
    void findBest(long above) {
        mark = above;
        isHeld = above != Long.MIN_VALUE;
        long charge = ahead.from(0);
        if (charge == LayoutBound.IMPOSSIBLE || isHopeless(charge)) {
            isComplete = true;
            return;
        }
        long[] dived = plan.units() > 2 ? dive() : null;
        if (dived != null && !isHeld && bound != null && bound.bestScore(charge) <= mark) {
            long allowed = Math.min(STEPS_FOR_TIES, steps.left());
            SearchSteps ties = steps.atMost(allowed);
            walk(ties);
            steps.spend(allowed, ties);
            isComplete = true;
        } else {
            isComplete = walk(steps);
        }
        best = best == null ? dived : best;
    }

    /** Hands every layout to the judge, those that differ only in equal GPUs at least once. */
    void visitAll() {
        isComplete = ahead.from(0) == LayoutBound.IMPOSSIBLE || walk(steps);
    }

    private long @Nullable [] dive() {
        LayoutDive dive = new LayoutDive(problem, load, ahead);
        long[] found = null;
        for (LayoutDive.Rule rule : LayoutDive.Rule.values()) {
            boolean charged = rule == LayoutDive.Rule.FORESIGHTED || rule == LayoutDive.Rule.CHEAPEST;
            long[] masks = charged && bound == null ? null : dive.dive(rule, steps);
            if (masks != null) {
                steps.take(plan.stepsToScore(problem.gpus));
                long score = judge.score(masks);
                if (found == null && !isHeld || score > mark) {
                    found = masks;
                    mark = score;
                    isHeld = false;
                }
            }
        }
        return found;
    }

    /** Whether no layout that is charged this much would be taken. */
    private boolean isHopeless(long charge) {
        if (bound == null || mark == Long.MIN_VALUE) {
            return false;
        }
        long highest = bound.bestScore(charge);
        return highest < mark || highest == mark && isHeld;
    }

    private boolean walk(SearchSteps allowed) {
        int unit = 0;
        begin(0);
        while (unit >= 0) {
            if (!allowed.take(plan.stepsToPlace())) {
                return false;
            }
            int gpu = next(unit);
            if (gpu < 0) {
                unit--;
                if (unit >= 0) {
                    load.undo(unit, choice[unit]);
                }
                continue;
            }
            choice[unit] = gpu;
            load.place(unit, gpu);
            if (unit + 1 == choice.length) {
                meet();
                load.undo(unit, gpu);
                allowed.take(plan.stepsToScore(problem.gpus));
            } else if (isWorthwhile(unit)) {
                unit++;
                begin(unit);
            } else {
                load.undo(unit, gpu);
            }
        }
        return true;
    }

    private void meet() {
        if (isHopeless(load.totalCost())) {
            return;
        }
        long[] masks = load.masks();
        long score = judge.score(masks);
        if (score > mark || score == mark && !isHeld) {
            best = masks;
            mark = score;
            isHeld = true;
        }
    }

    /** Starts to go through the GPUs of a unit. */
    private void begin(int unit) {
        int depth = plan.depth[unit];
        int first = plan.firstUnit[depth];
        int atLeast = 0;
        if (unit == first) {
            candidates[unit] = load.fitting(depth);
            follows[unit] = plan.asPrevious[depth];
        } else {
            int before = choice[unit - 1];
            atLeast = before + 1;
            candidates[unit] = problem.matesOf(plan.type[depth], before, candidates[unit - 1]);
            follows[unit] = follows[unit - 1] && before == choice[unit - 1 - plan.count[depth]];
        }
        if (follows[unit]) {
            atLeast = Math.max(atLeast, choice[unit - plan.count[depth]]);
        }
        choice[unit] = atLeast - 1;
    }

    private int next(int unit) {
        for (int gpu = choice[unit] + 1; gpu < problem.gpus; gpu++) {
            if ((candidates[unit] >>> gpu & 1) != 0 && !hasEquivalentBefore(unit, gpu)) {
                return gpu;
            }
        }
        return -1;
    }

    /** Whether a lower GPU would serve as well that the container has not got. */
    private boolean hasEquivalentBefore(int unit, int gpu) {
        long mine = load.chosen(plan.depth[unit]);
        int looked = 0;
        boolean found = false;
        for (int lower = problem.previousOfKind[gpu]; lower >= 0 && !found; lower = problem.previousOfKind[lower]) {
            found = (mine >>> lower & 1) == 0 && load.isEqual(lower, gpu);
            looked++;
        }
        steps.take(looked / 8);
        return found;
    }

    private boolean isWorthwhile(int unit) {
        if (isHopeless(load.totalCost())) {
            return false;
        }
        int depth = plan.depth[unit];
        int missing = plan.firstUnit[depth + 1] - unit - 1;
        if (missing > 0) {
            return isContainerWorthwhile(unit, depth, missing);
        }
        steps.take(problem.gpus);
        long charge = ahead.from(depth + 1);
        if (charge == LayoutBound.IMPOSSIBLE || isHopeless(load.totalCost() + charge)) {
            return false;
        }
        return plan.asPrevious[depth + 1] || met.add(load.hash(depth + 1), load.otherHash(depth + 1));
    }

    private boolean isContainerWorthwhile(int unit, int depth, int missing) {
        int gpu = choice[unit];
        long higher = gpu == Long.SIZE - 1 ? 0 : candidates[unit] & -1L << gpu + 1;
        higher = problem.matesOf(plan.type[depth], gpu, higher);
        if (Long.bitCount(higher) < missing) {
            return false;
        }
        steps.take(Long.bitCount(higher));
        return bound == null || !isHopeless(load.totalCost() + ahead.cheapest(depth, missing, higher));
    }
}
