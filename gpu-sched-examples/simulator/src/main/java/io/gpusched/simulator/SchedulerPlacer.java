package io.gpusched.simulator;

import io.gpusched.decision.Placed;
import io.gpusched.model.Cluster;
import io.gpusched.model.Placement;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.simulator.trace.TracePod;
import java.util.Optional;

/** Places pods as the library's scheduler decides. Not thread-safe, as the scheduler is not. */
public final class SchedulerPlacer implements PodPlacer {
    private final GpuScheduler scheduler;

    /** Creates a placer with this scheduler. */
    public SchedulerPlacer(GpuScheduler scheduler) {
        this.scheduler = scheduler;
    }

    /** Returns a placer with a scheduler of its own. */
    public static SchedulerPlacer of(PlacementPolicy policy) {
        return new SchedulerPlacer(GpuScheduler.of(policy));
    }

    @Override
    public Optional<Placement> place(Cluster cluster, TracePod pod) {
        return scheduler.schedule(cluster, pod.pod()) instanceof Placed placed
                ? Optional.of(placed.placement())
                : Optional.empty();
    }
}
