package io.gpusched.simulator.bound;

import io.gpusched.analysis.Extent;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeClass;
import io.gpusched.schedule.SearchBudget;
import io.gpusched.workload.Pod;
import io.gpusched.workload.WorkloadProfile;
import io.gpusched.workload.WorkloadProfile.Demand;
import java.math.BigInteger;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;

/**
 * A bound on the GPU compute that any scheduler could allocate, even one that knows all pods in advance and may choose which
 * to refuse: a linear program over demands of pods and classes of nodes.
 *
 * <p>The program is a relaxation: pods may be split, and the nodes of a class count as one large machine. Its constraints are
 * the CPU, host memory and compute of each class, which classes a demand may run on, how many pods of each demand there are,
 * and that shares are cut out of single GPUs (cutting stock, over the whole cluster: a GPU is cut by one of the patterns of
 * share sizes that leave no room for another share). If there are many demands, similar ones are merged; a merged demand asks
 * for the least that any of them asks, so the result stays a bound. Pods that no demand describes (partitions, whole nodes, choices,
 * init containers, unlike containers; whole GPUs unless all have 1,000 milli) add the most that each may hold. The pods that run in the cluster are ignored: the bound
 * is for an empty cluster.
 *
 * <p>A cluster of 10 GPUs and 20 pods of 600 milli each: at most 6,000 of 10,000 milli, because each GPU holds one of them.
 *
 * @param gpuMillis the greatest compute that could be held at once, in milli
 * @param capacityMillis compute of all GPUs, in milli
 * @param askedMillis compute that all the pods together ask for, in milli; {@link Long#MAX_VALUE} if that is more
 * @param extent whether the program was solved; if the budget of steps ended before, the bound is the capacity or what is asked
 */
public record UpperBound(double gpuMillis, long capacityMillis, long askedMillis, Extent extent) {
    static final SearchBudget DEFAULT = SearchBudget.ofSteps(10_000_000_000L);

    /** Checks that nothing is missing. */
    public UpperBound {
        Objects.requireNonNull(extent, "extent");
    }

    /**
     * Returns the bound for these pods. Takes seconds at worst: the program has at most about 200 demands.
     *
     * @throws IllegalArgumentException if there is no pod
     */
    public static UpperBound of(Cluster cluster, Collection<Pod> pods) {
        return of(cluster, pods, DEFAULT);
    }

    /**
     * Returns the bound for these pods.
     *
     * @param budget a pivot of the program takes a step of it for each number in the program
     * @throws IllegalArgumentException if there is no pod
     */
    public static UpperBound of(Cluster cluster, Collection<Pod> pods, SearchBudget budget) {
        Objects.requireNonNull(cluster, "cluster");
        Objects.requireNonNull(budget, "budget");
        Objects.requireNonNull(pods, "pods");
        if (pods.isEmpty()) {
            throw new IllegalArgumentException("upper bound: there must be at least one demand, got no pod");
        }
        LooseDemand loose = new LooseDemand(cluster);
        Map<Demand, Long> counts = new HashMap<>();
        long beside = 0;
        for (Pod pod : pods) {
            if (loose.isDescribed(pod)) {
                counts.merge(WorkloadProfile.demandOf(pod), 1L, Long::sum);
            } else {
                beside += loose.most(pod);
            }
        }
        return of(cluster, counts, beside, budget);
    }

    /** The bound for pods of these demands, and for others that hold no more than so much compute. */
    static UpperBound of(Cluster cluster, Map<Demand, Long> counts, long beside, SearchBudget budget) {
        List<NodeClass> classes = List.copyOf(cluster.classes().keySet());
        long capacity = cluster.totals().gpuComputeMillis();
        Map<Demand, Long> few = new HashMap<>();
        // each takes a milli at least
        counts.forEach((demand, count) -> few.put(demand, Math.min(count, capacity)));
        OptionalDouble part = new BoundProgram(cluster, classes, DemandGroup.of(classes, few)).solve(budget.steps());
        long asked = asked(counts, beside);
        double most = part.orElse(1) * capacity + beside;
        return new UpperBound(
                Math.min(most, (double) Math.min(asked, capacity)),
                capacity,
                asked,
                part.isPresent() ? Extent.COMPLETE : Extent.BUDGET_ENDED);
    }

    /** What all ask, or {@link Long#MAX_VALUE} if that is more. */
    private static long asked(Map<Demand, Long> counts, long beside) {
        BigInteger sum = BigInteger.valueOf(beside);
        for (Map.Entry<Demand, Long> entry : counts.entrySet()) {
            sum = sum.add(
                    BigInteger.valueOf(entry.getKey().totalGpuMillis()).multiply(BigInteger.valueOf(entry.getValue())));
        }
        return sum.min(BigInteger.valueOf(Long.MAX_VALUE)).longValueExact();
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
