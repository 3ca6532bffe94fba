package io.gpusched.analysis;

/** Whether an analysis looked at all there is to look at. */
public enum Extent {
    /** It did. */
    COMPLETE,
    /** Its budget of steps ended before; the result is what was found by then. */
    BUDGET_ENDED
}
