package io.gpusched.simulator.mig;

import java.util.ArrayList;
import java.util.List;
import org.apache.commons.math3.optim.MaxIter;
import org.apache.commons.math3.optim.linear.LinearConstraint;
import org.apache.commons.math3.optim.linear.LinearConstraintSet;
import org.apache.commons.math3.optim.linear.LinearObjectiveFunction;
import org.apache.commons.math3.optim.linear.NonNegativeConstraint;
import org.apache.commons.math3.optim.linear.Relationship;
import org.apache.commons.math3.optim.linear.SimplexSolver;
import org.apache.commons.math3.optim.nonlinear.scalar.GoalType;

/**
 * An upper bound of how many partitions run at once on average, whatever the rule, if it does not know how long pods will run: on
 * average each GPU holds a mix of full sets, and of no profile more run than are asked for. No rule reaches it: where pods come at
 * random, more than fit come at times, and at other times GPUs stand idle. {@link SmallCluster} says how much that is.
 */
final class MigBound {
    private static final int MOST_ITERATIONS = 10_000;

    private MigBound() {}

    /**
     * Solves for the most partitions.
     *
     * @param sets what a GPU can hold at most: by profile how many
     * @param offered by profile how many would run at once if all were accepted
     */
    static double most(List<int[]> sets, double[] offered, int gpus) {
        int profiles = offered.length;
        int variables = profiles + sets.size();
        double[] objective = new double[variables];
        java.util.Arrays.fill(objective, 0, profiles, 1);
        List<LinearConstraint> constraints = new ArrayList<>();
        double[] all = new double[variables];
        java.util.Arrays.fill(all, profiles, variables, 1);
        constraints.add(new LinearConstraint(all, Relationship.LEQ, gpus));
        for (int p = 0; p < profiles; p++) {
            double[] asked = new double[variables];
            asked[p] = 1;
            constraints.add(new LinearConstraint(asked, Relationship.LEQ, offered[p]));
            double[] held = new double[variables];
            held[p] = 1;
            for (int s = 0; s < sets.size(); s++) {
                held[profiles + s] = -sets.get(s)[p];
            }
            constraints.add(new LinearConstraint(held, Relationship.LEQ, 0));
        }
        return new SimplexSolver()
                .optimize(
                        new MaxIter(MOST_ITERATIONS),
                        new LinearObjectiveFunction(objective, 0),
                        new LinearConstraintSet(constraints),
                        GoalType.MAXIMIZE,
                        new NonNegativeConstraint(true))
                .getValue();
    }
}
