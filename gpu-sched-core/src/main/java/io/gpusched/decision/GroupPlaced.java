package io.gpusched.decision;

import io.gpusched.internal.check.Checks;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import java.util.List;

/**
 * Enough members were placed to start the group. Nothing is applied yet: {@code cluster.withAll(placements)} applies all
 * placements together.
 *
 * @param placements the members that start, in the order in which they were placed
 * @param waiting the members beyond the minimum that found no room, in the group's order
 */
public record GroupPlaced(List<Placement> placements, List<PodId> waiting) implements GroupDecision {
    /** Copies the lists. */
    public GroupPlaced {
        placements = Checks.list("placements", placements);
        waiting = Checks.list("waiting", waiting);
    }

    @Override
    public boolean isPlaced() {
        return true;
    }

    @Override
    public String toString() {
        return "placed " + placements.size() + " members, " + waiting.size() + " wait";
    }
}
