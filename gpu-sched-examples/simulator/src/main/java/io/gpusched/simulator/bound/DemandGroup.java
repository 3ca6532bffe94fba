package io.gpusched.simulator.bound;

import io.gpusched.model.Gpu;
import io.gpusched.model.NodeClass;
import io.gpusched.workload.WorkloadProfile.Demand;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Pods that a bound does not tell apart: equal GPUs, equal classes to run on, and no less CPU and memory than this.
 *
 * @param cpuMillis CPU of each, in milli
 * @param memoryMib host memory of each
 * @param gpuMillis compute of each GPU
 * @param gpuCount number of GPUs
 * @param classes the classes whose empty nodes could take one, by index
 * @param pods how many there are
 */
record DemandGroup(long cpuMillis, long memoryMib, int gpuMillis, int gpuCount, BitSet classes, long pods) {
    /** More groups than this make the program slow. */
    static final int MOST_GROUPS = 200;

    /** Steps to which CPU is rounded down while there are too many groups, in milli; memory goes with it, 4 MiB a milli. */
    private static final long[] STEPS = {1, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 64_000, Long.MAX_VALUE / 8};

    /** Returns the groups of these demands that could run at all, merged until they are few. */
    static List<DemandGroup> of(List<NodeClass> classes, Map<Demand, Long> counts) {
        Map<Demand, BitSet> runs = new LinkedHashMap<>();
        counts.forEach((demand, count) -> {
            BitSet accepted = classesOf(demand, classes);
            if (count > 0 && !accepted.isEmpty() && demand.gpuCount() > 0) {
                runs.put(demand, accepted);
            }
        });
        List<DemandGroup> groups = List.of();
        for (long step : STEPS) {
            groups = merged(counts, runs, step);
            if (groups.size() <= MOST_GROUPS) {
                break;
            }
        }
        return groups;
    }

    private static List<DemandGroup> merged(Map<Demand, Long> counts, Map<Demand, BitSet> runs, long step) {
        Map<String, DemandGroup> groups = new TreeMap<>();
        runs.forEach((demand, accepted) -> {
            DemandGroup one = new DemandGroup(
                    demand.cpuMillis() / step * step,
                    demand.memoryMib() / (4 * step) * (4 * step),
                    demand.gpuMillis(),
                    demand.gpuCount(),
                    accepted,
                    counts.getOrDefault(demand, 0L));
            groups.merge(one.key(), one, DemandGroup::plus);
        });
        return List.copyOf(groups.values());
    }

    private String key() {
        return gpuCount + "x" + gpuMillis + " cpu " + cpuMillis + " memory " + memoryMib + " on " + classes;
    }

    private DemandGroup plus(DemandGroup other) {
        return new DemandGroup(cpuMillis, memoryMib, gpuMillis, gpuCount, classes, pods + other.pods);
    }

    private static BitSet classesOf(Demand demand, List<NodeClass> classes) {
        BitSet accepted = new BitSet();
        for (int index = 0; index < classes.size(); index++) {
            accepted.set(index, mayRun(demand, classes.get(index)));
        }
        return accepted;
    }

    private static boolean mayRun(Demand demand, NodeClass nodeClass) {
        boolean admitted = demand.isWhole()
                ? nodeClass.mode().admitsWhole()
                : nodeClass.mode().admitsShares();
        return admitted
                && demand.cpuMillis() <= nodeClass.capacity().cpuMillis()
                && demand.memoryMib() <= nodeClass.capacity().memoryMib()
                && demand.gpuCount() <= countAccepted(demand, nodeClass.gpus());
    }

    private static long countAccepted(Demand demand, List<Gpu> gpus) {
        return gpus.stream()
                .filter(gpu -> demand.models().isEmpty()
                        || demand.models().contains(gpu.model().name()))
                .count();
    }

    /** Whether it asks for parts of GPUs. */
    boolean isShare() {
        return gpuMillis < Demand.WHOLE;
    }

    /** What all its pods ask of GPUs, in milli. */
    double totalGpuMillis() {
        return (double) pods * gpuCount * gpuMillis;
    }
}
