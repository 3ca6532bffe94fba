package io.gpusched.internal.fit;

/**
 * Counts the steps of one decision and ends its searches when there are too many. A step is a look at one device, one node
 * or one way; it takes some ten nanoseconds. Steps are counted, not timed, so that decisions are the same everywhere. Not
 * thread-safe.
 */
public final class SearchSteps {
    private long left;
    private boolean reached;
    private boolean hasCompared;

    private SearchSteps(long left) {
        this.left = left;
    }

    /** Returns a counter that allows so many steps. */
    public static SearchSteps of(long steps) {
        return new SearchSteps(steps);
    }

    /** Returns whether these steps may still be taken. */
    public boolean take(long steps) {
        left -= steps;
        reached |= left < 0;
        return left >= 0;
    }

    /**
     * Takes the steps of comparing a member of a group with nodes, if they are no more than half of those left; returns
     * whether it may be compared. The first comparison of a decision takes none, since a single pod's takes none either.
     */
    public boolean takeComparison(long steps) {
        if (!hasCompared) {
            hasCompared = true;
            return true;
        }
        if (steps > left / 2) {
            return false;
        }
        left -= steps;
        return true;
    }

    /** Returns how many steps are left, at least 0. */
    public long left() {
        return Math.max(0, left);
    }

    /** Returns a counter for a part of the search, of no more steps than are left; {@link #spend} settles it. */
    public SearchSteps atMost(long steps) {
        return new SearchSteps(Math.min(steps, left()));
    }

    /** Takes the steps that a part of the search has used of its allowance. */
    public void spend(long allowed, SearchSteps part) {
        left -= allowed - part.left;
    }

    /** Notes that a part of the search has been given up. */
    public void giveUp() {
        reached = true;
    }

    /**
     * Takes back what a first try noted that an exact search follows.
     *
     * @param before whether anything was left out before the try
     */
    public void retract(boolean before) {
        reached = before || left < 0;
    }

    /** Returns whether anything was left out. */
    public boolean isReached() {
        return reached;
    }
}
