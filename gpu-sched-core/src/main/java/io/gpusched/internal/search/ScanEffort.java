package io.gpusched.internal.search;

import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.index.SlotRange;

/** Counts how many nodes of a range were compared one by one, to tell when it pays to rank them instead. Not thread-safe. */
final class ScanEffort {
    /*
     * To rank the nodes of a range takes about as long as to compare all of them once. So they are ranked once as many were
     * compared there: whether many more pods follow or none, both together take about twice as long at most as the better of them.
     * Partitions are another matter: to find the best on a node takes far longer than to see that another one is like it.
     */

    /** So few nodes are compared sooner than a ranking is asked. */
    private static final int QUICKLY_COMPARED = 16;

    /** To compare a node for a partition takes as long as so many nodes take for others. */
    private static final int EFFORT_OF_PARTITIONS = 16;

    /** The range that was searched last. */
    private SlotRange range = SlotRange.EVERYWHERE;

    private long compared;

    /** Returns how many nodes may be compared for a pod before it is better to rank those of its range. */
    long left(Query query) {
        int nodes = query.index().size(query.range());
        if (nodes <= QUICKLY_COMPARED) {
            return Long.MAX_VALUE;
        }
        long left = nodes - (query.range().equals(range) ? compared : 0);
        return Math.max(0, left / effort(query.demand()));
    }

    /** Takes note of this many nodes that were compared for a pod. */
    void add(Query query, long nodes) {
        compared = nodes * effort(query.demand()) + (query.range().equals(range) ? compared : 0);
        range = query.range();
    }

    private static int effort(PodDemand demand) {
        return demand.needsPartitions() ? EFFORT_OF_PARTITIONS : 1;
    }

    /** Begins anew. */
    void forget() {
        range = SlotRange.EVERYWHERE;
        compared = 0;
    }
}
