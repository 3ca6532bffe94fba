package io.gpusched.decision;

/** How sure a refusal is. */
public enum Certainty {
    /** No legal placement exists in this snapshot. */
    PROVEN,
    /** The search gave up at its limit of steps; a legal placement may exist. */
    LIMIT
}
