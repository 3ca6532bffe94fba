package io.gpusched.simulator.report;

import io.gpusched.model.Cluster;
import io.gpusched.model.Placement;
import io.gpusched.policy.Spread;
import io.gpusched.simulator.SchedulerPlacer;
import io.gpusched.simulator.trace.TracePod;
import io.gpusched.simulator.trace.Workload;
import java.util.List;
import java.util.Optional;

/** Clusters on which pods run. */
final class Clusters {
    private Clusters() {}

    /** Returns the workload's cluster with those of these pods that fit, spread out. */
    static Cluster filled(Workload workload, List<TracePod> pods) {
        SchedulerPlacer placer = SchedulerPlacer.of(Spread.of());
        Cluster cluster = Cluster.of(workload.nodes());
        for (TracePod pod : pods) {
            Optional<Placement> placement = placer.place(cluster, pod);
            cluster = placement.isPresent() ? cluster.with(placement.get()) : cluster;
        }
        return cluster;
    }
}
