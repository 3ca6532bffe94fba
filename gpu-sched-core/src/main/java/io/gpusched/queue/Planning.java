package io.gpusched.queue;

import io.gpusched.decision.Certainty;
import io.gpusched.model.Cluster;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One plan in the making: the session so far, the gate that every statement passes, why jobs wait, and what led here. Passes propose, this
 * takes.
 */
final class Planning {
    /** What last happened to a pod: which pass decided it, and for whose sake. */
    record Cause(CyclePass pass, int job, int beneficiary) {}

    private final PlanInput input;
    private final Places places;
    private final Victims victims;
    private Session session;
    private Queues.Shares shares;
    private Gate gate;
    private int taken;
    private int firstWaiting = -1;
    private final Map<PodId, Cause> causes = new LinkedHashMap<>();
    private final @Nullable PendingReason[] reasons;
    private final Map<Integer, PendingReason> undecidable = new HashMap<>();
    /** Requests that found no room, by kind: as long as nothing is released, none of the kind does. */
    private final Map<Object, PendingReason> refusals = new HashMap<>();

    /** Jobs that a pass refused without proof. */
    private final Set<Integer> unproven = new HashSet<>();

    /** Jobs that are asked for nothing until all others have been. */
    private final Set<Integer> last;

    private final TakenBack takenBack;
    private boolean hasFailed;
    private @Nullable Cluster emptied;
    private @Nullable Cluster withoutJobs;
    private final Map<Object, Boolean> hopeless = new HashMap<>();

    Planning(PlanInput input, Places places, Set<Integer> last) {
        this.input = input;
        this.places = places;
        this.last = new HashSet<>(last);
        this.takenBack = new TakenBack(input);
        this.victims = new Victims(input);
        this.session = Session.of(input);
        this.reasons = new PendingReason[input.jobs().size()];
        this.shares = session.shares();
        this.gate = new Gate(places, shares);
    }

    /** A round of all passes begins: shares are divided by what the queues hold and ask for now, and no reason is known yet. */
    void beginRound() {
        shares = session.shares();
        gate = new Gate(places, shares);
        unproven.clear();
        Arrays.fill(reasons, null);
    }

    /** Whether a job is not asked yet, as all others come first. */
    boolean isLast(int job) {
        return last.contains(job);
    }

    /** From now on all jobs are asked; returns whether some were not. */
    boolean askAll() {
        boolean isMore = !last.isEmpty();
        last.clear();
        return isMore;
    }

    /** The jobs that should be asked last. */
    Set<Integer> takenBack() {
        return takenBack.jobs();
    }

    /** How many statements were taken. */
    int taken() {
        return taken;
    }

    PlanInput input() {
        return input;
    }

    Places places() {
        return places;
    }

    Session session() {
        return session;
    }

    Queues.Shares shares() {
        return shares;
    }

    Victims victims() {
        return victims;
    }

    Timeline timeline() {
        return Objects.requireNonNull(session.timeline(), "timeline");
    }

    /** What a job asks for next; null if it asks for nothing, or cannot be decided about. */
    @Nullable
    Request next(int job) {
        if (undecidable.containsKey(job) || isLast(job)) {
            return null;
        }
        try {
            return session.next(job);
        } catch (RuntimeException e) {
            cannotDecide(job, e);
            return null;
        }
    }

    /** Does something about one job; if that fails, the others are still planned. */
    void guarded(int job, Runnable step) {
        if (undecidable.containsKey(job)) {
            return;
        }
        try {
            step.run();
        } catch (RuntimeException e) {
            cannotDecide(job, e);
        }
    }

    /** Takes note that a job cannot be decided about. */
    void cannotDecide(int job, RuntimeException because) {
        undecidable.put(job, new PendingReason.Undecidable(String.valueOf(because.getMessage())));
    }

    /** Returns why a statement is not taken, were it proposed; null if it would be. */
    @Nullable
    PendingReason judge(Statement statement) {
        return gate.broken(session, statement);
    }

    /** Takes a statement that the gate admitted. */
    void take(Statement statement) {
        taken++;
        takenBack.note(statement, causes);
        session = statement.after();
        boolean releases = false;
        for (Statement.Change change : statement.changes()) {
            PodId pod = change.placement().pod();
            causes.remove(pod);
            if (change.kind() != Statement.Kind.RESTORE) {
                causes.put(pod, new Cause(statement.pass(), change.job(), statement.job()));
            }
            releases |= change.kind() == Statement.Kind.EVICT;
        }
        statement.jobs().forEach(victims::changed);
        if (releases) {
            refusals.clear();
        }
    }

    /** Takes a statement if the gate admits it; returns why it does not. */
    @Nullable
    PendingReason propose(Statement statement) {
        PendingReason reason = judge(statement);
        if (reason == null) {
            take(statement);
        }
        return reason;
    }

    /** Starts members where they were found; returns why they do not. */
    @Nullable
    PendingReason start(CyclePass pass, Request request, List<Placement> found, boolean isDecided) {
        List<Placement> placements = inOrder(request.job(), ofMembers(request, found));
        Session after = session.start(request.job(), placements);
        if (after == null) {
            return forbidden(placements);
        }
        boolean isPlain = request.isAlone() && !input.isRuled() && pass != CyclePass.BACKFILL;
        return propose(new Statement(
                pass,
                request.job(),
                request.atLeast(),
                after,
                Statement.changes(Statement.Kind.START, request.job(), placements),
                isDecided || isPlain,
                isDecided || isPlain));
    }

    /** Holds places for members that were found once all has ended; returns why they are not held. */
    @Nullable
    PendingReason nominate(CyclePass pass, Request request, List<Placement> found) {
        List<Placement> placements = ofMembers(request, found);
        Session after = session.nominate(request.job(), placements);
        return after == null
                ? forbidden(placements)
                : propose(new Statement(
                        pass,
                        request.job(),
                        request.atLeast(),
                        after,
                        Statement.changes(Statement.Kind.NOMINATE, request.job(), placements),
                        false,
                        true));
    }

    private static PendingReason forbidden(List<Placement> placements) {
        return new PendingReason.Forbidden(
                PendingReason.Rule.ADMISSION, "node \"" + placements.get(0).node() + "\"");
    }

    /** Places that were found for a request as those of the members of its job, which may accept more GPU models. */
    List<Placement> ofMembers(Request request, List<Placement> found) {
        return Request.ofMembers(found, input.job(request.job()).job.group().pods());
    }

    /** Holds places again that were held before this plan, if they still may be. */
    void hold(int job, List<Placement> places) {
        Session after = session.nominate(job, places);
        if (after != null) {
            Statement statement = statement(Statement.Kind.NOMINATE, job, places, after);
            if (judge(statement) == null) {
                session = after;
            }
        }
    }

    /** Starts members where places were held for them, if these are free; returns whether they start. */
    boolean startNominated(int job, List<Placement> places) {
        List<Placement> inOrder = inOrder(job, places);
        Session after = session.start(job, inOrder);
        return after != null && propose(statement(Statement.Kind.START, job, inOrder, after)) == null;
    }

    /** Places in an order in which rules between pods let members start there, if there is one. */
    private List<Placement> inOrder(int job, List<Placement> placements) {
        Session after = input.job(job).needsOthers ? session.start(job, placements) : null;
        List<Placement> inOrder =
                after == null ? placements : places.inOrder(Places.View.NOW, after.now(), input.job(job), placements);
        return inOrder == null ? placements : inOrder;
    }

    private Statement statement(Statement.Kind kind, int job, List<Placement> places, Session after) {
        return new Statement(
                CyclePass.ALLOCATE, job, after.held(places), after, Statement.changes(kind, job, places), false, false);
    }

    /** Goes on with other reserved starts. */
    void begin(@Nullable Timeline timeline) {
        session = session.withTimeline(timeline);
    }

    /** Takes note of what is reserved now, and of the first job that waits; returns whether something is reserved otherwise. */
    boolean note(int first) {
        firstWaiting = first;
        Map<Integer, Timeline.Hold> holds = new HashMap<>();
        timeline().holds().forEach(hold -> holds.put(hold.job(), hold));
        boolean isChanged = false;
        for (int j = 0; j < input.jobs().size(); j++) {
            JobStatus status = session.status(j);
            Timeline.Hold hold = holds.get(j);
            boolean isStarted = status.started().orElse(input.time() - 1) == input.time(); // it does not leave at once
            Reservation reservation = hold != null
                    ? new Reservation(hold.from(), hold.placements())
                    : isStarted ? input.job(j).job.status().reservation().orElse(null) : null;
            if (!Objects.equals(status.reservation().orElse(null), reservation)) {
                session = session.withStatus(j, status.withReservation(Optional.ofNullable(reservation)));
                isChanged = true;
            }
        }
        return isChanged;
    }

    /** Returns that a request waits behind the first job that waits, where no job may pass it; null if it need not. */
    @Nullable
    PendingReason behind(Request request) {
        boolean mayPass = input.settings().passing() || firstWaiting < 0 || firstWaiting == request.job();
        return mayPass ? null : new PendingReason.Behind(input.job(firstWaiting).name());
    }

    /** Returns that others leave or move for a request only later; null if they may now. */
    @Nullable
    PendingReason delayed(Request request) {
        JobSpec spec = input.job(request.job()).job.spec();
        long until = spec.submitted() + spec.preemptionDelay();
        return spec.preemptionDelay() > 0 && input.time() < until
                ? new PendingReason.Delayed(until, Certainty.PROVEN)
                : null;
    }

    /** Returns why quotas forbid a request wherever it goes; null if they do not. */
    @Nullable
    PendingReason overQuota(Request request) {
        PendingReason reason = LimitLaw.forbids(session, input.job(request.job()).queue, request.atLeast());
        return reason == null ? DeservedLaw.forbids(session, request) : reason;
    }

    /**
     * Returns what to ask for where quotas forbid the places that were found: other GPU models than one that a queue may have no more of,
     * or those of unequal members that hold the fewest GPUs; null if there is no other choice.
     */
    @Nullable
    Request other(Request request, @Nullable PendingReason reason) {
        QueueResource resource = reason instanceof PendingReason.OverLimit over
                ? over.resource()
                : reason instanceof PendingReason.OverDeserved over ? over.resource() : null;
        if (resource == null || reason == null || reason.certainty() == Certainty.PROVEN) {
            return null;
        }
        if (resource.kind() == QueueResource.Kind.GPU_MODEL) {
            return request.withoutModel(resource.name());
        }
        return request.whole() == null
                ? null
                : input.job(request.job()).smallest(request, session.status(request.job()));
    }

    Places.Found find(Places.View view, Cluster cluster, Request request) {
        return places.find(view, cluster, request, input.job(request.job()));
    }

    /** The refusal of a request that found no room. */
    PendingReason noRoom(Request request, Places.Found found) {
        PendingReason reason = new PendingReason.NoRoom(Objects.requireNonNull(found.refusal(), "refusal"), 0);
        if (session.isPlain()) {
            remember(request, reason);
        }
        return reason;
    }

    /** The refusal of a request that finds no room on a snapshot by arithmetic alone. */
    PendingReason noRoom(Request request, Cluster cluster) {
        return new PendingReason.NoRoom(places.refuse(cluster, request, input.job(request.job()), Certainty.PROVEN), 0);
    }

    void remember(Request request, PendingReason reason) {
        Object kind = request.kind();
        if (kind != null && !input.isRuled()) {
            refusals.put(kind, reason);
        }
    }

    /** Returns why a request that is like one before is refused, told as of now; null if that is not known. */
    @Nullable
    PendingReason knownRefusal(Request request) {
        Object kind = request.kind();
        PendingReason reason = kind == null ? null : refusals.get(kind);
        return reason == null || reason.certainty() != Certainty.PROVEN ? reason : noRoom(request, session.later());
    }

    /** Takes note that a search for victims or moves found none: from now on requests are first asked whether they are hopeless. */
    void failed() {
        hasFailed = true;
    }

    /**
     * Returns that a request finds no room even without all that may ever leave; null if that is not known. What starts in this plan is
     * not among these, so the answer holds throughout.
     */
    @Nullable
    PendingReason hopeless(Request request) {
        Object kind = request.kind();
        if (kind == null || !hasFailed || input.isRuled()) {
            return null;
        }
        boolean isHopeless = hopeless.computeIfAbsent(kind, any -> {
            Places.Found found = find(Places.View.EMPTIED, emptied(), request);
            return found.refusal() != null && found.refusal().certainty() == Certainty.PROVEN;
        });
        return isHopeless
                ? new PendingReason.NoRoom(
                        places.refuse(emptied(), request, input.job(request.job()), Certainty.PROVEN),
                        victims.all(session).pods())
                : null;
    }

    /** The cluster without all that jobs hold. */
    Cluster withoutJobs() {
        Cluster known = withoutJobs;
        if (known == null) {
            List<Placement> leaving = new ArrayList<>();
            for (JobFacts facts : input.jobs()) {
                leaving.addAll(facts.job.status().running());
                leaving.addAll(facts.job.status().terminating());
            }
            known = Snapshots.without(input.cluster(), leaving);
            withoutJobs = known;
        }
        return known;
    }

    private Cluster emptied() {
        Cluster known = emptied;
        if (known == null) {
            List<Placement> leaving = new ArrayList<>();
            for (JobFacts facts : input.jobs()) {
                if (facts.job.spec().eviction() != Eviction.NEVER) {
                    leaving.addAll(facts.job.status().running());
                    leaving.addAll(facts.job.status().terminating());
                }
            }
            known = Snapshots.without(Session.of(input).later(), leaving);
            emptied = known;
        }
        return known;
    }

    /** Takes note of why a job waits. */
    void refuse(int job, PendingReason reason) {
        reasons[job] = reason;
        noteUnproven(job, reason);
    }

    private void noteUnproven(int job, PendingReason reason) {
        if (reason.certainty() == Certainty.LIMIT) {
            unproven.add(job);
        }
    }

    /**
     * Takes note of why others do not leave for a job, unless that nothing may leave is all there is to say, quotas forbid it anyhow, or its
     * start is known.
     */
    void refuseToEvict(int job, PendingReason reason) {
        noteUnproven(job, reason);
        PendingReason before = reasons[job];
        boolean isKnown = before instanceof PendingReason.OverLimit
                || before instanceof PendingReason.OverDeserved
                || before instanceof PendingReason.Reserved;
        if (before == null || !isKnown && !(reason instanceof PendingReason.NoVictims)) {
            reasons[job] = reason;
        }
    }

    /** Takes note that no moves were found for a job. */
    void refuseToMove(int job, PendingReason reason) {
        if (reason instanceof PendingReason.NoMove) {
            noteUnproven(job, reason);
        }
    }

    /** Whether each pass that refused a job had a proof. */
    boolean isProven(int job) {
        return !unproven.contains(job);
    }

    /** Takes note since when a job runs with fewer members than its minimum. */
    void stale(int job, long since) {
        JobStatus status = session.status(job);
        if (status.staleSince().orElse(since - 1) != since) {
            session = session.withStatus(job, status.withStaleSince(since));
        }
    }

    @Nullable
    PendingReason reason(int job) {
        PendingReason wrong = undecidable.get(job);
        return wrong == null ? reasons[job] : wrong;
    }

    /** The pods to which something happened, in the order of what happened last, with the pass and for which job. */
    void forEachCause(CauseConsumer consumer) {
        causes.forEach((pod, cause) -> consumer.accept(pod, cause.job, cause.pass, cause.beneficiary));
    }

    /** Hears of what happened to a pod. */
    interface CauseConsumer {
        void accept(PodId pod, int job, CyclePass pass, int beneficiary);
    }
}
