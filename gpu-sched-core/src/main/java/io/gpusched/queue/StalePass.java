package io.gpusched.queue;

import io.gpusched.model.Placement;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Jobs leave that have been running with fewer members than their minimum for longer than they may. */
final class StalePass {
    private final Planning plan;

    StalePass(Planning plan) {
        this.plan = plan;
    }

    void run() {
        PlanInput input = plan.input();
        JobNumbers unsettled = plan.session().unsettled();
        for (int i = 0; i < unsettled.size(); i++) {
            int j = unsettled.get(i);
            JobStatus status = plan.session().status(j);
            boolean isStale = !status.running().isEmpty()
                    && status.nominated().isEmpty()
                    && input.job(j).isBelowMinimum(status);
            if (isStale) {
                boolean wasBelow = input.job(j).isBelowMinimum(input.job(j).job.status());
                long since = wasBelow ? status.staleSince().orElse(input.time()) : input.time();
                plan.stale(j, since);
                if (input.time() - since >= input.settings().staleGrace()) {
                    evict(j, status.running());
                }
            }
        }
    }

    private void evict(int job, List<Placement> members) {
        Session after = plan.session().evict(job, members);
        after = after == null || !plan.input().isRuled() ? after : withdrawn(after);
        if (after != null) {
            plan.take(new Statement(
                    CyclePass.STALE,
                    job,
                    new long[plan.input().table().size()],
                    after,
                    Statement.changes(Statement.Kind.EVICT, job, members),
                    true,
                    true));
        }
    }

    /** Without places that are held near members that leave. */
    private @Nullable Session withdrawn(Session session) {
        Session after = session;
        JobNumbers unsettled = session.unsettled();
        for (int i = 0; i < unsettled.size() && after != null; i++) {
            int j = unsettled.get(i);
            JobFacts facts = plan.input().job(j);
            List<Placement> held = after.status(j).nominated();
            boolean isHeld = !facts.needsOthers
                    || plan.places().admitsInSomeOrder(Places.View.LATER, after.later(), facts, held);
            after = isHeld ? after : after.withdraw(j);
        }
        return after;
    }
}
