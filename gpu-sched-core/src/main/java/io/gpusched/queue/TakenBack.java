package io.gpusched.queue;

import io.gpusched.model.PodId;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Jobs that one pass starts and a later one takes back, where others leave or move because of the start: in the same statement, as its victims, or by
 * reclaim from a queue that held too much with it.
 */
final class TakenBack {
    private final PlanInput input;
    private final Set<Integer> jobs = new HashSet<>();

    TakenBack(PlanInput input) {
        this.input = input;
    }

    Set<Integer> jobs() {
        return jobs;
    }

    /** Takes note of a statement, before it is taken. */
    void note(Statement statement, Map<PodId, Planning.Cause> causes) {
        if (statement.pass() == CyclePass.CONSOLIDATE) {
            return; // what moves is not taken back
        }
        Set<Integer> started = new HashSet<>();
        boolean othersLeave = false;
        for (Statement.Change change : statement.changes()) {
            if (change.kind() == Statement.Kind.EVICT
                    && causes.containsKey(change.placement().pod())) {
                started.add(change.job());
            } else if (change.kind() == Statement.Kind.EVICT) {
                othersLeave = true;
            }
        }
        for (int job : started) {
            if (othersLeave || causes.values().stream().anyMatch(cause -> isBecauseOf(job, cause))) {
                jobs.add(job);
            }
        }
    }

    private boolean isBecauseOf(int job, Planning.Cause cause) {
        if (cause.job() == cause.beneficiary()) {
            return false; // it started or was nominated itself
        }
        return cause.beneficiary() == job || cause.pass() == CyclePass.RECLAIM && isAround(job, cause);
    }

    /** Whether a job is of a queue that held too much when others reclaimed from it. */
    private boolean isAround(int job, Planning.Cause cause) {
        Queues queues = input.queues();
        int losing = input.job(cause.job()).queue;
        int top = queues.siblingOf(losing, input.job(cause.beneficiary()).queue);
        Set<Integer> held = new HashSet<>();
        for (int q = losing; q >= 0; q = q == top ? -1 : queues.parent(q)) {
            held.add(q);
        }
        for (int q = input.job(job).queue; q >= 0; q = queues.parent(q)) {
            if (held.contains(q)) {
                return true;
            }
        }
        return false;
    }
}
