package io.gpusched.analysis;

import io.gpusched.check.Checks;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.schedule.SearchBudget;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;

/**
 * How to empty a GPU, or a node, before it is repaired, so that as few pods as possible have to move and none stops that need not.
 *
 * <p>Example: n1 runs a pod on GPU 0 and one on GPU 1, and GPU 2 idles. {@code Repair.plan(cluster, "n1", 0, MoveLimits.NONE)} has one
 * move, of the first pod to GPU 2.
 *
 * <p>Only pods that hold something of it leave. They are placed together, on healthy GPUs of the same node too where one GPU is
 * repaired. If not all find a place, members of groups may take the rest of their group with them, so that it is close together elsewhere;
 * then the pods are placed one after the other, the largest first, and other pods move to make room where that helps. A group that has
 * no place stops as a whole.
 *
 * @param node the node
 * @param gpu the GPU; empty for the whole node
 * @param moves the moves, in an order in which each can be made once those before it have been made
 * @param obstacles pods that have no other place, and would have to stop
 * @param kept pods that must not move, by the limits
 * @param after the cluster with the GPU unhealthy, or the node cordoned, and all moves made
 * @param extent whether the search came to its end
 */
public record Repair(
        String node,
        OptionalInt gpu,
        List<Move> moves,
        List<Drain.Obstacle> obstacles,
        List<PodId> kept,
        Cluster after,
        Extent extent) {
    /** Copies the lists. */
    public Repair {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(gpu, "gpu");
        Objects.requireNonNull(after, "after");
        Objects.requireNonNull(extent, "extent");
        moves = Checks.list("moves", moves);
        obstacles = Checks.list("obstacles", obstacles);
        kept = Checks.list("kept", kept);
    }

    /**
     * Plans how to empty a GPU, within 200 million steps.
     *
     * @throws io.gpusched.model.PlacementConflictException if there is no such node
     * @throws IllegalArgumentException if there is no such GPU
     */
    public static Repair plan(Cluster cluster, String node, int gpu, MoveLimits limits) {
        return plan(cluster, node, OptionalInt.of(gpu), limits, AnalysisSteps.DEFAULT);
    }

    /**
     * Plans how to empty a node, within 200 million steps.
     *
     * @throws io.gpusched.model.PlacementConflictException if there is no such node
     */
    public static Repair plan(Cluster cluster, String node, MoveLimits limits) {
        return plan(cluster, node, OptionalInt.empty(), limits, AnalysisSteps.DEFAULT);
    }

    /**
     * Plans how to empty a GPU or a node. Costs what scheduling the pods as a group costs; where not all have a place, also what
     * scheduling each alone costs, and for one that has none a {@link Defragmenter} for a pod of its kind.
     *
     * @param gpu the GPU; empty for the whole node
     * @param limits what may move
     * @param budget for all decisions; each takes 500 steps for a pod besides its search
     * @throws io.gpusched.model.PlacementConflictException if there is no such node
     * @throws IllegalArgumentException if there is no such GPU
     */
    public static Repair plan(Cluster cluster, String node, OptionalInt gpu, MoveLimits limits, SearchBudget budget) {
        Objects.requireNonNull(cluster, "cluster");
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(gpu, "gpu");
        Objects.requireNonNull(limits, "limits");
        AnalysisSteps steps = new AnalysisSteps(Objects.requireNonNull(budget, "budget"));
        NodeState state = cluster.requireNode(node);
        gpu.ifPresent(
                index -> Checks.inRange("repair of node \"" + node + "\"", "gpu", index, 0, state.gpuCount() - 1));
        Cluster broken =
                gpu.isPresent() ? cluster.withGpuHealth(node, gpu.getAsInt(), false) : cluster.withCordoned(node, true);
        List<Placement> affected = state.placements().stream()
                .filter(held -> gpu.isEmpty() || held.gpus().contains(gpu.getAsInt()))
                .sorted(Comparator.comparing(Placement::pod))
                .toList();
        RepairSearch search = new RepairSearch(broken, gpu.isPresent() ? List.of() : List.of(node), limits, steps);
        return search.empty(node, gpu, affected);
    }

    /** Returns whether all pods have another place and may move. */
    public boolean isPossible() {
        return obstacles.isEmpty() && kept.isEmpty();
    }

    /** Returns how many pods move. */
    public int pods() {
        return moves.stream().mapToInt(move -> move.pods().size()).sum();
    }

    @Override
    public String toString() {
        String what = gpu.isPresent() ? "gpu " + gpu.getAsInt() + " of " + node : node;
        return "empty " + what + ": " + pods() + (pods() == 1 ? " pod" : " pods") + " moved"
                + (obstacles.isEmpty() ? "" : ", " + obstacles)
                + (kept.isEmpty() ? "" : ", " + kept + " must stay");
    }
}
