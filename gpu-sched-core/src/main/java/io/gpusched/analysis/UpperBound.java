package io.gpusched.analysis;

import io.gpusched.model.Cluster;
import io.gpusched.model.NodeClass;
import io.gpusched.workload.Pod;
import io.gpusched.workload.WorkloadProfile.Shape;
import io.gpusched.workload.WorkloadProfile;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * How much GPU compute no scheduler could get beyond, however clever, patient and free to refuse: a linear program over
 * shapes of pods and classes of nodes.
 *
 * <p>Pods may be split, and the nodes of a class count as one large machine; what binds is CPU, host memory and compute of
 * each class, which classes a shape may run on, how many pods of it there are, and, cluster-wide, that shares have to be
 * cut out of single GPUs (cutting stock: a GPU can be cut into any of the patterns of share sizes that leave no room for
 * another). Where shapes are many, similar ones are merged, each merged one asking for the least of any, so that it stays a
 * bound. What runs in the cluster is not looked at: the bound is for filling it from empty.
 *
 * <p>A cluster of 10 GPUs and 20 pods of 600 milli each: 6,000 of 10,000 milli, for each GPU can be cut for one of them.
 *
 * @param gpuMillis the greatest compute that could be held at once, in milli
 * @param capacityMillis compute of all GPUs, in milli
 * @param askedMillis compute that all the pods together ask for, in milli
 */
public record UpperBound(double gpuMillis, long capacityMillis, long askedMillis) {
    /**
     * Returns the bound for these pods, in the order of seconds at worst: the program has at most some 200 shapes.
     *
     * @throws IllegalArgumentException if there is no pod
     */
    public static UpperBound of(Cluster cluster, Collection<Pod> pods) {
        Objects.requireNonNull(cluster, "cluster");
        Objects.requireNonNull(pods, "pods");
        Map<Shape, Long> counts = new HashMap<>();
        for (Pod pod : pods) {
            counts.merge(WorkloadProfile.shapeOf(pod), 1L, Long::sum);
        }
        return of(cluster, counts);
    }

    /**
     * Returns the bound for this many pods of each shape; the shapes' weights are not looked at.
     *
     * @throws IllegalArgumentException if there is no shape, or a count is negative
     */
    public static UpperBound of(Cluster cluster, Map<Shape, Long> counts) {
        Objects.requireNonNull(cluster, "cluster");
        Objects.requireNonNull(counts, "counts");
        if (counts.isEmpty() || counts.values().stream().anyMatch(count -> count < 0)) {
            throw new IllegalArgumentException(
                    "upper bound: there must be at least one shape, and no count below 0, got " + counts);
        }
        List<NodeClass> classes = List.copyOf(cluster.classes().keySet());
        double part = new BoundProgram(cluster, classes, DemandGroup.of(classes, counts)).solve();
        long capacity = cluster.totals().gpuComputeMillis();
        long asked = counts.entrySet().stream()
                .mapToLong(entry -> entry.getKey().totalGpuMillis() * entry.getValue())
                .sum();
        return new UpperBound(Math.min(part * capacity, (double) Math.min(asked, capacity)), capacity, asked);
    }

    /** Returns the bound in percent of the cluster's compute; 0 for a cluster without GPUs. */
    public double percent() {
        return capacityMillis == 0 ? 0 : 100 * gpuMillis / capacityMillis;
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT, "at most %.0fm of %dm gpu compute (%.2f%%)", gpuMillis, capacityMillis, percent());
    }
}
