package io.gpusched.queue;

import io.gpusched.check.Checks;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What one scheduling cycle decides. Nothing is applied: the caller does the steps in their order, or throws the plan away.
 *
 * @param steps what to do
 * @param pending the jobs with members that stay pending, and why, in the order of the jobs
 * @param after the state once all steps are done: bound pods run, evicted ones are terminating, nominated places are held.
 *     A cycle that is asked about it plans nothing more
 */
public record Plan(List<PlanStep> steps, List<PendingJob> pending, QueueState after) {
    /** Copies the lists. */
    public Plan {
        steps = Checks.list("steps", steps);
        pending = Checks.list("pending", pending);
        Objects.requireNonNull(after, "after");
    }

    /** Returns whether there is nothing to do. */
    public boolean isEmpty() {
        return steps.isEmpty();
    }

    /** Returns the pods that start. */
    public List<PlanStep.Bind> bindings() {
        return of(PlanStep.Bind.class, step -> true);
    }

    /** Returns the pods that leave. */
    public List<PlanStep.Evict> evictions() {
        return of(PlanStep.Evict.class, step -> true);
    }

    /** Returns the pods that leave for a job. */
    public List<PlanStep.Evict> evictionsFor(String job) {
        Optional<String> beneficiary = Optional.of(Objects.requireNonNull(job, "job"));
        return of(PlanStep.Evict.class, step -> step.beneficiary().equals(beneficiary));
    }

    /** Returns the pods that move. */
    public List<PlanStep.Move> moves() {
        return of(PlanStep.Move.class, step -> true);
    }

    /** Returns the pods for which a place is held from now on. */
    public List<PlanStep.Nominate> nominations() {
        return of(PlanStep.Nominate.class, step -> true);
    }

    private <T extends PlanStep> List<T> of(Class<T> kind, Predicate<T> condition) {
        return steps.stream()
                .filter(kind::isInstance)
                .map(kind::cast)
                .filter(condition)
                .toList();
    }

    /** Returns why members of a job stay pending; empty if none do. */
    public Optional<PendingReason> reason(String job) {
        Objects.requireNonNull(job, "job");
        return pending.stream()
                .filter(waiting -> waiting.job().equals(job))
                .map(PendingJob::reason)
                .findFirst();
    }

    @Override
    public String toString() {
        return "plan: " + bindings().size() + " bound, " + nominations().size() + " nominated, "
                + evictions().size() + " evicted, " + moves().size() + " moved, " + pending.size()
                + (pending.size() == 1 ? " job waits" : " jobs wait");
    }
}
