package io.gpusched.analysis;

import io.gpusched.decision.GroupDecision;
import io.gpusched.decision.GroupPlaced;
import io.gpusched.internal.fit.GpuTake;
import io.gpusched.model.Cluster;
import io.gpusched.model.ClusterBatch;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.Pod;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Other places for pods that have left theirs, found for all of them together. Those of one group stay as close as its locality
 * says: near members that stay, else all together.
 */
final class Relocation {
    private static final Comparator<Pod> LARGEST_FIRST = Comparator.comparingLong(Relocation::gpus)
            .thenComparingLong(pod -> pod.resources().cpuMillis())
            .reversed()
            .thenComparing(Pod::id);

    private final Cluster others;
    private final List<Pod> pods;
    private final DrainGroups groups;
    private final GroupDecision decision;

    private Relocation(Cluster others, List<Pod> pods, DrainGroups groups, GroupDecision decision) {
        this.others = others;
        this.pods = pods;
        this.groups = groups;
        this.decision = decision;
    }

    /**
     * Finds places.
     *
     * @param rest the snapshot without the pods
     * @param closed nodes that take none of them
     * @param pods the pods, at least one
     */
    static Relocation of(Cluster rest, Collection<String> closed, List<Pod> pods, GpuScheduler scheduler) {
        Cluster others = closed(rest, closed);
        List<Pod> sorted = pods.stream().sorted(LARGEST_FIRST).toList();
        DrainGroups groups = new DrainGroups(sorted, others);
        return new Relocation(others, sorted, groups, scheduler.schedule(others, groups.all()));
    }

    /** The snapshot in which nodes take no pods, be they such as do not mind a cordon; nor would it help to uncordon them. */
    private static Cluster closed(Cluster rest, Collection<String> names) {
        ClusterBatch batch = rest.batch();
        for (String name : names) {
            NodeState node = rest.node(name).orElseThrow();
            batch.replaceNode(node.node().toBuilder().maxPods(node.podCount()).build());
        }
        return batch.build();
    }

    private static long gpus(Pod pod) {
        return pod.containers().stream()
                .mapToLong(container -> GpuTake.isWhole(container.gpu())
                        ? 1_000L * container.gpu().count()
                        : 1)
                .sum();
    }

    /** Returns the new placements; nothing if not all pods have one. */
    Optional<List<Placement>> placements() {
        return decision instanceof GroupPlaced placed
                ? Optional.of(groups.ofTheirGroups(placed.placements()))
                : Optional.empty();
    }

    /** Returns the pods, the largest first. */
    List<Pod> pods() {
        return pods;
    }

    GroupDecision decision() {
        return decision;
    }

    /** The snapshot in which places were looked for. */
    Cluster others() {
        return others;
    }

    DrainGroups groups() {
        return groups;
    }
}
