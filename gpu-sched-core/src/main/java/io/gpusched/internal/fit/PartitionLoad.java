package io.gpusched.internal.fit;

import io.gpusched.internal.access.NodeAccess;
import io.gpusched.internal.partition.PartitionTable;
import io.gpusched.internal.usage.Holdings;
import io.gpusched.model.NodeState;
import io.gpusched.model.partition.GpuPartition;
import io.gpusched.workload.GpuCloseness.Bond;
import io.gpusched.workload.GpuRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a pod takes of the devices of a node while its partitions are being placed, unit by unit. */
final class PartitionLoad {
    private static final int PLACE_BITS = 16;
    private static final int PLACE = (1 << PLACE_BITS) - 1;

    private final PartitionPlan plan;
    private final NodeState node;
    private final int gpus;
    private final @Nullable PartitionTable[] tables;

    /** By GPU: what is held there, by others and then by the pod as well. */
    private final long[] held;

    private final long[] taken;

    /** By GPU: the lowest that no container can tell from it. */
    private final int[] kind;

    /** By unit: the GPU and place that it has, and whether the pod had to take it. */
    private final int[] choice;

    private final boolean[] grown;

    /** How many units are placed. */
    private int placed;

    PartitionLoad(PartitionPlan plan, NodeState node) {
        this.plan = plan;
        this.node = node;
        this.gpus = node.gpuCount();
        tables = new PartitionTable[gpus];
        held = new long[gpus];
        taken = new long[gpus];
        kind = new int[gpus];
        choice = new int[plan.units()];
        grown = new boolean[plan.units()];
        for (int g = 0; g < gpus; g++) {
            tables[g] = NodeAccess.partitions(node.nodeClass(), g);
            held[g] = PartitionFit.word(node, g);
            kind[g] = kind(g);
        }
    }

    private int kind(int gpu) {
        for (int lower = 0; lower < gpu; lower++) {
            if (kind[lower] == lower && node.isInterchangeable(lower, gpu) && areAcceptedAlike(lower, gpu)) {
                return lower;
            }
        }
        return gpu;
    }

    private boolean areAcceptedAlike(int one, int other) {
        for (GpuRequest.Partition request : plan.requests) {
            if (NodeFit.accepts(request.selector(), node, one) != NodeFit.accepts(request.selector(), node, other)) {
                return false;
            }
        }
        return true;
    }

    private static int gpu(int candidate) {
        return candidate >>> PLACE_BITS;
    }

    private static int place(int candidate) {
        return candidate & PLACE;
    }

    /** The GPUs and places that a unit may have, the best first: on cut devices before idle ones, then by what is left. */
    int[] candidates(int unit, SearchSteps steps) {
        GpuRequest.Partition request = plan.request(unit);
        List<long[]> found = new ArrayList<>();
        String mode = nodeMode();
        for (int g = 0; g < gpus; g++) {
            PartitionTable table = hasEquivalentBefore(g) ? null : PartitionFit.open(request, node, g);
            int name = table == null ? -1 : table.name(request.profile());
            if (table == null || name < 0 || isOneNumaNode(request) && !isNear(unit, g)) {
                continue;
            }
            for (int place : table.placesOf(name)) {
                steps.take(1);
                boolean free = !grows(unit, g, place) || table.fits(held[g] + taken[g], place);
                String asked = table.profile(place).nodeMode();
                if (free && (mode.isEmpty() || asked.isEmpty() || asked.equals(mode))) {
                    found.add(new long[] {cost(unit, g, place, table), g << PLACE_BITS | place});
                }
            }
        }
        found.sort(
                (one, other) -> one[0] != other[0] ? Long.compare(one[0], other[0]) : Long.compare(one[1], other[1]));
        return found.stream().mapToInt(candidate -> (int) candidate[1]).toArray();
    }

    private long cost(int unit, int gpu, int place, PartitionTable table) {
        if (!grows(unit, gpu, place)) {
            return -1;
        }
        long before = held[gpu] + taken[gpu];
        boolean breaks = taken[gpu] == 0 && node.isIdle(gpu);
        return (breaks ? 1L << 40 : 0)
                + table.worth().of(before)
                - table.worth().of(before + table.word(place));
    }

    private boolean hasEquivalentBefore(int gpu) {
        for (int lower = kind[gpu]; lower < gpu; lower++) {
            if (kind[lower] == kind[gpu] && taken[lower] == taken[gpu] && isTakenAlike(lower)) {
                return true;
            }
        }
        return false;
    }

    /** Whether all GPUs of its kind of which an equal set is taken are taken alike; only init containers can make a difference. */
    private boolean isTakenAlike(int gpu) {
        return taken[gpu] == 0 || !plan.isInit(plan.units() - 1);
    }

    /** Partitions have no links of their own: only the NUMA node of their devices can be asked for. */
    private static boolean isOneNumaNode(GpuRequest.Partition request) {
        return request.selector().closeness().required() == Bond.NUMA_NODE;
    }

    private boolean isNear(int unit, int gpu) {
        for (int u = 0; u < placed; u++) {
            if (plan.container[u] == plan.container[unit]) {
                var devices = node.nodeClass().gpus();
                return devices.get(gpu(choice[u])).numaNode()
                        == devices.get(gpu).numaNode();
            }
        }
        return true;
    }

    /** Whether the pod holds more tenants of a place than it does already if a unit gets it. */
    private boolean grows(int unit, int gpu, int place) {
        int had = 0;
        for (int u = 0; u < placed; u++) {
            had = choice[u] == (gpu << PLACE_BITS | place) ? had + (grown[u] ? 1 : 0) : had;
        }
        return had == 0 || beside(unit, gpu << PLACE_BITS | place) >= had;
    }

    /** How many tenants of a place run together with a unit. */
    private int beside(int unit, int candidate) {
        int count = 0;
        for (int u = 0; u < placed; u++) {
            boolean together = plan.isInit(unit)
                    ? plan.container[u] == plan.container[unit] || plan.isSidecarBefore(u, unit)
                    : !plan.isInit(u);
            count += choice[u] == candidate && together ? 1 : 0;
        }
        return count;
    }

    void take(int unit, int candidate) {
        int gpu = gpu(candidate);
        grown[unit] = grows(unit, gpu, place(candidate));
        PartitionTable table = tables[gpu];
        taken[gpu] += grown[unit] && table != null ? table.word(place(candidate)) : 0;
        choice[unit] = candidate;
        placed = unit + 1;
    }

    void undo(int unit) {
        int gpu = gpu(choice[unit]);
        PartitionTable table = tables[gpu];
        taken[gpu] -= grown[unit] && table != null ? table.word(place(choice[unit])) : 0;
        placed = unit;
    }

    /** The mode that the node is in, or comes to be in, because of partitions; nothing for any. */
    private String nodeMode() {
        for (int g = 0; g < gpus; g++) {
            PartitionTable table = tables[g];
            String mode = table == null ? "" : table.nodeMode(held[g] + taken[g]);
            if (!mode.isEmpty()) {
                return mode;
            }
        }
        return "";
    }

    /** What the pod takes of the GPUs. */
    Holdings holdings() {
        long cut = 0;
        for (int g = 0; g < gpus; g++) {
            cut |= taken[g] != 0 ? 1L << g : 0;
        }
        return Long.bitCount(cut) == 1
                ? Holdings.ofPartitions(cut, taken[Long.numberOfTrailingZeros(cut)])
                : Holdings.of(0, cut, taken.clone());
    }

    /** What the devices that the pod takes from are worth less than before, as a number to be as high as possible. */
    long worth() {
        long sum = 0;
        for (int g = 0; g < gpus; g++) {
            PartitionTable table = tables[g];
            if (taken[g] != 0 && table != null) {
                sum += table.worth().of(held[g] + taken[g]) - table.worth().of(held[g]);
            }
        }
        return sum;
    }

    /** The partitions of each container that asks for any, in the pod's order. */
    List<List<GpuPartition>> partitions() {
        List<List<GpuPartition>> all = new ArrayList<>();
        plan.containers.forEach(container -> all.add(new ArrayList<>()));
        for (int unit = 0; unit < placed; unit++) {
            int gpu = gpu(choice[unit]);
            PartitionTable table = tables[gpu];
            if (table != null) {
                int place = place(choice[unit]);
                all.get(plan.container[unit])
                        .add(new GpuPartition(
                                gpu,
                                table.profile(place).name(),
                                table.start(place),
                                table.profile(place).mode()));
            }
        }
        all.forEach(Collections::sort);
        return all;
    }

    /** A hash of what is taken, the same for states that differ only in which GPU of a kind takes what. */
    long hash(int unit, long seed) {
        if (plan.isInit(plan.units() - 1)) {
            int[] now = Arrays.copyOf(choice, placed);
            return mix(seed
                    ^ mix(Arrays.hashCode(now) * 0x9E3779B97F4A7C15L + (seed << 32) + now.length)
                    ^ mix(Arrays.hashCode(grown) + seed));
        }
        long sum = seed * 0x5DEECE66DL * (unit + 1);
        for (int g = 0; g < gpus; g++) {
            sum += taken[g] == 0 ? 0 : mix(mix(seed ^ kind[g]) ^ taken[g]);
        }
        return sum;
    }

    /** The finaliser of SplitMix64. */
    private static long mix(long value) {
        long z = (value ^ value >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return z ^ z >>> 31;
    }
}
