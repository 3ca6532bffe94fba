package io.gpusched.queue;

import io.gpusched.model.PodId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Jobs start in fair order, and start times are reserved for jobs that have to wait: for the first of them, as many as the settings say, and
 * for all jobs that are promised one. A job that comes after starts if all it takes stays free for as long as it runs, so that it delays no
 * reserved start.
 *
 * <p>A start that is promised, or reserved where all have one, is kept from one plan to the next unless an earlier one is found. Where its
 * places are no longer free at its time, as a job runs longer than planned or the cluster changed, the earliest start is reserved again,
 * before the starts that come later.
 */
final class BackfillPass implements FairOrder.Decider {
    private final Planning plan;
    private final CycleSettings settings;
    private final FairOrder order;
    /** The first job that holds a reservation; -1 as long as none does. One that can have none keeps no other from starting. */
    private int first = -1;
    /** How many jobs hold a reservation so far, in the order in which they are served. */
    private int reserved;

    BackfillPass(Planning plan) {
        this.plan = plan;
        this.settings = plan.input().settings();
        plan.begin(null);
        List<Timeline.Hold> kept = kept();
        plan.begin(TimelineSweep.of(plan.session(), plan.places(), kept, this::isLost));
        Map<Boolean, List<Timeline.Hold>> again =
                kept.stream().filter(hold -> !isHeld(hold)).collect(Collectors.partitioningBy(this::isLost));
        again.forEach((isLost, holds) -> keepAgain(holds)); // starts that are not lost come first
        this.order = new FairOrder(plan);
    }

    /** Whether starts are reserved at all. */
    static boolean isNeeded(PlanInput input) {
        return input.settings().reservations() > 0 || input.sums().reserving() > 0;
    }

    /** Returns whether something is reserved otherwise than before. */
    boolean run() {
        order.serve(this);
        return plan.note(first);
    }

    private Timeline timeline() {
        return plan.timeline();
    }

    /**
     * What is reserved and kept whatever comes before it, by start; starts that are due are taken. Where a start that is kept is to be near
     * other pods, what else is reserved is kept with it: it may be near these.
     */
    private List<Timeline.Hold> kept() {
        List<Timeline.Hold> kept = new ArrayList<>();
        List<Integer> jobs = new ArrayList<>();
        for (int j = 0; j < plan.input().jobs().size(); j++) {
            if (plan.session().status(j).reservation().isPresent()) {
                jobs.add(j);
            }
        }
        jobs.sort(
                Comparator.comparingLong((Integer j) -> reservation(j).start()).thenComparingInt(j -> j));
        startDue(jobs);
        boolean isNearOthers =
                jobs.stream().anyMatch(job -> isKept(job) && plan.input().job(job).needsOthers);
        for (int job : jobs) {
            Request request = plan.next(job);
            boolean isKept = isNearOthers || isKept(job);
            if (request != null && isForThese(request, reservation(job)) && isKept) {
                long from = Math.max(reservation(job).start(), plan.input().time());
                kept.add(new Timeline.Hold(
                        request,
                        from,
                        Timeline.endFrom(plan.input(), job, from),
                        reservation(job).placements()));
            }
        }
        return kept;
    }

    private Reservation reservation(int job) {
        return plan.session().status(job).reservation().orElseThrow();
    }

    /** Whether a start was reserved for members that would make the minimum: some may have started, left, or ended since. */
    private boolean isForThese(Request request, Reservation reservation) {
        JobFacts facts = plan.input().job(request.job());
        JobStatus status = plan.session().status(request.job());
        Set<PodId> waiting = new HashSet<>();
        facts.job.group().pods().forEach(pod -> waiting.add(pod.id()));
        waiting.removeAll(request.placed());
        waiting.removeAll(Members.ids(status.terminating()));
        Set<PodId> together = Members.ids(reservation.placements());
        boolean areWaiting = waiting.containsAll(together);
        together.addAll(request.placed());
        return request.isMinimum() && areWaiting && Members.isMinimum(facts.job.group(), together);
    }

    private boolean isKept(int job) {
        return settings.reservations() == Integer.MAX_VALUE
                || plan.input().job(job).job.spec().promised();
    }

    /** Starts what is due at its places, as long as one more can: a start can be due near others that are due too. */
    private void startDue(List<Integer> jobs) {
        while (jobs.removeIf(this::startsWhenDue)) {
            // once more
        }
    }

    private boolean startsWhenDue(int job) {
        Reservation reservation = reservation(job);
        Request request = reservation.start() <= plan.input().time() ? plan.next(job) : null;
        return request != null
                && isForThese(request, reservation)
                && plan.overQuota(request) == null
                && plan.start(CyclePass.BACKFILL, request, reservation.placements(), false) == null;
    }

    private boolean isHeld(Timeline.Hold hold) {
        return timeline().reservation(hold.job()) != null;
    }

    /** Whether places are lost whatever ends: a node or a GPU is gone, or does not admit these pods any more. */
    private boolean isLost(Timeline.Hold hold) {
        return !Timeline.isAdmitted(plan.input(), plan.places(), plan.withoutJobs(), hold);
    }

    /** What found its places taken is decided about again, by start, and after that what has lost them, so that others keep theirs. */
    private void keepAgain(List<Timeline.Hold> kept) {
        for (Timeline.Hold hold : kept) {
            Timeline held =
                    hold.from() <= plan.input().time() ? null : timeline().kept(hold);
            if (held != null) {
                plan.begin(held);
            } else {
                plan.guarded(hold.job(), () -> again(hold));
            }
        }
    }

    private void again(Timeline.Hold hold) {
        PendingReason reason = decided(hold.request(), hold);
        reserved = 0; // it counts when it is served in its order
        first = -1;
        if (reason != null) {
            plan.refuse(hold.job(), reason);
        }
    }

    @Override
    public @Nullable PendingReason decide(Request request) {
        boolean mayReserve = mayReserve(request);
        PendingReason reason = decided(request, known(request));
        boolean holdsNow = timeline().reservation(request.job()) != null;
        if (reason != null && !mayReserve && !holdsNow && !timeline().hasGpusNow(request)) {
            order.refuseAlike(request, reason);
        }
        return reason;
    }

    @Override
    public void refuse(Request request, PendingReason reason) {
        plan.refuse(request.job(), reason);
    }

    /** What was reserved for a request before this plan. */
    private Timeline.@Nullable Hold known(Request request) {
        Reservation known = plan.session().status(request.job()).reservation().orElse(null);
        return known == null || known.start() <= plan.input().time() || !isForThese(request, known)
                ? null
                : new Timeline.Hold(
                        request,
                        known.start(),
                        Timeline.endFrom(plan.input(), request.job(), known.start()),
                        known.placements());
    }

    private boolean mayReserve(Request request) {
        boolean isPromised = plan.input().job(request.job()).job.spec().promised();
        return request.isMinimum() && (isPromised || reserved < settings.reservations());
    }

    /** Starts a request, or reserves its earliest start; returns why it waits. */
    private @Nullable PendingReason decided(Request request, Timeline.@Nullable Hold known) {
        int job = request.job();
        Timeline.Hold hold = timeline().reservation(job);
        PendingReason limit = plan.overQuota(request);
        if (hold != null && (limit != null || !timeline().mayMoveEarlier(hold))) {
            return reserved(hold);
        }
        if (hold != null) {
            plan.begin(timeline().without(hold));
        }
        boolean isBehind = first >= 0 && !settings.passing();
        PendingReason reason = limit != null ? limit : isBehind ? behind(request) : start(request);
        if (reason == null || hold == null && !mayReserve(request)) {
            return reason;
        }
        Timeline.Hold last = hold != null ? hold : known;
        Timeline.Hold made = reserve(request, last);
        if (made == null) {
            return reason;
        }
        return reserved(made);
    }

    /** Starts pods that find places which stay free for as long as they run, others of unequal ones if quotas forbid the first. */
    private @Nullable PendingReason start(Request request) {
        Session session = plan.session();
        JobStatus status = session.status(request.job());
        if (!timeline().mayStart(request, status)) {
            return timeline().hasGpusNow(request) ? behind(request) : plan.noRoom(request, session.strict());
        }
        Timeline.Placing placing = timeline().start(request, status, session.strict());
        PendingReason reason = placing.found().isPlaced() ? start(request, placing) : placing.limit();
        Request other = plan.other(request, reason);
        if (other != null && start(other) == null) {
            return null;
        }
        return placing.found().isPlaced() ? reason : notPlaced(request, status, placing);
    }

    private @Nullable PendingReason start(Request request, Timeline.Placing placing) {
        Timeline before = timeline();
        plan.begin(placing.timeline());
        CyclePass pass = first < 0 ? CyclePass.ALLOCATE : CyclePass.BACKFILL;
        PendingReason reason = plan.start(pass, request, placing.found().placements(), false);
        if (reason != null) {
            plan.begin(before);
        }
        return reason;
    }

    private PendingReason notPlaced(Request request, JobStatus status, Timeline.Placing placing) {
        PendingReason limit = placing.limit();
        if (limit != null && placing.limitAt() == plan.input().time()) {
            return limit;
        }
        Places.Found found = placing.found();
        return found.refusal() == null || timeline().isReservedMeanwhile(request, status)
                ? behind(request)
                : plan.noRoom(request, found);
    }

    private PendingReason behind(Request request) {
        int before = first >= 0 ? first : timeline().firstReserved(request.job());
        return new PendingReason.Behind(
                plan.input().job(before < 0 ? request.job() : before).name());
    }

    /** Reserves the earliest start for a job, or the one that it had; returns null if there is none. */
    private Timeline.@Nullable Hold reserve(Request request, Timeline.@Nullable Hold known) {
        Timeline made = timeline().reserve(request, known == null ? Timeline.NEVER : known.from());
        if (made == null && known != null) {
            made = known.from() > plan.input().time() ? timeline().kept(known) : null;
            made = made == null ? timeline().reserve(request, Timeline.NEVER) : made;
        }
        if (made == null) {
            return null;
        }
        plan.begin(made);
        return made.reservation(request.job());
    }

    /** Certainty and the job that it waits for are told at the end of the plan. */
    private PendingReason reserved(Timeline.Hold hold) {
        reserved++;
        first = first < 0 ? hold.job() : first;
        return new PendingReason.Reserved(hold.from(), StartCertainty.ESTIMATE, Optional.empty());
    }
}
