package io.gpusched.analysis;

import io.gpusched.check.Checks;
import io.gpusched.decision.Certainty;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.policy.BinPack;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.schedule.SearchBudget;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Nodes that can be removed together at no loss: every pod that runs there has another place on the nodes that stay.
 *
 * <p>Example: three nodes of 8 GPUs run pods of 2, 3 and 6 GPUs. The node with the pod of 2 can go, for its pod fits beside
 * that of 6; then the node with 3 cannot, for no remaining node has 3 idle GPUs left.
 *
 * <p>Nodes are tried one after the other: those with the fewest pods first, then those with the fewest GPUs in use, then in
 * node order. First a node joins the set if its pods find places beside what was moved before, which takes microseconds; once all were
 * tried so, one that was refused joins if all pods of the set and of this node can be placed together anew. If the pods of some nodes do
 * not fit elsewhere, those of more nodes do not either; so no further node can be added in the end. Where running pods demand to be near
 * others, away from them or spread, that need not be so: nodes that were refused are then tried again after one has joined. There may be
 * a larger set of other nodes.
 *
 * <p>A budget of steps bounds it. What was found by the time it ends is as good as it is, and {@link #resume} goes on from there.
 *
 * @param nodes the nodes, in the order in which they joined
 * @param moves the new placement of each pod that ran on them. Each fits where those before it have been made; as to rules
 *     between pods, once the pods have been released that are still to be moved
 * @param certainty {@link Certainty#PROVEN} if it is proven that no further candidate that was tried can be added;
 *     {@link Certainty#LIMIT} if a search reached its limit of steps before that, or if nodes can go one after the other only, not
 *     together, because of rules between pods: the last of these are left out
 * @param extent whether all candidates were tried
 * @param untried the candidates that were not tried yet
 * @param refused the nodes that were refused beside what was moved before them, and not tried with all pods placed again
 * @param bound the pods that go with their node and need no other place, such as those of a DaemonSet
 * @param before the cluster
 * @param after the cluster without these nodes, all moves made
 */
public record ScaleDown(
        List<String> nodes,
        List<Placement> moves,
        Certainty certainty,
        Extent extent,
        List<String> untried,
        List<String> refused,
        Set<PodId> bound,
        Cluster before,
        Cluster after) {
    /** Copies the lists. */
    public ScaleDown {
        Objects.requireNonNull(certainty, "certainty");
        Objects.requireNonNull(extent, "extent");
        Objects.requireNonNull(before, "before");
        Objects.requireNonNull(after, "after");
        nodes = Checks.list("nodes", nodes);
        moves = Checks.list("moves", moves);
        untried = Checks.list("untried", untried);
        refused = Checks.list("refused", refused);
        bound = Set.copyOf(Checks.list("bound", bound));
    }

    /** Considers all nodes, and finds places by {@link BinPack}, the tightest for each pod, within 200 million steps. */
    public static ScaleDown of(Cluster cluster) {
        Objects.requireNonNull(cluster, "cluster");
        List<String> all = cluster.nodes().stream().map(NodeState::name).toList();
        return of(
                cluster,
                all,
                GpuScheduler.builder().policy(BinPack.of()).memory(0).build());
    }

    /** As {@link #of(Cluster, Collection, Set, GpuScheduler, SearchBudget)}, of no pods that go with their node. */
    public static ScaleDown of(
            Cluster cluster, Collection<String> candidates, GpuScheduler scheduler, SearchBudget budget) {
        return of(cluster, candidates, Set.of(), scheduler, budget);
    }

    /** As {@link #of(Cluster, Collection, GpuScheduler, SearchBudget)}, within 200 million steps. */
    public static ScaleDown of(Cluster cluster, Collection<String> candidates, GpuScheduler scheduler) {
        return of(cluster, candidates, scheduler, AnalysisSteps.DEFAULT);
    }

    /**
     * Considers some nodes, and finds places by a scheduler. Costs a {@link Drain} for each candidate; for each that fails
     * though there might be room in sum, another of all nodes found before.
     *
     * @param bound pods that go with their node and need no other place, such as those of a DaemonSet; where the node stays they hold
     *     what they hold, and names of other pods say nothing
     * @param budget for all decisions together; each takes 500 steps for a pod besides its search
     * @throws io.gpusched.model.PlacementConflictException if there is no node of one of these names
     */
    public static ScaleDown of(
            Cluster cluster,
            Collection<String> candidates,
            Set<PodId> bound,
            GpuScheduler scheduler,
            SearchBudget budget) {
        Objects.requireNonNull(cluster, "cluster");
        Checks.noNulls("candidates", candidates);
        Objects.requireNonNull(scheduler, "scheduler");
        Objects.requireNonNull(budget, "budget");
        return new RemovalSearch(cluster, Set.copyOf(Checks.list("bound", bound)), scheduler, new AnalysisSteps(budget))
                .find(candidates);
    }

    /** Goes on from here, with more steps; returns this if it is complete. */
    public ScaleDown resume(GpuScheduler scheduler, SearchBudget budget) {
        Objects.requireNonNull(scheduler, "scheduler");
        Objects.requireNonNull(budget, "budget");
        return extent == Extent.COMPLETE
                ? this
                : new RemovalSearch(before, bound, scheduler, new AnalysisSteps(budget)).resume(this);
    }

    @Override
    public String toString() {
        return "remove " + nodes + ": " + moves.size() + " moves"
                + (extent == Extent.COMPLETE ? "" : " (the best found)");
    }
}
