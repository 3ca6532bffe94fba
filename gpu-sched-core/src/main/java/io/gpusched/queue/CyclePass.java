package io.gpusched.queue;

/** The passes of a scheduling cycle, in the order in which they run: from the least disruptive to the most. */
public enum CyclePass {
    /** Jobs start where they find places, and nominated pods start when their places are free. */
    ALLOCATE,
    /** Start times are reserved for jobs that have to wait, and later jobs start as far as they delay no reserved start. */
    BACKFILL,
    /** Running jobs move so that a pending job finds a place; only if each of them finds another place. */
    CONSOLIDATE,
    /** Jobs of queues above their share are evicted for jobs of queues below theirs. */
    RECLAIM,
    /** Jobs are evicted for jobs of higher priority in the same queue. */
    PREEMPT,
    /** Jobs are evicted that have been running with fewer members than their minimum for too long. */
    STALE
}
