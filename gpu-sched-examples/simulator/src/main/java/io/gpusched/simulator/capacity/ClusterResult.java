package io.gpusched.simulator.capacity;

import io.gpusched.model.Node;
import io.gpusched.simulator.Estimate;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What came of the replays on one cluster.
 *
 * @param name what the cluster is called, such as its change
 * @param nodes its nodes
 * @param runs the numbers by seed, at least one
 */
public record ClusterResult(String name, List<Node> nodes, List<RunNumbers> runs) {
    /** Copies the lists. */
    public ClusterResult {
        nodes = List.copyOf(nodes);
        runs = List.copyOf(runs);
    }

    /** Returns the mean of a number over the runs. */
    public double mean(ToDoubleFunction<RunNumbers> number) {
        return estimate(number).mean();
    }

    /** Returns the mean of a number over the runs and how sure it is. */
    public Estimate estimate(ToDoubleFunction<RunNumbers> number) {
        return Estimate.of(runs.stream().map(number::applyAsDouble).toList());
    }

    /** Returns how many jobs never started, on average. */
    public double neverStarted() {
        return mean(RunNumbers::neverStarted);
    }

    /** Returns in how many runs there was a steady state. */
    public int steady() {
        return (int) runs.stream().filter(RunNumbers::isSteady).count();
    }

    /** Returns the number of GPUs. */
    public int gpus() {
        return nodes.stream().mapToInt(node -> node.gpus().size()).sum();
    }
}
