package io.gpusched.simulator.capacity;

import io.gpusched.model.Node;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * What came of the replays on one cluster.
 *
 * @param name what the cluster is called, such as its change
 * @param nodes its nodes
 * @param runs the numbers by seed, at least one
 * @param blocks of how many blocks of arrivals each run is drawn; 0 if arrivals were as they were
 */
public record ClusterResult(String name, List<Node> nodes, List<RunNumbers> runs, int blocks) {
    /** Copies the lists. */
    public ClusterResult {
        nodes = List.copyOf(nodes);
        runs = List.copyOf(runs);
    }

    /** Returns the mean of a number over the runs. */
    public double mean(ToDoubleFunction<RunNumbers> number) {
        return runs.stream().mapToDouble(number).average().orElse(0);
    }

    /** Returns where a wait lies for 95 of 100 lists of this kind; empty for one run, or of fewer than two blocks. */
    public Optional<Interval> interval(ToDoubleFunction<RunNumbers> number) {
        return runs.size() < 2 || blocks < 2
                ? Optional.empty()
                : Optional.of(
                        Interval.of(runs.stream().map(number::applyAsDouble).toList(), blocks));
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
