package io.gpusched.decision;

import io.gpusched.check.Checks;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Enough members were placed to start the group. Nothing is applied yet: {@code cluster.withAll(placements)} applies all
 * placements together.
 *
 * @param placements the members that start, in the order in which they were placed
 * @param waiting the members beyond the minimum that found no room, in the group's order
 * @param certainty {@link Certainty#PROVEN} if each member went where the policy ranks it best beside the members before it, and each
 *     member that waits has no room beside them; it does not say that no other placement of the whole group is better. {@link Certainty#FOUND}
 *     if the search reached its limit of steps, or if members were placed by the exact search, which looks at room alone
 * @param refusals why each of these waits beside the members that start: the reason, whether it can ever fit, the certainty
 * @param warnings what is worth a look: {@link Fact.Unknown} of each key of a member's rule, or level of a preferred locality, that no
 *     node has, and {@link Fact.Elsewhere} of each group whose preferred locality was not kept
 */
public record GroupPlaced(
        List<Placement> placements,
        List<PodId> waiting,
        Certainty certainty,
        Map<PodId, Unschedulable> refusals,
        List<Fact> warnings)
        implements GroupDecision {
    /** A group whose waiting members do not say why. */
    public GroupPlaced(List<Placement> placements, List<PodId> waiting, Certainty certainty) {
        this(placements, waiting, certainty, Map.of(), List.of());
    }

    /**
     * Copies the lists.
     *
     * @throws IllegalArgumentException if the certainty is {@link Certainty#LIMIT}, which only a refusal can have
     */
    public GroupPlaced {
        Placed.requireOfPlacement(certainty);
        placements = Checks.list("placements", placements);
        waiting = Checks.list("waiting", waiting);
        Checks.noNulls("refusals", refusals);
        refusals = Collections.unmodifiableMap(new LinkedHashMap<>(refusals));
        warnings = Checks.list("warnings", warnings);
    }

    @Override
    public boolean isPlaced() {
        return true;
    }

    @Override
    public String toString() {
        return "placed " + placements.size() + " members, " + waiting.size() + " wait"
                + (certainty == Certainty.PROVEN ? "" : " (the best found)");
    }
}
