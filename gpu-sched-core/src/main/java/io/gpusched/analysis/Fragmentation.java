package io.gpusched.analysis;

import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.policy.FragmentationGradient;
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
 */
public record Fragmentation(long idleMillis, long weightedMillis, long totalWeight) {
    /** Measures a cluster by a profile, O(nodes &times; GPUs). */
    public static Fragmentation of(Cluster cluster, WorkloadProfile profile) {
        Objects.requireNonNull(cluster, "cluster");
        Objects.requireNonNull(profile, "profile");
        FragmentationGradient measure = FragmentationGradient.of(profile);
        long idle = 0;
        long wasted = 0;
        for (NodeState node : cluster.nodes()) {
            idle += node.freeComputeMillis();
            wasted += measure.fragmentation(node);
        }
        return new Fragmentation(idle, wasted, profile.totalWeight());
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
