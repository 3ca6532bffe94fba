package io.gpusched.internal.lookahead;

import io.gpusched.model.NodeClass;
import io.gpusched.workload.WorkloadProfile;
import io.gpusched.workload.WorkloadProfile.Demand;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;

/** A workload profile as a look-ahead needs it: in a fixed order, with what is worked out of it once. */
final class PodMix {
    /** Memory is counted in steps of this fraction of a mean pod's memory; finer steps gain nothing. */
    private static final int MEMORY_STEPS_PER_POD = 8;

    private static final Comparator<Demand> MOST_FREQUENT_FIRST = Comparator.comparingLong(Demand::weight)
            .reversed()
            .thenComparingLong(Demand::cpuMillis)
            .thenComparingLong(Demand::memoryMib)
            .thenComparingInt(Demand::gpuMillis)
            .thenComparingInt(Demand::gpuCount)
            .thenComparing(demand -> String.join("|", demand.models()));

    private final List<Demand> demands;
    private final long pods;
    private final long gpuMillis;
    private final long memoryStepMib;

    PodMix(WorkloadProfile profile) {
        demands = profile.demands().stream()
                .map(PodMix::withoutWideShares)
                .sorted(MOST_FREQUENT_FIRST)
                .toList();
        pods = profile.totalWeight();
        gpuMillis = demands.stream()
                .mapToLong(demand -> demand.weight() * demand.totalGpuMillis())
                .sum();
        double memory = demands.stream()
                .mapToDouble(demand -> (double) demand.weight() * demand.memoryMib())
                .sum();
        memoryStepMib = Math.max(1, (long) (memory / pods) / MEMORY_STEPS_PER_POD);
    }

    /** Shares of several GPUs at once are rare; they count as that many whole GPUs. */
    private static Demand withoutWideShares(Demand demand) {
        boolean wide = demand.gpuCount() > 1 && !demand.isWhole();
        return wide
                ? new Demand(
                        demand.cpuMillis(),
                        demand.memoryMib(),
                        Demand.WHOLE,
                        demand.gpuCount(),
                        demand.models(),
                        demand.weight())
                : demand;
    }

    /** The demands, most frequent first. */
    List<Demand> demands() {
        return demands;
    }

    /** The sum of the weights. */
    long pods() {
        return pods;
    }

    /** What pods ask of GPUs, in milli, summed with the weights. */
    long gpuMillis() {
        return gpuMillis;
    }

    /** Returns which demands, by index, may use nodes of this kind, sizes aside. */
    BitSet accepted(NodeKind kind) {
        BitSet accepted = new BitSet();
        for (int i = 0; i < demands.size(); i++) {
            accepted.set(i, kind.accepts(demands.get(i)));
        }
        return accepted;
    }

    /** Returns which demands, by index, fit onto an empty node of a class as far as CPU and the number of GPUs go. */
    BitSet fitting(NodeClass nodeClass, NodeKind kind) {
        BitSet fitting = accepted(kind);
        for (int i = 0; i < demands.size(); i++) {
            Demand demand = demands.get(i);
            if (demand.gpuCount() > nodeClass.gpus().size()
                    || demand.cpuMillis() > nodeClass.capacity().cpuMillis()) {
                fitting.clear(i);
            }
        }
        return fitting;
    }

    /** Returns how many steps of memory are free, the last one in full. */
    int stepsFree(long memoryMib) {
        return (int) Math.min(Integer.MAX_VALUE, memoryMib / memoryStepMib);
    }

    /** Returns how many steps an amount of memory takes, to the nearest. */
    int stepsTaken(long memoryMib) {
        return (int) Math.min(Integer.MAX_VALUE, (memoryMib + memoryStepMib / 2) / memoryStepMib);
    }
}
