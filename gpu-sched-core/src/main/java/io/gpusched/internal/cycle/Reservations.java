package io.gpusched.internal.cycle;

import io.gpusched.decision.PendingReason;
import io.gpusched.model.Placement;
import io.gpusched.policy.CycleSettings.Backfill;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The starts that are reserved or promised, which no pass may delay. */
final class Reservations {
    private final Backfill rule;
    private final long time;

    /** Those whose start is promised, and what counts as used for them. */
    private final Map<JobState, Ask> promised = new HashMap<>();

    /** What is reserved from when on; null if nothing is. */
    private @Nullable Timeline timeline;

    Reservations(Backfill rule, long time) {
        this.rule = rule;
        this.time = time;
    }

    /** What is promised counts as used. */
    void promise(Ask ask) {
        if (rule == Backfill.PROMISED && ask.job().job.promised() && promised.putIfAbsent(ask.job(), ask) == null) {
            ask.job().queue.use(ask.asked(), ask.isFixed());
        }
    }

    /** What is promised does not count as used while the job itself is looked at; returns whether it did. */
    boolean unpromise(Ask ask) {
        Ask known = promised.remove(ask.job());
        if (known != null) {
            known.job().queue.release(known.asked(), known.isFixed());
        }
        return known != null;
    }

    /** Has all requests decided; what was promised to a job is still promised if it does not start. */
    void serve(FairOrder order, FairOrder.Decider decider) {
        order.serve(ask -> {
            boolean isPromised = unpromise(ask);
            FairOrder.Answer answer = decider.decide(ask);
            if (isPromised && !answer.isServed()) {
                promise(ask);
            }
            return answer;
        });
    }

    /** Returns what is reserved from when on; null if nothing is. */
    @Nullable
    Timeline timeline() {
        return timeline;
    }

    /** What comes after must not delay what is reserved. */
    void follow(Timeline value) {
        timeline = value;
    }

    /** Returns that a request waits behind the first that waits, if nobody may start before that one; null if it need not. */
    @Nullable
    PendingReason behind(Ask ask) {
        Timeline known = timeline;
        JobState first = known == null || rule != Backfill.NOBODY ? null : known.firstReserved();
        return first == null || first == ask.job() ? null : new PendingReason.Behind(first.name());
    }

    /** Whether it is known that a request cannot start without delaying a reservation, be all moved who may move. */
    boolean isInTheWay(Ask ask) {
        Timeline known = timeline;
        return known != null && !known.mayStart(ask, known.endOf(ask));
    }

    /** Returns that a request waits behind a reservation, which it would delay if these left or moved for it; null if it delays none. */
    @Nullable
    PendingReason delays(Ask ask, List<Placement> placements, List<Victim> leaving, VictimChoice choice) {
        Timeline known = timeline;
        if (known == null || known.mayExchange(ask.job(), gone(leaving), coming(ask, placements, leaving, choice))) {
            return null;
        }
        JobState first = known.firstReserved();
        return new PendingReason.Behind(first == null ? ask.job().name() : first.name());
    }

    /** These leave or move for a request, which delays no reservation. */
    void exchange(Ask ask, List<Placement> placements, List<Victim> leaving, VictimChoice choice) {
        Timeline known = timeline;
        if (known != null) {
            known.exchange(ask.job(), gone(leaving), coming(ask, placements, leaving, choice));
        }
    }

    private static List<Placement> gone(List<Victim> leaving) {
        return leaving.stream().flatMap(victim -> victim.placements().stream()).toList();
    }

    private List<Timeline.Hold> coming(Ask ask, List<Placement> placements, List<Victim> leaving, VictimChoice choice) {
        Timeline known = Objects.requireNonNull(timeline, "timeline");
        List<Timeline.Hold> coming = new ArrayList<>();
        coming.add(new Timeline.Hold(ask, time, known.endOf(ask), placements));
        for (Victim victim : leaving) {
            List<Placement> to = choice.placesOf(victim);
            if (!to.isEmpty()) {
                coming.add(new Timeline.Hold(victim.again(), time, known.endAgain(victim.job()), to));
            }
        }
        return coming;
    }
}
