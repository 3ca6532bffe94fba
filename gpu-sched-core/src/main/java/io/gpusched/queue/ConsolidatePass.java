package io.gpusched.queue;

import io.gpusched.analysis.MakeRoom;
import io.gpusched.decision.Certainty;
import org.jspecify.annotations.Nullable;

/** Running jobs move so that a waiting one finds room: as if they left for it, but each of them must find another place. */
final class ConsolidatePass implements FairOrder.Decider {
    private final Planning plan;
    private final FairOrder order;

    ConsolidatePass(Planning plan) {
        this.plan = plan;
        this.order = new FairOrder(plan);
    }

    void run() {
        order.serve(this);
    }

    /** In this pass more is held, and less can become free: what was refused stays refused. */
    @Override
    public @Nullable PendingReason decide(Request request) {
        Session session = plan.session();
        JobFacts facts = plan.input().job(request.job());
        PendingReason reason = LimitLaw.forbids(session, facts.queue, request.atLeast());
        if (reason == null) {
            reason = DeservedLaw.forbids(session, request);
        }
        if (reason == null && lacks(session, request)) {
            reason = new PendingReason.NotAsked(); // moves free nothing
        }
        if (reason == null) {
            if (plan.delayed(request) != null || plan.behind(request) != null) {
                return new PendingReason.NotAsked();
            }
            reason = consolidate(session, request);
        }
        if (reason != null && !(reason instanceof PendingReason.Behind)) {
            order.refuseAlike(request, reason);
        }
        return reason;
    }

    @Override
    public void refuse(Request request, PendingReason reason) {
        plan.refuseToMove(request.job(), reason);
    }

    private static boolean lacks(Session session, Request request) {
        for (int r = 0; r <= ResourceTable.MEMORY; r++) {
            if (request.atLeast()[r] > 0 && request.atLeast()[r] > Newcomer.free(session, r)) {
                return true;
            }
        }
        return false;
    }

    private @Nullable PendingReason consolidate(Session session, Request request) {
        PendingReason hopeless = plan.hopeless(request);
        if (hopeless != null) {
            return hopeless;
        }
        MoveChoice choice = new MoveChoice(plan, request);
        MakeRoom.Answer<Victim> answer = MakeRoom.find(
                session.later(),
                new Newcomer(session, plan.places(), request),
                choice,
                plan.input().settings().victimProbes());
        Statement statement = choice.statement();
        if (answer.isFound() && statement != null) {
            plan.take(statement);
            return null;
        }
        plan.failed();
        return answer.certainty() == Certainty.PROVEN
                ? new PendingReason.NotAsked()
                : new PendingReason.NoMove(choice.stuck(), Certainty.LIMIT);
    }
}
