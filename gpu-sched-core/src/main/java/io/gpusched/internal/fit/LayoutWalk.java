package io.gpusched.internal.fit;

import org.jspecify.annotations.Nullable;

/** Goes through the layouts of a pod's containers on the GPUs of one node, leaving out what cannot lead to anything new or better. */
final class LayoutWalk {
    /*
     * Depth first over units (see LayoutPlan), with a stack of its own. A unit goes through its options: the GPUs of its node, the
     * lowest first, or in the order of the rule; or the places that a partition may have, the best first. Left out is
     * - what LayoutBound proves impossible, or no better than what is known (branch and bound);
     * - of GPUs of a kind that are equally taken, all but the lowest; of equal containers, all but one order: whatever is
     *   left out can be renamed into something that comes earlier and is not. Not so where the rule has an order of its own;
     * - a state that was met before at the same unit, up to a renaming of GPUs of a kind.
     *
     * The first of equally good layouts wins. A layout that a dive has found is only a mark to reach: once it is known to
     * be the best, the walk goes on for a while to find the first that is as good. A rule that decides by its order gets the first
     * layout; this is met without going back wherever choosing one container after the other works, so the bound is worked out from
     * the first step back on, and before it whether there is any layout in whatever order.
     */
    private static final long STEPS_FOR_TIES = 20_000;

    /** How many layouts with several partitions are scored. */
    private static final int MOST_CUTS = 256;

    /** How many layouts are scored in an order that does not decide: all of four containers on eight GPUs. */
    private static final int MOST_IN_ORDER = 4_096;

    private final LayoutProblem problem;
    private final LayoutPlan plan;
    private final LayoutLoad load;
    private final @Nullable LayoutBound ahead;
    private final @Nullable OrderedOffer ordered;
    private final SearchSteps steps;
    private final @Nullable LayoutCosts costs;
    private final Judge judge;
    private final StateSet met = new StateSet();
    private final LayoutOptions options;

    /** The score to reach, or to beat once a layout that reaches it {@linkplain #isHeld is held}. */
    private long mark = Long.MIN_VALUE;

    private boolean isHeld;
    private int @Nullable [] best;
    private long bestWorth;
    private int layouts;
    private boolean hasGoneBack;

    /** Says what a layout is worth. */
    interface Judge {
        /** Returns the score of the layout that a load holds. */
        long score(LayoutLoad load);

        /** Is told that the layout that was scored last is the best so far. */
        default void keep() {}
    }

    LayoutWalk(
            LayoutProblem problem,
            LayoutLoad load,
            @Nullable LayoutCosts costs,
            @Nullable OrderedOffer ordered,
            Judge judge,
            SearchSteps steps) {
        this.problem = problem;
        this.plan = problem.plan;
        this.costs = costs;
        this.ordered = ordered;
        this.judge = judge;
        this.steps = steps;
        this.load = load;
        boolean lookAhead = plan.partitions < plan.units() && (ordered == null || plan.containers > 1);
        this.ahead = lookAhead ? new LayoutBound(problem, load, steps) : null;
        this.options = new LayoutOptions(problem, load, ordered, steps);
    }

    /** Returns what each unit has in the best layout that was met, or null. */
    int @Nullable [] best() {
        return best;
    }

    long bestScore() {
        return mark;
    }

    /**
     * Looks for the best layout that scores above this.
     *
     * @param above the score to beat; {@link Long#MIN_VALUE} for any
     */
    void findBest(long above) {
        mark = costs == null ? Long.MIN_VALUE : above;
        isHeld = mark != Long.MIN_VALUE;
        long charge = ahead == null || ordered != null ? 0 : ahead.from(0);
        if (charge == LayoutBound.IMPOSSIBLE || isHopeless(charge)) {
            return;
        }
        if (ahead != null && ordered == null && plan.partitions == 0 && plan.units() > 2) {
            dive();
        }
        if (best != null && costs != null && costs.bestScore(charge) <= mark) {
            long allowed = Math.min(STEPS_FOR_TIES, steps.left());
            SearchSteps ties = steps.atMost(allowed);
            walk(ties, Integer.MAX_VALUE);
            steps.spend(allowed, ties);
        } else if (!walk(steps, enough())) {
            steps.giveUp();
        }
    }

    /** Hands every layout to the judge, at least one of layouts that differ only in equal GPUs. */
    void visitAll() {
        boolean impossible = ahead != null && ahead.from(0) == LayoutBound.IMPOSSIBLE;
        if (!impossible && !walk(steps, Integer.MAX_VALUE)) {
            steps.giveUp();
        }
    }

    /** After how many layouts the best of them is taken. */
    private int enough() {
        if (ordered != null) {
            return ordered.decides() ? 1 : MOST_IN_ORDER;
        }
        return plan.partitions > 0 && plan.units() > 1 ? MOST_CUTS : Integer.MAX_VALUE;
    }

    private void dive() {
        LayoutDive dive = new LayoutDive(problem, load);
        for (LayoutDive.Rule rule : LayoutDive.Rule.values()) {
            if (costs == null && rule == LayoutDive.Rule.CHEAPEST) {
                continue;
            }
            if (dive.dive(rule, steps)) {
                steps.take(plan.stepsToScore(problem.gpus));
                long score = judge.score(load);
                if (best == null && !isHeld || score > mark) {
                    take(score);
                    isHeld = false;
                }
            }
            dive.undo();
        }
    }

    private void take(long score) {
        best = load.choices();
        mark = score;
        judge.keep();
    }

    /** Whether no layout that is charged this much would be taken. */
    private boolean isHopeless(long charge) {
        if (costs == null || mark == Long.MIN_VALUE) {
            return false;
        }
        long highest = costs.bestScore(charge);
        return highest < mark || highest == mark && isHeld;
    }

    /** Returns whether all layouts were seen that might be taken. */
    private boolean walk(SearchSteps allowed, int enough) {
        int unit = 0;
        options.begin(0);
        while (unit >= 0) {
            if (!allowed.take(plan.stepsToPlace())) {
                return false;
            }
            if (!options.advance(unit)) {
                if (!hasGoneBack && ordered != null && ordered.isImpossible(allowed)) {
                    return true;
                }
                hasGoneBack = true;
                unit--;
                if (unit >= 0) {
                    load.undo(unit);
                }
                continue;
            }
            load.place(unit, options.code(unit));
            if (unit + 1 == plan.units()) {
                meet(allowed);
                load.undo(unit);
                if (layouts >= enough) {
                    return enough == 1;
                }
            } else if (isWorthwhile(unit)) {
                unit++;
                options.begin(unit);
            } else {
                load.undo(unit);
            }
        }
        return true;
    }

    private void meet(SearchSteps allowed) {
        if (isHopeless(load.totalCost())) {
            return;
        }
        layouts++;
        allowed.take(plan.stepsToScore(problem.gpus));
        long score = judge.score(load);
        long worth = load.worth(allowed);
        if (score > mark || score == mark && (!isHeld || worth > bestWorth)) {
            take(score);
            bestWorth = worth;
            isHeld = true;
        }
    }

    private boolean isWorthwhile(int unit) {
        if (isHopeless(load.totalCost())) {
            return false;
        }
        int depth = plan.depth[unit];
        int missing = plan.firstUnit[depth + 1] - unit - 1;
        long left = missing == 0 ? 0 : options.left(unit);
        if (missing > 0 && !plan.cut[depth]) {
            return isContainerWorthwhile(depth, missing, left);
        }
        boolean mayRepeat = missing == 0 && ordered == null && plan.asPrevious[depth + 1];
        if (!mayRepeat && !isNew(unit + 1, left)) {
            return false;
        }
        if (ahead == null || ordered != null && !hasGoneBack) {
            return true;
        }
        long charge = ahead.from(depth + 1);
        return charge != LayoutBound.IMPOSSIBLE && !isHopeless(load.totalCost() + charge);
    }

    private boolean isContainerWorthwhile(int depth, int missing, long left) {
        if (Long.bitCount(left) < missing) {
            return false;
        }
        steps.take(Long.bitCount(left));
        return ahead == null || costs == null || !isHopeless(load.totalCost() + ahead.cheapest(depth, missing, left));
    }

    /**
     * Whether a unit is reached in a state in which it was not reached before.
     *
     * @param left the GPUs that are open to it because of those of its container; 0 where it is the first
     */
    private boolean isNew(int unit, long left) {
        if (ordered != null && (!hasGoneBack || !ordered.decides() || ordered.hasLeftOut())) {
            return true;
        }
        boolean isNew = met.add(load.hash(unit, left), load.otherHash(unit, left));
        // a bound that follows is dearer, and counts for this as well
        steps.take(isNew && ahead != null ? 0 : 2L * problem.gpus);
        return isNew;
    }
}
