package io.gpusched.queue;

/** How certain a start time is that was reserved. */
public enum StartCertainty {
    /** Whoever has to end before has an upper bound of its run time: the start may only move earlier. */
    BOUND,
    /** It rests on an expected run time of somebody, or on one that has been exceeded. */
    ESTIMATE
}
