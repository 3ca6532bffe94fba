package io.gpusched.queue;

/** How certain a start time is that was reserved. */
public enum StartCertainty {
    /** All jobs that must end before it have an upper bound of their run time: the start may only move earlier. */
    BOUND,
    /** It rests on an expected run time of a job, or on a run time that has been exceeded. */
    ESTIMATE
}
