package io.gpusched.decision;

import io.gpusched.model.Placement;
import java.util.Optional;

/** What was decided for one pod. */
public sealed interface Decision permits Placed, Unschedulable {
    /** Returns whether the pod was placed. */
    boolean isPlaced();

    /** Returns where the pod goes and what it holds there; nothing if it was refused. */
    Optional<Placement> toPlacement();

    /** Returns how certain the decision is. */
    Certainty certainty();
}
