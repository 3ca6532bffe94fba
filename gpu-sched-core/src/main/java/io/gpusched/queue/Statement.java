package io.gpusched.queue;

import io.gpusched.model.Placement;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
 * @param ofJobs the placements that change by job and kind, in order
 */
@SuppressWarnings("ArrayRecordComponent") // amounts are never compared
record Statement(
        CyclePass pass,
        int job,
        long[] atLeast,
        Session after,
        List<Change> changes,
        boolean isDecidedNow,
        boolean isDecidedLater,
        Map<Integer, Map<Kind, List<Placement>>> ofJobs) {
    /** What happens to a pod. */
    enum Kind {
        START,
        NOMINATE,
        EVICT,
        RESTORE
    }

    /** A pod of a job starts, is nominated, leaves, or stays after all where it ran before the plan. */
    record Change(Kind kind, int job, Placement placement) {}

    static List<Change> changes(Kind kind, int job, List<Placement> placements) {
        List<Change> changes = new ArrayList<>(placements.size());
        placements.forEach(placement -> changes.add(new Change(kind, job, placement)));
        return changes;
    }

    Statement(
            CyclePass pass,
            int job,
            long[] atLeast,
            Session after,
            List<Change> changes,
            boolean isDecidedNow,
            boolean isDecidedLater) {
        this(pass, job, atLeast, after, changes, isDecidedNow, isDecidedLater, ofJobs(changes));
    }

    private static Map<Integer, Map<Kind, List<Placement>>> ofJobs(List<Change> changes) {
        Map<Integer, Map<Kind, List<Placement>>> ofJobs = new LinkedHashMap<>();
        for (Change change : changes) {
            ofJobs.computeIfAbsent(change.job, any -> new EnumMap<>(Kind.class))
                    .computeIfAbsent(change.kind, any -> new ArrayList<>())
                    .add(change.placement);
        }
        return ofJobs;
    }

    /** The jobs whose members are concerned. */
    Set<Integer> jobs() {
        return ofJobs.keySet();
    }

    /** What of a job changes in one way. */
    List<Placement> of(Kind kind, int ofJob) {
        return ofJobs.getOrDefault(ofJob, Map.of()).getOrDefault(kind, List.of());
    }

    boolean has(Kind kind, int ofJob) {
        return !of(kind, ofJob).isEmpty();
    }

    boolean has(Kind kind) {
        return ofJobs.values().stream().anyMatch(kinds -> kinds.containsKey(kind));
    }
}
