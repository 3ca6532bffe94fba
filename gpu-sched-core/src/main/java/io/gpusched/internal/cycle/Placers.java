package io.gpusched.internal.cycle;

import io.gpusched.decision.Decision;
import io.gpusched.decision.GroupDecision;
import io.gpusched.decision.GroupPlaced;
import io.gpusched.decision.Placed;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.Locality;
import io.gpusched.model.Placement;
import io.gpusched.workload.PodGroup;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who looks for places: one scheduler for each snapshot that goes on through a cycle, so that its index follows in small steps.
 *
 * @param idle for what is idle now
 * @param later for what is free once everything has ended
 * @param timeline for what is free at later times
 * @param probe for snapshots without some who may be evicted
 * @param emptied for the snapshot without all who may be evicted
 */
public record Placers(Placer idle, Placer later, Placer timeline, Placer probe, Placer emptied) {
    /** What was found: the placements, or why there are none. */
    record Answer(List<Placement> placements, @Nullable Unschedulable refusal) {
        /** There are places, but they are not free for long enough. */
        static final Answer NONE = new Answer(List.of(), null);

        boolean isPlaced() {
            return !placements.isEmpty();
        }
    }

    /** Looks for places of all pods of a request. */
    static Answer place(Placer placer, Cluster cluster, Ask ask) {
        PodGroup group = ask.group();
        if (ask.pods().size() == 1 && group.locality().equals(Locality.ANYWHERE)) {
            Decision decision = placer.place(cluster, ask.pods().get(0));
            return decision instanceof Placed placed
                    ? new Answer(List.of(placed.placement()), null)
                    : new Answer(List.of(), (Unschedulable) decision);
        }
        GroupDecision decision = placer.place(cluster, group);
        return decision instanceof GroupPlaced placed
                ? new Answer(placed.placements(), null)
                : new Answer(List.of(), (Unschedulable) decision);
    }

    /** Returns a refusal of what is known to find no room on a snapshot, with its diagnosis if that is asked for. */
    static Unschedulable refuse(Placer placer, Cluster cluster, Ask ask) {
        boolean isPod = ask.pods().size() == 1 && ask.group().locality().equals(Locality.ANYWHERE);
        return isPod ? placer.refuse(cluster, ask.pods().get(0)) : placer.refuse(cluster, ask.group());
    }
}
