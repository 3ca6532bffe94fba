package io.gpusched.schedule;

/** Counts the steps of an exact search and ends it when there are too many. Not thread-safe. */
final class StepLimit {
    private long left;
    private boolean reached;

    StepLimit(long steps) {
        this.left = steps;
    }

    /** Returns whether these steps may still be taken. */
    boolean take(long steps) {
        left -= steps;
        reached |= left < 0;
        return left >= 0;
    }

    /** Notes that a part of the search has been given up. */
    void giveUp() {
        reached = true;
    }

    /** Returns whether anything was left out. */
    boolean isReached() {
        return reached;
    }
}
