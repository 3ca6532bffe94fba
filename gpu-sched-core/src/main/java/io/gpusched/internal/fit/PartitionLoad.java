package io.gpusched.internal.fit;

import io.gpusched.model.NodeState;
import io.gpusched.model.partition.GpuPartition;
import io.gpusched.model.partition.PartitionTable;
import io.gpusched.workload.GpuRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a pod takes of the devices of a node while its partitions are being placed, unit by unit. */
final class PartitionLoad {
    private static final int PLACE_BITS = 16;
    private static final int PLACE = (1 << PLACE_BITS) - 1;

    private final PartitionPlan plan;
    private final NodeState node;

    /** What others ask, whose selectors make GPUs differ beside those of the pod itself. */
    private final List<GpuRequest> distinguishing;

    private final int gpus;
    private final @Nullable PartitionTable[] tables;

    /** By GPU: what is held there, by others and then by the pod as well. */
    private final long[] held;

    private final long[] taken;

    /** By GPU: the lowest that no request can tell from it. */
    private final int[] kind;

    /** By GPU: where its places begin, one more at the end. Places of all GPUs are counted through. */
    private final int[] firstPlace;

    /** By place: how many tenants the pod is there, at most at one time. */
    private final int[] tenants;

    /** By group of init containers and place: how many tenants the sidecars are that the group finds running. */
    private final int[][] beside;

    /** By GPU: tells apart what init containers may yet find on it. */
    private final long[] mark;

    private final long[] otherMark;

    /** By unit: the GPU and place that it has, and whether the pod is one tenant more there because of it. */
    private final int[] choice;

    private final boolean[] grown;

    /** How many units are placed. */
    private int placed;

    /**
     * @param distinguishing what others ask who have to find room as well; GPUs that these can tell apart are not alike
     */
    PartitionLoad(PartitionPlan plan, NodeState node, List<GpuRequest> distinguishing) {
        this.plan = plan;
        this.node = node;
        this.distinguishing = distinguishing;
        this.gpus = node.gpuCount();
        tables = new PartitionTable[gpus];
        held = new long[gpus];
        taken = new long[gpus];
        kind = new int[gpus];
        choice = new int[plan.units()];
        grown = new boolean[plan.units()];
        firstPlace = new int[gpus + 1];
        mark = new long[gpus];
        otherMark = new long[gpus];
        for (int g = 0; g < gpus; g++) {
            PartitionTable table = node.nodeClass().partitions(g);
            tables[g] = table;
            held[g] = PartitionFit.word(node, g);
            kind[g] = findKind(g);
            firstPlace[g + 1] = firstPlace[g] + (table == null ? 0 : table.places());
        }
        tenants = new int[firstPlace[gpus]];
        beside = new int[plan.hasInit() ? plan.groups : 0][tenants.length];
    }

    /** What it takes to make one, in steps. */
    long steps() {
        return (8L + distinguishing.size() / 4) * gpus
                + gpus * gpus / 4
                + (long) tenants.length * (1 + beside.length) / 8;
    }

    private int findKind(int gpu) {
        for (int lower = 0; lower < gpu; lower++) {
            if (kind[lower] == lower && node.isInterchangeable(lower, gpu) && areAcceptedAlike(lower, gpu)) {
                return lower;
            }
        }
        return gpu;
    }

    private boolean areAcceptedAlike(int one, int other) {
        return areAcceptedAlike(plan.distinguishing, one, other) && areAcceptedAlike(distinguishing, one, other);
    }

    private boolean areAcceptedAlike(List<GpuRequest> requests, int one, int other) {
        for (GpuRequest request : requests) {
            if (NodeFit.accepts(request.selector(), node, one) != NodeFit.accepts(request.selector(), node, other)) {
                return false;
            }
        }
        return true;
    }

    private static int gpu(int candidate) {
        return candidate >>> PLACE_BITS;
    }

    static int candidate(int gpu, int place) {
        return gpu << PLACE_BITS | place;
    }

    private static int place(int candidate) {
        return candidate & PLACE;
    }

    /** The partitions that a GPU may be cut into, or null. */
    @Nullable
    PartitionTable table(int gpu) {
        return tables[gpu];
    }

    /** The word of what is held of a GPU, by others and by the pod. */
    long held(int gpu) {
        return held[gpu] + taken[gpu];
    }

    /** Whether the pod takes anything of a GPU. */
    boolean takesFrom(int gpu) {
        return taken[gpu] != 0;
    }

    /** How many GPUs may hold something else than partitions: healthy, not held whole, not cut by others or by the pod. */
    int uncut(SearchSteps steps) {
        steps.take(1 + gpus / 8);
        long open = node.healthyMask() & ~node.cutMask();
        int count = 0;
        for (long rest = open; rest != 0; rest &= rest - 1) {
            int gpu = Long.numberOfTrailingZeros(rest);
            count += taken[gpu] == 0 && !node.isWhole(gpu) ? 1 : 0;
        }
        return count;
    }

    /** The lowest GPU that no request can tell from this one. */
    int kind(int gpu) {
        return kind[gpu];
    }

    /** Whether two GPUs of a kind serve a unit alike. */
    boolean isAlike(int unit, int one, int other) {
        return kind[one] == kind[other]
                && taken[one] == taken[other]
                && mark[one] == mark[other]
                && otherMark[one] == otherMark[other]
                && !(plan.isInit(unit) && (has(unit, one) || has(unit, other)));
    }

    /** Whether a unit's container has a partition of this GPU so far. */
    private boolean has(int unit, int gpu) {
        for (int u = plan.first[unit]; u < placed; u++) {
            if (gpu(choice[u]) == gpu) {
                return true;
            }
        }
        return false;
    }

    /** The GPU of the first unit of a unit's container; -1 if it has none yet. */
    int firstGpu(int unit) {
        int first = plan.first[unit];
        return first == unit ? -1 : gpu(choice[first]);
    }

    /** Whether the pod is one tenant more of a place, at some time, if a unit gets it. */
    boolean grows(int unit, int gpu, int place, SearchSteps steps) {
        if (!plan.isInit(unit)) {
            return true;
        }
        int at = firstPlace[gpu] + place;
        int together = plan.group(unit) < beside.length ? beside[plan.group(unit)][at] : 0;
        for (int u = plan.first[unit]; u < placed; u++) {
            together += choice[u] == candidate(gpu, place) ? 1 : 0;
        }
        steps.take(1 + (placed - plan.first[unit]) / 8);
        return together >= tenants[at];
    }

    void take(int unit, int candidate, SearchSteps steps) {
        int gpu = gpu(candidate);
        grown[unit] = grows(unit, gpu, place(candidate), steps);
        choice[unit] = candidate;
        placed = unit + 1;
        count(unit, gpu, 1);
    }

    void undo(int unit) {
        placed = unit;
        count(unit, gpu(choice[unit]), -1);
    }

    /** Counts a unit in its place, or out of it. */
    private void count(int unit, int gpu, int times) {
        int place = place(choice[unit]);
        int at = firstPlace[gpu] + place;
        PartitionTable table = tables[gpu];
        if (grown[unit]) {
            tenants[at] += times > 0 ? 1 : 0;
            taken[gpu] += table == null ? 0 : times * table.word(place);
            note(gpu, (long) tenants[at] << 32 | place, times);
            tenants[at] -= times < 0 ? 1 : 0;
        }
        if (!plan.isInit(unit)) {
            for (int group = plan.group(unit); group < beside.length; group++) {
                beside[group][at] += times;
            }
            if (plan.group(unit) < beside.length) {
                note(gpu, -1L - ((long) plan.group(unit) << 32 | place), times);
            }
        }
    }

    /** Only init containers look at more than what is taken in all. */
    private void note(int gpu, long what, int times) {
        if (beside.length > 0) {
            mark[gpu] += times * StateSet.mix(StateSet.SEED + what);
            otherMark[gpu] += times * StateSet.mix(StateSet.OTHER_SEED + what);
        }
    }

    /** By GPU: the word of what the pod takes; to be read only. */
    long[] taken() {
        return taken;
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

    /** What it takes to work out {@link #worth}, in steps, beside the look at each GPU. */
    long stepsForWorth() {
        long sum = 0;
        for (int g = 0; g < gpus; g++) {
            PartitionTable table = tables[g];
            sum += taken[g] != 0 && table != null ? 2L * table.stepsToLook() : 0;
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

    /**
     * A hash of what is taken before a unit, the same for states that differ only in which GPU of a kind takes what. With
     * {@link #otherHash} it makes 128 bits.
     */
    long hash(int unit) {
        return hash(unit, StateSet.SEED, mark);
    }

    /** The other half of the hash. */
    long otherHash(int unit) {
        return hash(unit, StateSet.OTHER_SEED, otherMark);
    }

    private long hash(int unit, long seed, long[] marks) {
        long sum = seed * (unit + 1) + nearness(unit, seed);
        for (int g = 0; g < gpus; g++) {
            if (taken[g] != 0) {
                sum += StateSet.mix(StateSet.mix(seed ^ kind[g] ^ marks[g]) ^ taken[g] ^ mine(unit, g, seed));
            }
        }
        return sum;
    }

    /** Which NUMA node a unit is bound to by those of its container before it. */
    private long nearness(int unit, long seed) {
        int first = firstGpu(unit);
        return first < 0 || !PartitionOffer.isOneNumaNode(plan.request(unit))
                ? 0
                : StateSet.mix(seed + node.nodeClass().gpus().get(first).numaNode());
    }

    /** What an init container, of which this is not the first unit, has of a GPU so far. */
    private long mine(int unit, int gpu, long seed) {
        long sum = 0;
        if (plan.isInit(unit)) {
            for (int u = plan.first[unit]; u < unit; u++) {
                sum += gpu(choice[u]) == gpu ? StateSet.mix(seed - place(choice[u])) : 0;
            }
        }
        return sum;
    }
}
