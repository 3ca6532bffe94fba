package io.gpusched.queue;

import io.gpusched.model.Placement;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What a pass proposes: the session as it would be, and the changes that lead there. It is taken or dropped as a whole.
 *
 * @param pass the pass that proposes it
 * @param job the job that it serves, or that leaves for no one
 * @param atLeast at least what the job gets
 * @param after the session as it would be
 * @param changes what happens to pods, in order
 * @param isDecidedNow whether the scheduler found the places of the request on the very snapshot of what runs and terminates
 * @param isDecidedLater whether it found them on the very snapshot of what runs and is nominated
 */
@SuppressWarnings("ArrayRecordComponent") // amounts are never compared
record Statement(
        CyclePass pass,
        int job,
        long[] atLeast,
        Session after,
        List<Change> changes,
        boolean isDecidedNow,
        boolean isDecidedLater) {
    /** What happens to a pod. */
    enum Kind {
        START,
        NOMINATE,
        EVICT,
        WITHDRAW
    }

    /** A pod of a job starts, is nominated, leaves, or loses the place that was held for it. */
    record Change(Kind kind, int job, Placement placement) {}

    static List<Change> changes(Kind kind, int job, List<Placement> placements) {
        List<Change> changes = new ArrayList<>(placements.size());
        placements.forEach(placement -> changes.add(new Change(kind, job, placement)));
        return changes;
    }

    /** The jobs of which members are concerned. */
    Set<Integer> jobs() {
        Set<Integer> jobs = new LinkedHashSet<>();
        changes.forEach(change -> jobs.add(change.job));
        return jobs;
    }

    boolean has(Kind kind, int ofJob) {
        for (Change change : changes) {
            if (change.kind == kind && change.job == ofJob) {
                return true;
            }
        }
        return false;
    }

    boolean has(Kind kind) {
        for (Change change : changes) {
            if (change.kind == kind) {
                return true;
            }
        }
        return false;
    }
}
