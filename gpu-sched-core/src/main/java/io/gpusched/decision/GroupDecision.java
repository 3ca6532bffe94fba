package io.gpusched.decision;

/** What was decided for a group of pods that must start together. */
public sealed interface GroupDecision permits GroupPlaced, Unschedulable {
    /** Returns whether at least the group's minimum was placed. */
    boolean isPlaced();

    /** Returns how certain the decision is. */
    Certainty certainty();
}
