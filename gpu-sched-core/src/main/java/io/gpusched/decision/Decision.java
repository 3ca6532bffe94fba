package io.gpusched.decision;

/** What was decided for one pod. */
public sealed interface Decision permits Placed, Unschedulable {
    /** Returns whether the pod was placed. */
    boolean isPlaced();
}
