package io.gpusched.internal.cycle;

import io.gpusched.decision.Certainty;
import io.gpusched.decision.CyclePass;
import io.gpusched.decision.PendingReason;
import io.gpusched.decision.StartCertainty;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.policy.CycleSettings.Backfill;
import io.gpusched.workload.Reservation;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Jobs start in fair order, and times and places are reserved for those that have to wait: for the first, or for all. Whoever comes after
 * starts if all it takes stays free for as long as it runs, so that it delays no reservation.
 *
 * <p>A reservation is kept from one cycle to the next unless an earlier start is found. Where its places are no longer free at its time,
 * which only somebody who runs longer than planned, an eviction or a change of the cluster brings about, it is made anew as early as is
 * possible, before those that were to start later.
 */
final class BackfillPass {
    private final Cycle cycle;
    private final Backfill rule;
    private final Placer placer;
    private final Timeline timeline;
    private @Nullable JobState first;

    /** Makes a pass; what the timeline of the last one knows is used up. */
    BackfillPass(Cycle cycle, @Nullable Timeline last) {
        this.cycle = cycle;
        this.rule = cycle.settings.backfill();
        this.placer = cycle.placers.timeline();
        cycle.open().stream().filter(BackfillPass::isForOtherMembers).forEach(job -> cycle.reserve(job, null));
        this.timeline = Timeline.of(
                rule == Backfill.CONSERVATIVE ? last : null, cycle.jobs, cycle.snapshots.later(), cycle.time);
    }

    void run() {
        cycle.open().stream()
                .filter(job -> job.reservation() != null)
                .sorted(Comparator.comparingLong(BackfillPass::reservedStart).thenComparingInt(job -> job.index))
                .forEach(this::keep);
        cycle.fairOrder().serve(this::serve);
        cycle.open().forEach(this::note);
    }

    /** What is reserved and what runs after all. */
    Timeline timeline() {
        return timeline;
    }

    /** Whether a job asks for other members than those for which its start was reserved: some left, or its minimum is another. */
    private static boolean isForOtherMembers(JobState job) {
        Reservation reservation = job.reservation();
        Ask ask = reservation == null ? null : job.next();
        if (reservation == null || ask == null || !ask.isMinimum()) {
            return false;
        }
        Set<PodId> asked = new HashSet<>();
        ask.pods().forEach(pod -> asked.add(pod.id()));
        return reservation.placements().size() != asked.size()
                || !reservation.placements().stream().map(Placement::pod).allMatch(asked::contains);
    }

    private static long reservedStart(JobState job) {
        Reservation reservation = job.reservation();
        return reservation == null ? Timeline.NEVER : reservation.start();
    }

    /**
     * Starts a job whose time has come where it was reserved, and holds what was reserved for others. If that is not free, it is decided
     * again at once, before those that were to start later.
     */
    private void keep(JobState job) {
        if (reservedStart(job) <= cycle.time) {
            startDue(job);
        }
        Ask ask = job.next();
        if (ask == null || !ask.isMinimum() || !isKept(job)) {
            return;
        }
        Timeline.Hold known = known(ask);
        if (timeline.reservation(job) != null || known != null && timeline.hold(known)) {
            cycle.reservations.promise(ask);
        } else {
            decide(ask);
        }
    }

    /** Whether a job keeps what is reserved for it, whoever comes before it. */
    private boolean isKept(JobState job) {
        return rule == Backfill.CONSERVATIVE || rule == Backfill.PROMISED && job.job.promised();
    }

    private void startDue(JobState job) {
        Ask ask = job.next();
        Reservation reservation = job.reservation();
        if (ask == null || reservation == null || !ask.isMinimum()) {
            return;
        }
        cycle.reservations.unpromise(ask);
        List<Placement> placements = reservation.placements();
        boolean isAllowed = cycle.queues.forbids(job.queue, ask.asked(), ask.isFixed(), Certainty.PROVEN) == null
                && cycle.forbids(ask, placements) == null;
        Timeline.Hold hold = new Timeline.Hold(ask, cycle.time, timeline.endAgain(job), placements);
        if (isAllowed && cycle.snapshots.canStart(placements) && timeline.hold(hold)) {
            cycle.admit(ask, placements, CyclePass.BACKFILL);
        } else {
            timeline.gained();
        }
    }

    /** What is reserved for a request from a later time on, as its job says; null if nothing is. */
    private Timeline.@Nullable Hold known(Ask ask) {
        Reservation reservation = ask.job().reservation();
        if (reservation == null || !ask.isMinimum() || reservation.start() <= cycle.time) {
            return null;
        }
        return new Timeline.Hold(
                ask, reservation.start(), timeline.endFrom(ask.job(), reservation.start()), reservation.placements());
    }

    /** Tells what is reserved for a job after all. */
    private void note(JobState job) {
        Timeline.Hold hold = timeline.reservation(job);
        if (hold != null) {
            cycle.reserve(job, new Reservation(hold.from(), hold.placements()));
        } else if (job.reservation() != null && job.isBelowMinimum()) {
            cycle.reserve(job, null);
        }
    }

    /** Where too few GPUs are idle, nobody starts who asks for as many, however short it runs; nothing is released in this pass. */
    private FairOrder.Answer serve(Ask ask) {
        boolean isReservable = first == null || isKept(ask.job());
        PendingReason reason = decide(ask);
        if (reason == null) {
            return FairOrder.Answer.SERVED;
        }
        return isReservable || timeline.mayStart(ask, cycle.time + 1)
                ? FairOrder.Answer.REFUSED
                : FairOrder.Answer.refusedWithAlike(job -> job.reason = reason);
    }

    private @Nullable PendingReason decide(Ask ask) {
        cycle.reservations.unpromise(ask);
        PendingReason reason = refused(ask);
        ask.job().reason = reason;
        if (timeline.reservation(ask.job()) != null) {
            cycle.reservations.promise(ask);
        }
        return reason;
    }

    private @Nullable PendingReason refused(Ask ask) {
        JobState job = ask.job();
        Timeline.Hold hold = timeline.reservation(job);
        PendingReason reason = cycle.queues.forbids(job.queue, ask.asked(), ask.isFixed(), Certainty.PROVEN);
        if (reason == null && hold != null && !timeline.mayMoveEarlier(hold)) {
            return reserved(job);
        }
        if (hold != null) {
            timeline.release(hold);
        }
        if (reason == null) {
            reason = first == null || rule != Backfill.NOBODY ? start(ask) : new PendingReason.Behind(first.name());
            if (reason != null && ask.isMinimum() && (first == null || isKept(job))) {
                reason = reserve(ask, hold != null ? hold : known(ask), reason);
            }
        }
        if (hold != null && !hold.equals(timeline.reservation(job))) {
            timeline.gained();
        }
        return reason;
    }

    /** Starts pods that find places which stay free for as long as they run; returns why there are none. */
    private @Nullable PendingReason start(Ask ask) {
        long until = timeline.endOf(ask);
        if (!timeline.mayStart(ask, until)) {
            return tooFew(ask);
        }
        Placers.Answer answer = timeline.find(ask, placer, cycle.snapshots.idle(), cycle.time, until);
        if (answer.isPlaced()) {
            return admit(ask, answer.placements());
        }
        return answer.refusal() == null || timeline.isReservedBefore(until)
                ? behind(ask)
                : new PendingReason.NoRoom(answer.refusal(), 0);
    }

    private PendingReason tooFew(Ask ask) {
        return timeline.mayStart(ask, cycle.time + 1)
                ? behind(ask)
                : new PendingReason.NoRoom(Placers.refuse(placer, cycle.snapshots.idle(), ask), 0);
    }

    private PendingReason behind(Ask ask) {
        return new PendingReason.Behind(first == null ? ask.job().name() : first.name());
    }

    private @Nullable PendingReason admit(Ask ask, List<Placement> placements) {
        PendingReason forbidden = cycle.forbids(ask, placements);
        if (forbidden == null) {
            cycle.admit(ask, placements, first == null ? CyclePass.ALLOCATE : CyclePass.BACKFILL);
        }
        return forbidden;
    }

    /** Reserves the earliest places for a job, or those that it has; returns that it waits for these, or why there are none. */
    private PendingReason reserve(Ask ask, Timeline.@Nullable Hold known, PendingReason none) {
        boolean isReserved = timeline.reserve(ask, placer, known == null ? Timeline.NEVER : known.from())
                || known != null && (timeline.hold(known) || timeline.reserve(ask, placer, Timeline.NEVER));
        if (!isReserved) {
            return none;
        }
        return reserved(ask.job());
    }

    private PendingReason reserved(JobState job) {
        first = first == null ? job : first;
        long start =
                Objects.requireNonNull(timeline.reservation(job), "reservation").from();
        return new PendingReason.Reserved(
                start,
                timeline.isCertain(start) ? StartCertainty.BOUND : StartCertainty.ESTIMATE,
                timeline.endingAt(start).map(JobState::name));
    }
}
