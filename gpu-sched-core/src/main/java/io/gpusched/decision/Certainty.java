package io.gpusched.decision;

/** How certain a refusal is. */
public enum Certainty {
    /** No legal placement exists in this snapshot. */
    PROVEN,
    /** The search reached its limit of steps; a legal placement may exist. */
    LIMIT
}
