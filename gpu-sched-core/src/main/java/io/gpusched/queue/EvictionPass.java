package io.gpusched.queue;

import io.gpusched.analysis.MakeRoom;
import io.gpusched.decision.Certainty;
import io.gpusched.decision.Unschedulable;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Jobs leave for others, in fair order: by reclaim those of queues that hold too much for those of queues that hold too little, by
 * preemption those of lower priority for higher ones in their queue. What arithmetic refuses is not searched for; what was refused is
 * refused for all alike.
 */
final class EvictionPass implements FairOrder.Decider {
    private final Planning plan;
    private final CyclePass pass;
    private final FairOrder order;
    /** The jobs that got places by this pass. */
    private final Set<Integer> served = new HashSet<>();

    EvictionPass(Planning plan, CyclePass pass) {
        this.plan = plan;
        this.pass = pass;
        this.order = new FairOrder(plan);
    }

    void run() {
        order.serve(this);
    }

    @Override
    public @Nullable PendingReason decide(Request request) {
        PendingReason waits = mustWait(request);
        if (waits != null) {
            return waits;
        }
        PendingReason reason = DeservedLaw.forbids(plan.session(), request);
        if (reason == null && pass == CyclePass.RECLAIM) {
            reason = overFairShare(request);
        }
        if (reason == null) {
            reason = evict(request);
        }
        if (reason != null && !(reason instanceof PendingReason.Behind)) {
            order.refuseAlike(request, reason);
        }
        return reason;
    }

    @Override
    public void refuse(Request request, PendingReason reason) {
        plan.refuseToEvict(request.job(), reason);
    }

    private @Nullable PendingReason mustWait(Request request) {
        PendingReason delayed = plan.delayed(request);
        return delayed != null ? delayed : plan.behind(request);
    }

    /** A queue gets no more back than its fair share. */
    private @Nullable PendingReason overFairShare(Request request) {
        int queue = plan.input().job(request.job()).queue;
        long[] held = plan.session().held().get(queue);
        long[] fair = plan.shares().fair().get(queue);
        int r = Amounts.firstAbove(held, request.atLeast(), fair);
        return r < 0
                ? null
                : new PendingReason.OverFairShare(
                        plan.input().queues().name(queue),
                        plan.input().table().resource(r),
                        held[r],
                        request.atLeast()[r],
                        fair[r],
                        Certainty.PROVEN);
    }

    private Sources sources(Request request) {
        JobFacts facts = plan.input().job(request.job());
        return pass == CyclePass.RECLAIM
                ? new OverShare(plan.session(), plan.shares(), plan.victims(), request)
                : new LowerPriorities(
                        plan.victims().ofQueue(plan.session(), facts.queue),
                        facts.job.spec().priority());
    }

    private @Nullable PendingReason evict(Request request) {
        Sources sources = sources(request);
        if (sources.pods() == 0) {
            return new PendingReason.NoVictims(pass, Certainty.PROVEN);
        }
        PendingReason reason = tooLittle(request, sources);
        if (reason == null) {
            reason = plan.hopeless(request);
        }
        if (reason == null) {
            reason = makeRoom(request, sources);
        }
        Request other = plan.other(request, reason);
        return other != null && evict(other) == null ? null : reason;
    }

    /** More of something is requested than would be free if all left that may. */
    private @Nullable PendingReason tooLittle(Request request, Sources sources) {
        for (int r = 0; r <= ResourceTable.MEMORY; r++) {
            long asked = request.atLeast()[r];
            long free = Newcomer.free(plan.session(), r);
            if (asked > 0) {
                long most = sources.most(r);
                if (asked - most > free) {
                    return new PendingReason.TooLittle(
                            plan.input().table().resource(r), asked, free, most, Certainty.PROVEN);
                }
            }
        }
        return null;
    }

    private @Nullable PendingReason makeRoom(Request request, Sources sources) {
        Session session = plan.session();
        Newcomer newcomer = new Newcomer(session, plan.places(), request);
        EvictionChoice choice = new EvictionChoice(plan, pass, request, sources);
        MakeRoom.Answer<Victim> answer = MakeRoom.find(
                session.later(), newcomer, choice, plan.input().settings().victimProbes());
        Statement statement = choice.statement();
        if (answer.isFound() && statement != null) {
            plan.take(statement);
            if (!served.add(request.job()) && statement.has(Statement.Kind.EVICT)) {
                new ReprievePass(plan).run(request.job());
            }
            return null;
        }
        plan.failed();
        Unschedulable refusal = answer.refusal().orElse(null);
        PendingReason forbidden = choice.forbidden();
        if (refusal == null) {
            return forbidden instanceof PendingReason.Unfair unfair
                    ? new PendingReason.Unfair(unfair.queue(), sources.pods())
                    : forbidden == null ? new PendingReason.NotAsked() : forbidden;
        }
        return new PendingReason.NoRoom(asCertain(refusal, answer.certainty()), sources.pods());
    }

    private static Unschedulable asCertain(Unschedulable refusal, Certainty certainty) {
        return refusal.certainty() == certainty
                ? refusal
                : Unschedulable.of(refusal.subject(), certainty, refusal::diagnosis);
    }
}
