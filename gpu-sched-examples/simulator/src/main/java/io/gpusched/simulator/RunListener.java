package io.gpusched.simulator;

import io.gpusched.model.Placement;
import io.gpusched.simulator.trace.TracePod;
import java.util.Optional;

/** Hears of each decision of a run, on the thread that plays it. */
@FunctionalInterface
public interface RunListener {
    /** Hears nothing. */
    RunListener NONE = (pod, placement) -> {};

    /** Is told where a pod went, or that it was refused. */
    void decided(TracePod pod, Optional<Placement> placement);
}
