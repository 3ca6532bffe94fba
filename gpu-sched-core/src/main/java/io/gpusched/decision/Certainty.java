package io.gpusched.decision;

/** How sure a decision is. */
public enum Certainty {
    /** Of a placement: no legal placement scores higher. Of a refusal: no legal placement exists in this snapshot. */
    PROVEN,
    /** Of a placement: the best one that was found before the search reached its limit of steps; a better one may exist. */
    FOUND,
    /** Of a refusal: the search reached its limit of steps; a legal placement may exist. */
    LIMIT
}
