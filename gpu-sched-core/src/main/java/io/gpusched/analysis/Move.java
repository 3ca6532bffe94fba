package io.gpusched.analysis;

import io.gpusched.check.Checks;
import io.gpusched.model.Cluster;
import io.gpusched.model.ClusterBatch;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import java.util.List;
import java.util.Objects;

/**
 * Pods that leave their places at one time and then start at others: one pod, or the members of a group that move together.
 *
 * @param from their placements, at least one
 * @param to the new placements of the same pods, in the same order
 */
public record Move(List<Placement> from, List<Placement> to) {
    /**
     * Copies the lists.
     *
     * @throws IllegalArgumentException if there are none, or they are not of the same pods
     */
    public Move {
        from = Checks.list("from", from);
        to = Checks.list("to", to);
        if (from.isEmpty() || !pods(from).equals(pods(to))) {
            throw new IllegalArgumentException(
                    "move: must be of the same pods, got " + pods(from) + " and " + pods(to));
        }
    }

    private static List<PodId> pods(List<Placement> placements) {
        return placements.stream().map(Placement::pod).toList();
    }

    /** Returns the pods. */
    public List<PodId> pods() {
        return pods(from);
    }

    /**
     * Returns the cluster with the move made.
     *
     * @throws io.gpusched.model.PlacementConflictException if the pods are not there, or what they would take is not free once they left
     */
    public Cluster applyTo(Cluster cluster) {
        ClusterBatch batch = Objects.requireNonNull(cluster, "cluster").batch();
        pods().forEach(batch::release);
        to.forEach(batch::place);
        return batch.build();
    }

    @Override
    public String toString() {
        return pods() + " from " + nodes(from) + " to " + nodes(to);
    }

    private static List<String> nodes(List<Placement> placements) {
        return placements.stream().map(Placement::node).distinct().toList();
    }
}
