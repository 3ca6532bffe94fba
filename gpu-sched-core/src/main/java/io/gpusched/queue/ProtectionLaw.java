package io.gpusched.queue;

import io.gpusched.model.PodId;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A job for which places are nominated is not disturbed, nor one that starts now as it was told; and a minimum runs at least as long as
 * its queue says.
 */
record ProtectionLaw() implements Law {
    @Override
    public @Nullable PendingReason broken(Session before, Statement statement) {
        for (int job : statement.jobs()) {
            JobFacts facts = before.input().job(job);
            JobStatus status = before.status(job);
            boolean isDisturbed = statement.has(Statement.Kind.EVICT, job) && isUndisturbed(before, job);
            if (isDisturbed || isProtected(before.input(), facts, status) && losesMinimum(before, statement, job)) {
                return new PendingReason.Forbidden(PendingReason.Rule.PROTECTION, "job \"" + facts.name() + "\"");
            }
        }
        return null;
    }

    private static boolean losesMinimum(Session before, Statement statement, int job) {
        JobFacts facts = before.input().job(job);
        boolean isRestored = statement.has(Statement.Kind.RESTORE, job);
        Set<PodId> ran = Members.ids((isRestored ? facts.job.status() : before.status(job)).running());
        Set<PodId> after = Members.ids(statement.after().status(job).running());
        return Members.isMinimum(facts.job.group(), ran)
                && !(Members.isMinimum(facts.job.group(), after) && Members.keepMinimum(facts.job.group(), ran, after));
    }

    /** Whether nothing of a job may leave: places are nominated for it, or it starts now as it was told. */
    static boolean isUndisturbed(Session session, int job) {
        PlanInput input = session.input();
        JobStatus status = session.status(job);
        boolean isTold =
                status.reservation().isPresent() || input.job(job).job.spec().promised();
        return !status.nominated().isEmpty() || isTold && status.started().orElse(input.time()) == input.time();
    }

    /** Whether the minimum of a job has not run for as long as it may for sure. */
    static boolean isProtected(PlanInput input, JobFacts facts, JobStatus status) {
        return status.started().isPresent()
                && input.time() - status.started().getAsLong() < input.queues().minRuntime(facts.queue);
    }
}
