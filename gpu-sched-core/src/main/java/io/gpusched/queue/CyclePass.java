package io.gpusched.queue;

/** The passes of a scheduling cycle, in the order in which they run: from the least disruptive to the most. */
public enum CyclePass {
    /** Jobs start where there is room, and what was nominated starts when its room is free. */
    ALLOCATE,
    /** Start times are reserved for those that have to wait, and others start as far as they delay none of these. */
    BACKFILL,
    /** Running jobs move, so that a pending one finds room; only where each of them lands. */
    CONSOLIDATE,
    /** Jobs of queues that have more than their share leave for those of queues that have less. */
    RECLAIM,
    /** Jobs leave for those of higher priority in the same queue. */
    PREEMPT,
    /** Jobs leave that have been running with fewer members than their minimum for too long. */
    STALE
}
