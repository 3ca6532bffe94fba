package io.gpusched.internal.gang;

/** Counts the steps of an exact search and ends it when there are too many. Not thread-safe. */
public final class StepLimit {
    private long left;
    private boolean reached;

    public StepLimit(long steps) {
        this.left = steps;
    }

    /** Returns whether these steps may still be taken. */
    public boolean take(long steps) {
        left -= steps;
        reached |= left < 0;
        return left >= 0;
    }

    /** Notes that a part of the search has been given up. */
    public void giveUp() {
        reached = true;
    }

    /** Returns whether anything was left out. */
    public boolean isReached() {
        return reached;
    }
}
