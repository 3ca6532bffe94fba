package io.gpusched.queue;

import org.jspecify.annotations.Nullable;

/**
 * Jobs start where there is room, in fair order, each first with its minimum and then with one member after the other. Where a job has to
 * wait until others have ended that terminate, its places are held. No pod is evicted.
 */
final class AllocatePass implements FairOrder.Decider {
    private final Planning plan;
    private final FairOrder order;

    AllocatePass(Planning plan) {
        this.plan = plan;
        this.order = new FairOrder(plan);
    }

    void run() {
        order.serve(this);
    }

    /** Nothing is released in this pass, so a refusal for want of quota or of room holds for all that ask for the same. */
    @Override
    public @Nullable PendingReason decide(Request request) {
        PendingReason reason = plan.overQuota(request);
        if (reason == null) {
            reason = plan.knownRefusal(request);
        }
        boolean isOfAllAlike = reason != null;
        if (reason == null) {
            reason = place(request);
            isOfAllAlike = reason instanceof PendingReason.NoRoom;
        }
        if (reason != null && isOfAllAlike) {
            order.refuseAlike(request, reason);
        }
        return reason;
    }

    @Override
    public void refuse(Request request, PendingReason reason) {
        plan.refuse(request.job(), reason);
    }

    /** Finds places and takes them, others if quotas forbid the first. */
    private @Nullable PendingReason place(Request request) {
        PendingReason reason = placeOnce(request);
        Request other = plan.other(request, reason);
        return other == null || place(other) != null ? reason : null;
    }

    private @Nullable PendingReason placeOnce(Request request) {
        Session session = plan.session();
        Places.Found found = plan.find(Places.View.STRICT, session.strict(), request);
        PendingReason reason = found.isPlaced()
                ? plan.start(CyclePass.ALLOCATE, request, found.placements(), session.isPlain())
                : plan.noRoom(request, found);
        return reason == null || session.isPlain() ? reason : placeLater(request);
    }

    /** Where what is held is not free yet: found once all has ended, started if that is free already, else nominated. */
    private @Nullable PendingReason placeLater(Request request) {
        Places.Found found = plan.find(Places.View.LATER, plan.session().later(), request);
        if (!found.isPlaced()) {
            PendingReason reason = plan.noRoom(request, found);
            plan.remember(request, reason);
            return reason;
        }
        return plan.start(CyclePass.ALLOCATE, request, found.placements(), false) == null
                ? null
                : plan.nominate(CyclePass.ALLOCATE, request, found.placements());
    }
}
