package io.gpusched.internal.cycle;

import io.gpusched.decision.Certainty;
import io.gpusched.decision.CyclePass;
import io.gpusched.decision.PendingReason;
import io.gpusched.decision.Unschedulable;
import org.jspecify.annotations.Nullable;

/**
 * Jobs start where there is room: first those whose places were held for them and are free now, then in fair order whoever finds room,
 * each first with its minimum and then with one member after the other. Where a job has to wait until others have ended, its places
 * are held. Nobody leaves.
 */
final class AllocatePass {
    private final Cycle cycle;
    private final Refusals refusals;

    AllocatePass(Cycle cycle) {
        this.cycle = cycle;
        this.refusals = cycle.refusals();
    }

    /** Starts those whose places were held for them. */
    void startNominated() {
        cycle.open().forEach(cycle::startNominated);
    }

    /** Starts whoever finds room. */
    void run() {
        refusals.follow(cycle.snapshots.later());
        cycle.fairOrder().serve(this::decide);
        refusals.hold(cycle.snapshots.later());
    }

    /** Nothing is released in this pass, so a refusal for want of quota or of room holds for all who ask for the same. */
    private FairOrder.Answer decide(Ask ask) {
        PendingReason reason = cycle.queues.forbids(ask.job().queue, ask.asked(), ask.isFixed(), Certainty.PROVEN);
        if (reason == null) {
            reason = known(ask);
        }
        if (reason != null) {
            return refused(ask, reason);
        }
        reason = placeOnAnyModel(ask);
        if (reason instanceof PendingReason.NoRoom) {
            return refused(ask, reason);
        }
        ask.job().reason = reason;
        return FairOrder.Answer.of(reason == null);
    }

    private static FairOrder.Answer refused(Ask ask, PendingReason reason) {
        ask.job().reason = reason;
        return FairOrder.Answer.refusedWithAlike(job -> job.reason = reason);
    }

    /** Why it is known to be refused: what is proven is told as of now. */
    private @Nullable PendingReason known(Ask ask) {
        PendingReason reason = refusals.find(ask);
        return reason == null || reason.certainty() != Certainty.PROVEN
                ? reason
                : new PendingReason.NoRoom(Placers.refuse(cycle.placers.later(), cycle.snapshots.later(), ask), 0);
    }

    /** Finds places and takes them; returns why there are none. */
    private @Nullable PendingReason place(Ask ask) {
        Snapshots snapshots = cycle.snapshots;
        Placers.Answer answer = Placers.place(cycle.placers.idle(), snapshots.idle(), ask);
        if (snapshots.isApart() && (!answer.isPlaced() || !snapshots.canStart(answer.placements()))) {
            answer = Placers.place(cycle.placers.later(), snapshots.later(), ask);
        }
        Unschedulable refusal = answer.refusal();
        if (refusal != null) {
            PendingReason reason = new PendingReason.NoRoom(refusal, 0);
            refusals.add(ask, reason);
            return reason;
        }
        PendingReason forbidden = cycle.forbids(ask, answer.placements());
        if (forbidden == null) {
            cycle.admit(ask, answer.placements(), CyclePass.ALLOCATE);
        }
        return forbidden;
    }

    /** Finds places and takes them, on other GPU models if the queue may have no more of one; returns why there are none. */
    private @Nullable PendingReason placeOnAnyModel(Ask ask) {
        PendingReason reason = place(ask);
        Ask other = reason == null ? null : ask.otherwise(reason);
        return other == null || placeOnAnyModel(other) != null ? reason : null;
    }
}
