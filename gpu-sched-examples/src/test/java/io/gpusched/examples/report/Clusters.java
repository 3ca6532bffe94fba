package io.gpusched.examples.report;

import io.gpusched.examples.simulate.SchedulerPlacer;
import io.gpusched.examples.trace.TracePod;
import io.gpusched.examples.trace.Workload;
import io.gpusched.model.Cluster;
import io.gpusched.model.Placement;
import io.gpusched.policy.Spread;
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
