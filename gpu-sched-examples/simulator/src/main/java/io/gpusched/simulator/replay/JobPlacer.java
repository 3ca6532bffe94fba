package io.gpusched.simulator.replay;

import io.gpusched.decision.GroupPlaced;
import io.gpusched.decision.Placed;
import io.gpusched.model.Cluster;
import io.gpusched.model.Placement;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.simulator.trace.TraceJob;
import java.util.List;
import java.util.Optional;

/** Decides where the members of a job go: all of them, or none. Not thread-safe. */
final class JobPlacer {
    private final GpuScheduler scheduler;

    private final String gangsWithin;

    JobPlacer(PlacementPolicy policy, String gangsWithin) {
        this.gangsWithin = gangsWithin;
        scheduler = GpuScheduler.of(policy);
    }

    /** Returns where the members go, in the first form of the job in which all can start now; nothing where there is none. */
    Optional<List<Placement>> place(Cluster cluster, TraceJob job) {
        for (TraceJob form : job.forms()) {
            Optional<List<Placement>> placements = placeForm(cluster, form);
            if (placements.isPresent()) {
                return placements;
            }
        }
        return Optional.empty();
    }

    private Optional<List<Placement>> placeForm(Cluster cluster, TraceJob job) {
        if (job.isGang()) {
            return scheduler.schedule(cluster, job.group(gangsWithin)) instanceof GroupPlaced placed
                    ? Optional.of(placed.placements())
                    : Optional.empty();
        }
        return scheduler.schedule(cluster, job.members().get(0).pod()) instanceof Placed placed
                ? Optional.of(List.of(placed.placement()))
                : Optional.empty();
    }
}
