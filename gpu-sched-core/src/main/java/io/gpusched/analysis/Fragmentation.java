package io.gpusched.analysis;

import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.policy.FragmentationGradient;
import io.gpusched.schedule.SearchBudget;
import io.gpusched.workload.WorkloadProfile;
import java.util.Objects;

/**
 * How much of the free GPU compute of a cluster cannot be used by the pods that are usually asked for: the measure of "Beware of Fragmentation"
 * (USENIX ATC 2023).
 *
 * <p>Example: one GPU is half free. If all pods ask for half a GPU, nothing is wasted; if all pods ask for a whole GPU, 500
 * milli are.
 *
 * <p>Free is what is free on healthy GPUs, those of cordoned nodes too. To a pod that asks for no GPU, or for hardware partitions
 * alone, all of it is a fragment: what partitions leave useless is not measured here.
 *
 * @param idleMillis free compute, in milli
 * @param weightedMillis free compute that a pod of a demand could not use, in milli, times the weight of the demand, summed over the demands
 * @param totalWeight the sum of the weights, at least 1
 * @param extent whether all nodes were measured; if the budget of steps ended before, the first in node order
 */
public record Fragmentation(long idleMillis, long weightedMillis, long totalWeight, Extent extent) {
    /** Checks that nothing is missing. */
    public Fragmentation {
        Objects.requireNonNull(extent, "extent");
    }

    /** As {@link #of(Cluster, WorkloadProfile, SearchBudget)}, within 200 million steps. */
    public static Fragmentation of(Cluster cluster, WorkloadProfile profile) {
        return of(cluster, profile, AnalysisSteps.DEFAULT);
    }

    /**
     * Measures a cluster by a profile, O(nodes &times; GPUs).
     *
     * @param budget a GPU takes a step of it for each demand of the profile
     */
    public static Fragmentation of(Cluster cluster, WorkloadProfile profile, SearchBudget budget) {
        Objects.requireNonNull(cluster, "cluster");
        Objects.requireNonNull(profile, "profile");
        FragmentationGradient measure = FragmentationGradient.of(profile);
        long idle = 0;
        long wasted = 0;
        AnalysisSteps steps = new AnalysisSteps(Objects.requireNonNull(budget, "budget"));
        for (NodeState node : cluster.nodes()) {
            if (!steps.areLeft()) {
                break;
            }
            steps.take((long) profile.demands().size() * (1 + node.gpuCount()));
            idle += node.freeComputeMillis();
            wasted += measure.fragmentation(node);
        }
        return new Fragmentation(idle, wasted, profile.totalWeight(), steps.extent());
    }

    /** Returns how much of the free compute a pod of the profile cannot use on average, in milli. */
    public double millis() {
        return (double) weightedMillis / totalWeight;
    }

    /** Returns the part of the free compute that a pod of the profile cannot use on average, 0..1; 0 if nothing is free. */
    public double ratio() {
        return idleMillis == 0 ? 0 : millis() / idleMillis;
    }

    @Override
    public String toString() {
        return String.format(
                java.util.Locale.ROOT, "%.0fm of %dm idle gpu compute is a fragment", millis(), idleMillis);
    }
}
