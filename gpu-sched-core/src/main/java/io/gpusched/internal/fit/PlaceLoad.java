package io.gpusched.internal.fit;

import io.gpusched.model.NodeState;
import io.gpusched.model.Resources;
import io.gpusched.model.partition.GpuPartition;
import io.gpusched.model.partition.PartitionTable;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a pod takes of the devices of a node that it cuts into partitions, unit by unit. Of a place it is as many tenants as run
 * there at any one time: init containers share places with containers that start when they have ended.
 */
final class PlaceLoad {
    private static final int PLACE_BITS = 16;
    private static final int PLACE = (1 << PLACE_BITS) - 1;

    private final LayoutProblem problem;
    private final LayoutPlan plan;
    private final LayoutMarks marks;

    /** By GPU: what others hold, as a word of its table. */
    private final long[] held;

    /** By GPU: what the pod takes. */
    private final long[] taken;

    /** By GPU: where its places begin, one more at the end. Places of all GPUs are counted through. */
    private final int[] firstPlace;

    /** By place: how many tenants the pod is there, at most at one time. */
    private final int[] tenants;

    /** By group of init containers and place: how many tenants the sidecars are that the group finds running. */
    private final int[][] beside;

    /** By unit: its GPU and place, and whether the pod is one tenant more there because of it. */
    private final int[] choice;

    private final boolean[] grown;

    PlaceLoad(LayoutProblem problem, LayoutMarks marks) {
        this.problem = problem;
        this.plan = problem.plan;
        this.marks = marks;
        held = new long[problem.gpus];
        taken = new long[problem.gpus];
        firstPlace = new int[problem.gpus + 1];
        choice = new int[plan.units()];
        grown = new boolean[plan.units()];
        for (int g = 0; g < problem.gpus; g++) {
            PartitionTable table = problem.tables[g];
            held[g] = PartitionFit.word(problem.node, g);
            firstPlace[g + 1] = firstPlace[g] + (table == null ? 0 : table.places());
        }
        tenants = new int[firstPlace[problem.gpus]];
        beside = new int[plan.hasInitPartitions() ? plan.groups : 0][tenants.length];
    }

    /** What it takes to make one, in steps. */
    long steps() {
        return 8L * problem.gpus + (long) tenants.length * (1 + beside.length) / 8;
    }

    static int code(int gpu, int place) {
        return gpu << PLACE_BITS | place;
    }

    static int gpu(int code) {
        return code >>> PLACE_BITS;
    }

    static int place(int code) {
        return code & PLACE;
    }

    /** The word of what is held of a GPU, by others and by the pod. */
    long held(int gpu) {
        return held[gpu] + taken[gpu];
    }

    /** The word of what the pod takes of a GPU. */
    long taken(int gpu) {
        return taken[gpu];
    }

    /** The node with these partitions, and so much CPU and memory. */
    NodeState assumed(Resources held) {
        return problem.node.assumingPartitions(held, taken);
    }

    /** Whether the pod is one tenant more of a place, at some time, if a unit gets it. */
    boolean grows(int unit, int gpu, int place) {
        int depth = plan.depth[unit];
        if (!plan.init[depth]) {
            return true;
        }
        int at = firstPlace[gpu] + place;
        int together = plan.group[depth] < beside.length ? beside[plan.group[depth]][at] : 0;
        for (int u = plan.firstUnit[depth]; u < unit; u++) {
            together += choice[u] == code(gpu, place) ? 1 : 0;
        }
        return together >= tenants[at];
    }

    void place(int unit, int code) {
        grown[unit] = grows(unit, gpu(code), place(code));
        choice[unit] = code;
        count(unit, 1);
    }

    void undo(int unit) {
        count(unit, -1);
    }

    /** Counts a unit in its place, or out of it. */
    private void count(int unit, int times) {
        int gpu = gpu(choice[unit]);
        int place = place(choice[unit]);
        int at = firstPlace[gpu] + place;
        int depth = plan.depth[unit];
        if (grown[unit]) {
            tenants[at] += times > 0 ? 1 : 0;
            taken[gpu] += times * table(gpu).word(place);
            note(gpu, (long) tenants[at] << 32 | place, times);
            tenants[at] -= times < 0 ? 1 : 0;
        }
        if (!plan.init[depth]) {
            for (int group = plan.group[depth]; group < beside.length; group++) {
                beside[group][at] += times;
            }
            if (plan.group[depth] < beside.length) {
                note(gpu, -1L - ((long) plan.group[depth] << 32 | place), times);
            }
        }
    }

    /** Only init containers look at more than what is taken in all. */
    private void note(int gpu, long what, int times) {
        if (beside.length > 0) {
            marks.note(gpu, what, times);
        }
    }

    /** Tells apart what an init container has of a GPU so far, where this is not its first unit. */
    long own(int unit, int gpu, long seed) {
        int depth = plan.depth[unit];
        long sum = 0;
        for (int u = plan.init[depth] ? plan.firstUnit[depth] : unit; u < unit; u++) {
            sum += gpu(choice[u]) == gpu ? StateSet.mix(seed - place(choice[u])) : 0;
        }
        return sum;
    }

    /** What a GPU that a unit may have may be cut into. */
    PartitionTable table(int gpu) {
        return Objects.requireNonNull(problem.tables[gpu], "table");
    }

    /** The mode that the node is in, or comes to be in, because of partitions; nothing for any. */
    String nodeMode() {
        for (int g = 0; g < problem.gpus; g++) {
            @Nullable PartitionTable table = problem.tables[g];
            String mode = table == null ? "" : table.nodeMode(held(g));
            if (!mode.isEmpty()) {
                return mode;
            }
        }
        return "";
    }

    /** What the devices that the pod takes from are worth less than before, as a number to be as high as possible. */
    long worth(SearchSteps steps) {
        long sum = 0;
        for (int g = 0; g < problem.gpus; g++) {
            if (taken[g] != 0) {
                steps.take(2L * table(g).stepsToLook());
                sum += table(g).worth().of(held(g)) - table(g).worth().of(held[g]);
            }
        }
        return sum;
    }

    GpuPartition partition(int code) {
        PartitionTable table = table(gpu(code));
        int place = place(code);
        return new GpuPartition(
                gpu(code),
                table.profile(place).name(),
                table.start(place),
                table.profile(place).mode());
    }
}
