package io.gpusched.simulator.bound;

import io.gpusched.model.Cluster;
import io.gpusched.model.Gpu;
import io.gpusched.model.NodeClass;
import io.gpusched.model.NodeState;
import io.gpusched.workload.WorkloadProfile.Demand;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.apache.commons.math3.exception.TooManyIterationsException;
import org.apache.commons.math3.optim.MaxIter;
import org.apache.commons.math3.optim.linear.LinearConstraint;
import org.apache.commons.math3.optim.linear.LinearConstraintSet;
import org.apache.commons.math3.optim.linear.LinearObjectiveFunction;
import org.apache.commons.math3.optim.linear.NonNegativeConstraint;
import org.apache.commons.math3.optim.linear.Relationship;
import org.apache.commons.math3.optim.linear.SimplexSolver;
import org.apache.commons.math3.optim.nonlinear.scalar.GoalType;

/** The linear program behind {@link UpperBound}. */
final class BoundProgram {
    /*
     * Variables: for each group and each class it may run on, the part of the group's pods that runs there; then, for each
     * cutting pattern, the part of the cluster's GPUs that is cut so. Everything is scaled to about 1: capacities, counts
     * and the objective are parts of a whole. No variable is negative and every right-hand side is at least 0, so nothing
     * placed is a feasible start.
     */
    private final List<DemandGroup> groups;
    private final CuttingPatterns cuts;
    private final double[] cpu;
    private final double[] memory;
    private final double[] compute;
    private double gpus;
    private boolean plain = true;

    /** By group, then by class: the variable, or -1. */
    private final int[][] variable;

    private final int firstCut;
    private final int variables;
    private final List<LinearConstraint> constraints = new ArrayList<>();

    BoundProgram(Cluster cluster, List<NodeClass> nodeClasses, List<DemandGroup> groups) {
        this.groups = groups;
        int classes = nodeClasses.size();
        cpu = new double[classes];
        memory = new double[classes];
        compute = new double[classes];
        Map<NodeClass, Integer> indexes = new HashMap<>();
        nodeClasses.forEach(nodeClass -> indexes.put(nodeClass, indexes.size()));
        cluster.nodes().forEach(node -> addCapacity(node, indexes.getOrDefault(node.nodeClass(), 0)));
        variable = new int[groups.size()][classes];
        int count = 0;
        for (int g = 0; g < groups.size(); g++) {
            for (int c = 0; c < classes; c++) {
                variable[g][c] = groups.get(g).classes().get(c) ? count++ : -1;
            }
        }
        firstCut = count;
        cuts = plain ? CuttingPatterns.of(groups) : new CuttingPatterns(List.of(), List.of());
        variables = count + cuts.patterns().size();
    }

    private void addCapacity(NodeState node, int index) {
        cpu[index] += node.node().capacity().cpuMillis();
        memory[index] += node.node().capacity().memoryMib();
        for (Gpu gpu : node.nodeClass().gpus()) {
            compute[index] += gpu.computeMillis();
            plain &= gpu.computeMillis() == Demand.WHOLE;
            gpus++;
        }
    }

    /** Returns the greatest part of the cluster's compute that can be held, 0..1; nothing if that takes more steps. */
    OptionalDouble solve(long steps) {
        if (firstCut == 0) {
            return OptionalDouble.of(0);
        }
        double capacity = 0;
        for (double part : compute) {
            capacity += part;
        }
        double[] objective = new double[variables];
        for (int g = 0; g < groups.size(); g++) {
            fill(objective, g, groups.get(g).totalGpuMillis() / capacity);
        }
        limitClasses();
        limitGroups();
        if (!cuts.patterns().isEmpty()) {
            limitCuts();
        }
        long pivots = Math.max(1, steps / ((long) variables * constraints.size()));
        try {
            return OptionalDouble.of(new SimplexSolver()
                    .optimize(
                            new MaxIter((int) Math.min(Integer.MAX_VALUE, pivots)),
                            new LinearObjectiveFunction(objective, 0),
                            new LinearConstraintSet(constraints),
                            GoalType.MAXIMIZE,
                            new NonNegativeConstraint(true))
                    .getValue());
        } catch (TooManyIterationsException e) {
            return OptionalDouble.empty();
        }
    }

    /** CPU, memory and compute of each class. */
    private void limitClasses() {
        for (int c = 0; c < compute.length; c++) {
            double[] ofCpu = new double[variables];
            double[] ofMemory = new double[variables];
            double[] ofCompute = new double[variables];
            for (int g = 0; g < groups.size(); g++) {
                DemandGroup group = groups.get(g);
                int at = variable[g][c];
                if (at >= 0) {
                    ofCpu[at] = cpu[c] == 0 ? 0 : (double) group.pods() * group.cpuMillis() / cpu[c];
                    ofMemory[at] = memory[c] == 0 ? 0 : (double) group.pods() * group.memoryMib() / memory[c];
                    ofCompute[at] = group.totalGpuMillis() / compute[c];
                }
            }
            atMost(ofCpu, 1);
            atMost(ofMemory, 1);
            atMost(ofCompute, 1);
        }
    }

    /** No more pods than there are. */
    private void limitGroups() {
        for (int g = 0; g < groups.size(); g++) {
            double[] row = new double[variables];
            fill(row, g, 1);
            atMost(row, 1);
        }
    }

    /** No more shares of a size than are cut; no more GPUs cut, or taken whole, than there are. */
    private void limitCuts() {
        for (int level = 0; level < cuts.levels().size(); level++) {
            double[] row = new double[variables];
            for (int g = 0; g < groups.size(); g++) {
                DemandGroup group = groups.get(g);
                if (group.isShare() && cuts.levelOf(group.gpuMillis()) == level) {
                    fill(row, g, (double) group.pods() * group.gpuCount() / gpus);
                }
            }
            for (int p = 0; p < cuts.patterns().size(); p++) {
                row[firstCut + p] = -cuts.patterns().get(p)[level];
            }
            atMost(row, 0);
        }
        double[] row = new double[variables];
        for (int g = 0; g < groups.size(); g++) {
            if (!groups.get(g).isShare()) {
                fill(row, g, (double) groups.get(g).pods() * groups.get(g).gpuCount() / gpus);
            }
        }
        Arrays.fill(row, firstCut, variables, 1);
        atMost(row, 1);
    }

    private void fill(double[] row, int group, double value) {
        for (int at : variable[group]) {
            if (at >= 0) {
                row[at] = value;
            }
        }
    }

    private void atMost(double[] row, double limit) {
        constraints.add(new LinearConstraint(row, Relationship.LEQ, limit));
    }
}
