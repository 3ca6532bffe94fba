package io.gpusched.queue;

/** How members of a job that run may be evicted to make room for others. */
public enum Eviction {
    /** Not at all. Such a job must stay within what its queue deserves. */
    NEVER,
    /** Members beyond the minimum, one by one; the minimum is safe. Must stay within what its queue deserves with its minimum. */
    EXTRAS,
    /** Members beyond the minimum one by one, then those of the minimum together. */
    GANG,
    /** Each member for itself, also where that leaves fewer than the minimum. */
    SINGLE,
    /** All members together or none. */
    ALL;

    /** Returns whether the minimum of the job may be evicted, so that it may use what its queue does not deserve. */
    public boolean isPreemptible() {
        return this != NEVER && this != EXTRAS;
    }
}
