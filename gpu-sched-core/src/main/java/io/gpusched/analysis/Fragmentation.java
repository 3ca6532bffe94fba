package io.gpusched.analysis;

import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.policy.FragmentationGradient;
import io.gpusched.workload.WorkloadProfile;
import java.util.Objects;

/**
 * How much of the idle GPU of a cluster is of no use to what is usually asked: the measure of "Beware of Fragmentation"
 * (USENIX ATC 2023).
 *
 * <p>Of a cluster with one GPU half free, a profile of nothing but half GPUs sees nothing wasted, one of nothing but whole
 * GPUs sees 500 milli.
 *
 * @param idleMillis compute that may still be given away, in milli
 * @param weightedMillis compute that pods of the profile's shapes could not use, in milli, summed with the shapes' weights
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

    /** Returns how much a typical pod cannot use, on average, in milli. */
    public double millis() {
        return (double) weightedMillis / totalWeight;
    }

    /** Returns the part of the idle compute that a typical pod cannot use, 0..1; 0 if nothing is idle. */
    public double ratio() {
        return idleMillis == 0 ? 0 : millis() / idleMillis;
    }

    @Override
    public String toString() {
        return String.format(
                java.util.Locale.ROOT, "%.0fm of %dm idle gpu compute is a fragment", millis(), idleMillis);
    }
}
