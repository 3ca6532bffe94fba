package io.gpusched.schedule;

/**
 * How much one decision may search: a number of steps for everything that is tried for one pod or one group. A step is a
 * look at one device, one node or one layout, some ten nanoseconds; steps are counted, not timed, so that the answer is
 * the same on every machine.
 *
 * <p>Only pods of several GPU containers or of parts of several GPUs, groups whose members do not fit one after the
 * other, and groups of several specs whose members a policy scores, use any of it, and few of these use it up. When it is used
 * up, the best that was found is the answer ({@link io.gpusched.decision.Certainty#FOUND}), or a refusal that is not proven
 * ({@link io.gpusched.decision.Certainty#LIMIT}).
 *
 * <p>Scores of the members of a group count as well, ten steps each. The first member is compared with all nodes that have room, as
 * a single pod is; others as long as that takes half of the steps left at most, counting only nodes that changed since an
 * equal member was placed. The rest go where bin-pack would put them. Members that can be laid out in very many ways have an equal
 * part each of the steps that are left. A group that must stay on one node is
 * tried on nodes until one takes it, and then on as many more as its steps allow.
 *
 * <p>With 1,000,000 steps a decision takes 10 to 30 ms at most on a core of 3 GHz.
 *
 * @param steps 1 to 1,000,000,000,000
 */
public record SearchBudget(long steps) {
    /** The budget of a scheduler that is not told otherwise: no decision takes more than about 50 ms. */
    public static final SearchBudget DEFAULT = new SearchBudget(2_000_000);

    private static final long MOST_STEPS = 1_000_000_000_000L;

    /**
     * Checks the range.
     *
     * @throws IllegalArgumentException if the number is out of range
     */
    public SearchBudget {
        if (steps < 1 || steps > MOST_STEPS) {
            throw new IllegalArgumentException("search budget: steps must be in 1.." + MOST_STEPS + ", got " + steps);
        }
    }

    /** Returns a budget of this many steps, 1 to 1,000,000,000,000. */
    public static SearchBudget ofSteps(long steps) {
        return new SearchBudget(steps);
    }
}
