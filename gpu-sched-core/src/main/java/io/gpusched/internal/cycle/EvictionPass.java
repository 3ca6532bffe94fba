package io.gpusched.internal.cycle;

import io.gpusched.decision.Certainty;
import io.gpusched.decision.CyclePass;
import io.gpusched.decision.PendingReason;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the passes have in common in which others leave for a request, in fair order: who asks for no less than somebody who was refused
 * under the same circumstances is refused too.
 */
abstract class EvictionPass {
    final Cycle cycle;
    final Victims order;
    private final CyclePass pass;
    private final RoomByEviction room;
    private final Map<Object, Refusals> refusals = new HashMap<>();

    EvictionPass(Cycle cycle, CyclePass pass) {
        this.cycle = cycle;
        this.pass = pass;
        this.order = new Victims(cycle);
        this.room = new RoomByEviction(cycle);
    }

    /** Requests under equal circumstances are refused alike, if they ask for the same. */
    abstract Object circumstances(Ask ask);

    /** Returns why nobody may leave for a request; null if somebody may. */
    abstract @Nullable PendingReason forbids(Ask ask);

    /** Returns who may leave for a request. */
    abstract VictimChoice choice(Ask ask);

    /** Takes note that other members of a job run or are nominated, so that others of it may leave. */
    abstract void renew(JobState job);

    /** Takes note of who leaves. */
    abstract void forget(List<Victim> gone);

    void run() {
        FairOrder fair = cycle.fairOrder();
        boolean more = true;
        while (more) {
            more = fair.serve(this::decide);
        }
    }

    private boolean decide(Ask ask) {
        JobState job = ask.job();
        PendingReason reason = cycle.isDelayed(job)
                ? new PendingReason.Delayed(job.job.submitted() + job.job.preemptionDelay())
                : refused(ask);
        if (reason != null) {
            job.refuse(reason);
        }
        return reason == null;
    }

    private @Nullable PendingReason refused(Ask ask) {
        Refusals known = refusals.computeIfAbsent(circumstances(ask), circumstances -> new Refusals());
        PendingReason reason = cycle.queues.forbidsFixed(ask.job().queue, ask.asked(), ask.isFixed(), Certainty.PROVEN);
        if (reason == null) {
            reason = forbids(ask);
        }
        if (reason == null) {
            reason = known.find(ask);
        }
        if (reason == null) {
            reason = evict(ask);
        }
        if (reason != null) {
            known.add(ask, reason);
        }
        return reason;
    }

    private @Nullable PendingReason evict(Ask ask) {
        VictimChoice choice = choice(ask);
        if (choice.isEmpty()) {
            return new PendingReason.NobodyToEvict(pass);
        }
        RoomByEviction.Solution solution = room.solve(ask, choice);
        if (solution.reason() == null) {
            for (Victim victim : solution.victims()) {
                cycle.evict(
                        victim.job(), victim.placements(), Optional.of(ask.job().name()), pass);
            }
            cycle.admit(ask, solution.placements(), pass);
            forget(solution.victims());
            renew(ask.job());
        }
        return solution.reason();
    }
}
