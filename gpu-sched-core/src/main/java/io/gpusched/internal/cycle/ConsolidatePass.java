package io.gpusched.internal.cycle;

import io.gpusched.decision.Certainty;
import io.gpusched.decision.CyclePass;
import io.gpusched.decision.PendingReason;

/** Running jobs move so that a pending one finds room: as if they left for it, but each of them must find another place. */
final class ConsolidatePass {
    private final Cycle cycle;
    private final RoomByEviction room;
    private final FewestVictims fewest;
    private final Refusals refusals = new Refusals();

    ConsolidatePass(Cycle cycle) {
        this.cycle = cycle;
        this.room = new RoomByEviction(cycle);
        this.fewest = new FewestVictims(cycle.settings, room);
    }

    void run() {
        cycle.reservations.serve(cycle.fairOrder(), this::decide);
    }

    private FairOrder.Answer decide(Ask ask) {
        boolean isOutOfQuestion =
                cycle.queues.forbids(ask.job().queue, ask.asked(), ask.isFixed(), Certainty.PROVEN) != null
                        || room.lacks(ask, new long[cycle.resources.size()])
                        || refusals.find(ask) != null;
        if (isOutOfQuestion) { // in this pass more is used, and less can become free
            return FairOrder.Answer.refusedWithAlike(job -> {});
        }
        boolean mustWait = cycle.isDelayed(ask.job())
                || cycle.reservations.behind(ask) != null
                || cycle.reservations.isInTheWay(ask);
        return FairOrder.Answer.of(!mustWait && consolidate(ask));
    }

    private boolean consolidate(Ask ask) {
        MoveChoice choice = new MoveChoice(cycle);
        RoomByEviction.Solution solution = fewest.of(ask, choice, room.solve(ask, choice));
        PendingReason reason = solution.reason();
        if (reason != null) {
            if (!(reason instanceof PendingReason.Behind)) { // another one may end earlier
                refusals.add(ask, reason);
            }
            return false;
        }
        choice.forbids(
                solution.victims(), solution.placements()); // finds their places again: others were looked at since
        cycle.reservations.exchange(ask, solution.placements(), solution.victims(), choice);
        for (Victim victim : solution.victims()) {
            cycle.depart(victim.job(), victim.placements());
        }
        for (Victim victim : solution.victims()) {
            cycle.arrive(
                    victim.job(),
                    victim.placements(),
                    choice.placesOf(victim),
                    ask.job().name());
        }
        cycle.admit(ask, solution.placements(), CyclePass.CONSOLIDATE);
        return true;
    }
}
