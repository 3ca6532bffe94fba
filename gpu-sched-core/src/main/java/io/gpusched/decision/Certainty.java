package io.gpusched.decision;

/** How certain a decision is. */
public enum Certainty {
    /** Of a placement: no legal placement scores higher. Of a refusal: no legal placement exists in this snapshot. */
    PROVEN,
    /** Of a placement: it is the best that was found before the search reached its limit of steps. A better one may exist. */
    FOUND,
    /** Of a refusal: the search reached its limit of steps. A legal placement may exist. */
    LIMIT
}
