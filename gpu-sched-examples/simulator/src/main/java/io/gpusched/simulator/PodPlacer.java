package io.gpusched.simulator;

import io.gpusched.model.Cluster;
import io.gpusched.model.Placement;
import io.gpusched.simulator.trace.TracePod;
import java.util.Optional;

/** Decides where one pod after the other goes. A placer belongs to one run; it may remember what it placed. */
@FunctionalInterface
public interface PodPlacer {
    /** Returns where the pod goes in this cluster, or nothing where there is no room; the caller applies it. */
    Optional<Placement> place(Cluster cluster, TracePod pod);
}
