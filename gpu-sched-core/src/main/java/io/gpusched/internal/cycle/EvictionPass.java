package io.gpusched.internal.cycle;

import io.gpusched.decision.Certainty;
import io.gpusched.decision.PendingReason;
import io.gpusched.workload.Job;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Others leave for requests, in fair order, as rules tell: who asks for no less than somebody who was refused under the same
 * circumstances is refused too.
 */
final class EvictionPass {
    private final Cycle cycle;
    private final EvictionRules rules;
    private final RoomByEviction room;
    private final FewestVictims fewest;
    private final Map<Object, Refusals> refusals = new HashMap<>();

    EvictionPass(Cycle cycle, EvictionRules rules) {
        this.cycle = cycle;
        this.rules = rules;
        this.room = new RoomByEviction(cycle);
        this.fewest = new FewestVictims(cycle.settings, room);
    }

    void run() {
        cycle.reservations.serve(cycle.fairOrder(), this::decide);
    }

    private FairOrder.Answer decide(Ask ask) {
        PendingReason waits = mustWait(ask);
        PendingReason reason = waits == null ? refused(ask) : waits;
        if (reason == null) {
            return FairOrder.Answer.SERVED;
        }
        ask.job().refuse(reason);
        return isOfAllAlike(reason)
                ? FairOrder.Answer.refusedWithAlike(job -> job.refuse(reason))
                : FairOrder.Answer.REFUSED;
    }

    private @Nullable PendingReason mustWait(Ask ask) {
        PendingReason behind = cycle.reservations.behind(ask);
        Job job = ask.job().job;
        return behind == null && cycle.isDelayed(ask.job())
                ? new PendingReason.Delayed(job.submitted() + job.preemptionDelay())
                : behind;
    }

    /** Whether a reason holds for everyone who asks for the same: another one may end earlier, or have waited longer. */
    private static boolean isOfAllAlike(PendingReason reason) {
        return !(reason instanceof PendingReason.Behind || reason instanceof PendingReason.Delayed);
    }

    private @Nullable PendingReason refused(Ask ask) {
        Refusals known = refusals.computeIfAbsent(rules.circumstances(ask), circumstances -> new Refusals());
        PendingReason reason = cycle.queues.forbidsFixed(ask.job().queue, ask.asked(), ask.isFixed(), Certainty.PROVEN);
        if (reason == null) {
            reason = rules.forbids(ask);
        }
        if (reason == null) {
            reason = known.find(ask);
        }
        if (reason == null) {
            reason = evict(ask);
        }
        if (reason != null && isOfAllAlike(reason)) {
            known.add(ask, reason);
        }
        return reason;
    }

    private @Nullable PendingReason evict(Ask ask) {
        VictimChoice choice = rules.choice(ask);
        if (choice.isEmpty()) {
            return new PendingReason.NobodyToEvict(rules.pass());
        }
        RoomByEviction.Solution solution = room.solve(ask, choice);
        Ask other = solution.reason() == null ? null : ask.otherwise(solution.reason());
        if (other != null && evict(other) == null) {
            return null;
        }
        if (solution.reason() == null) {
            admit(ask, choice, fewest.of(ask, choice, solution));
        }
        return solution.reason();
    }

    private void admit(Ask ask, VictimChoice choice, RoomByEviction.Solution solution) {
        cycle.reservations.exchange(ask, solution.placements(), solution.victims(), choice);
        for (Victim victim : solution.victims()) {
            cycle.evict(victim.job(), victim.placements(), Optional.of(ask.job().name()), rules.pass());
        }
        cycle.admit(ask, solution.placements(), rules.pass());
    }
}
