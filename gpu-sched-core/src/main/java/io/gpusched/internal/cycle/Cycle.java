package io.gpusched.internal.cycle;

import io.gpusched.decision.Certainty;
import io.gpusched.decision.CyclePass;
import io.gpusched.decision.PendingReason;
import io.gpusched.decision.PlanStep;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.policy.CycleSettings;
import io.gpusched.workload.CycleState;
import io.gpusched.workload.Job;
import io.gpusched.workload.Reservation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What all passes share: jobs, queues and snapshots as the cycle goes on, and the steps so far. Each step changes all of them. */
final class Cycle {
    final CycleSettings settings;
    final long time;
    final ResourceTable resources;
    final Queues queues;
    final List<JobState> jobs;

    /** The jobs that were not settled when the cycle started, or were changed since, in their order. */
    private final NavigableSet<JobState> open = new TreeSet<>(Comparator.comparingInt((JobState job) -> job.index));

    final Snapshots snapshots;
    final Placers placers;
    final Reservations reservations;
    final QueueOrder queueOrder;
    final JobOrder jobOrder;
    private final CycleState state;
    private final Ledger ledger;
    private final List<PlanStep> steps = new ArrayList<>();
    private final Map<PodId, Placement> startedNow = new HashMap<>();

    /** How often something was decided, be it taken back later. */
    private int decisions;

    Cycle(Ledger ledger, CycleState state, long time, Placers placers) {
        this.ledger = ledger;
        this.state = state;
        this.time = time;
        this.settings = ledger.settings;
        this.placers = placers;
        resources = ledger.resources;
        queues = ledger.queues;
        jobs = ledger.jobs();
        open.addAll(ledger.open());
        List<Placement> terminating = new ArrayList<>();
        List<Placement> nominated = new ArrayList<>();
        for (JobState job : open) {
            terminating.addAll(job.terminating.values());
            nominated.addAll(job.nominated.values());
        }
        queueOrder = new QueueOrder(settings.queueOrder(), ledger.shared());
        jobOrder = new JobOrder(settings.jobOrder());
        snapshots = new Snapshots(state.cluster(), terminating, nominated);
        ledger.waiting.start(jobOrder);
        snapshots.lost().forEach(this::lose);
        reservations = new Reservations(settings.backfill(), time);
    }

    private void lose(Placement nominated) {
        JobState job = owner(nominated);
        withdraw(job, nominated, CyclePass.ALLOCATE);
        ledger.waiting.standAlone(job);
    }

    private JobState owner(Placement placement) {
        JobState job = ledger.owner(placement.pod());
        if (job == null) {
            throw new IllegalStateException("pod \"" + placement.pod() + "\" has no job");
        }
        return job;
    }

    /** The jobs of which members wait, terminate or have changed in this cycle, in their order. */
    Collection<JobState> open() {
        return Collections.unmodifiableSet(open);
    }

    private void changed(JobState job) {
        open.add(job);
        ledger.changed(job);
    }

    /** Who may leave as things are now. */
    VictimIndex victims() {
        ledger.victims.at(state.cluster(), time);
        return ledger.victims;
    }

    /** What found no room as things are. */
    Refusals refusals() {
        return ledger.refusals;
    }

    /**
     * Returns why a request is hopeless: it finds no room even without all who may ever leave. Null if that is not known, or not asked
     * yet and not to be asked now.
     */
    @Nullable
    PendingReason hopeless(Ask ask, boolean isAsked) {
        if (!ask.isAlone() || !isAsked && ledger.hopeless.isEmpty()) {
            return null;
        }
        Cluster emptied = ledger.emptied.of(snapshots.later());
        ledger.hopeless.follow(emptied);
        ledger.hopeless.hold(emptied);
        boolean isKnown = ledger.hopeless.find(ask) != null;
        if (!isKnown && isAsked) {
            Unschedulable refusal =
                    Placers.place(placers.emptied(), emptied, ask).refusal();
            if (refusal != null && refusal.certainty() == Certainty.PROVEN) {
                isKnown = true;
                ledger.hopeless.add(ask, new PendingReason.NoRoom(refusal, 0));
            }
        }
        return isKnown
                ? new PendingReason.NoRoom(
                        Placers.refuse(placers.emptied(), emptied, ask),
                        victims().all().pods())
                : null;
    }

    /** The jobs in fair order of those that ask for something. */
    FairOrder fairOrder() {
        return new FairOrder(queues, queueOrder, ledger.waiting);
    }

    /** Returns why quotas forbid what a request would get, which may be more than the least that was assumed; null if they do not. */
    @Nullable
    PendingReason forbids(Ask ask, List<Placement> placements) {
        long[] held = held(ask.job(), placements);
        return Vectors.isWithin(held, ask.asked())
                ? null
                : queues.forbids(ask.job().queue, held, ask.isFixed(), Certainty.LIMIT);
    }

    /** What these placements hold together. */
    long[] held(JobState job, List<Placement> placements) {
        long[] held = new long[resources.size()];
        placements.forEach(placement -> Vectors.add(held, job.held(placement, state.cluster())));
        return held;
    }

    /** Whether others may not leave for a job yet. */
    boolean isDelayed(JobState job) {
        long delay = job.job.preemptionDelay();
        return delay > 0 && time - job.job.submitted() < delay;
    }

    /** Pods of a request start, or are nominated where they have to wait; returns whether they start. */
    boolean admit(Ask ask, List<Placement> found, CyclePass pass) {
        ask.job().reason = null;
        return place(ask.job(), ask.ofMembers(found), ask.isFixed(), pass);
    }

    private boolean place(JobState job, List<Placement> placements, boolean isFixed, CyclePass pass) {
        boolean starts = snapshots.canStart(placements);
        if (starts) {
            snapshots.start(placements);
        } else {
            snapshots.nominate(placements);
        }
        for (Placement placement : placements) {
            if (starts) {
                run(job, placement, pass);
            } else {
                job.nominated.put(placement.pod(), placement);
                add(new PlanStep.Nominate(job.name(), placement, pass));
            }
            job.queue.use(job.held(placement, snapshots.later()), isFixed);
        }
        ledger.waiting.standAlone(job);
        changed(job);
        if (starts) { // others of its minimum may be enough now
            startNominated(job);
        }
        return starts;
    }

    /** Those of a job start whose places were held for them and are free now: a minimum together, others for themselves. */
    void startNominated(JobState job) {
        if (job.nominated.isEmpty()) {
            return;
        }
        List<Placement> places = List.copyOf(job.nominated.values());
        if (!Members.isMinimum(job.job.group(), job.running.keySet())) {
            startNominated(job, places);
        } else {
            places.forEach(place -> startNominated(job, List.of(place)));
        }
    }

    private void startNominated(JobState job, List<Placement> placements) {
        if (!snapshots.canStartNominated(placements)) {
            return;
        }
        snapshots.startNominated(placements);
        for (Placement placement : placements) {
            PodId pod = placement.pod();
            job.nominated.remove(pod);
            if (!job.job.nominated().contains(placement)) { // but in this plan
                steps.removeIf(
                        step -> step instanceof PlanStep.Nominate && step.pod().equals(pod));
            }
            run(job, placement, CyclePass.ALLOCATE);
        }
        changed(job);
    }

    private void run(JobState job, Placement placement, CyclePass pass) {
        job.running.put(placement.pod(), placement);
        startedNow.put(placement.pod(), placement);
        add(new PlanStep.Bind(job.name(), placement, pass));
    }

    private void add(PlanStep step) {
        steps.add(step);
        decisions++;
    }

    /** Places are reserved for a job from now on, or none any more. */
    void reserve(JobState job, @Nullable Reservation reservation) {
        Reservation before = job.reservation();
        if (Objects.equals(before, reservation)) {
            return;
        }
        if (before != null && reservation == null) {
            before.placements()
                    .forEach(placement -> add(new PlanStep.Withdraw(job.name(), placement, CyclePass.BACKFILL)));
        }
        if (reservation != null) {
            reservation
                    .placements()
                    .forEach(placement ->
                            add(new PlanStep.Reserve(job.name(), placement, reservation.start(), CyclePass.BACKFILL)));
        }
        ledger.waiting.standAlone(job);
        job.reserve(reservation);
    }

    /** A nominated place is given up. */
    void withdraw(JobState job, Placement placement, CyclePass pass) {
        snapshots.withdraw(placement);
        boolean isFixed = job.isFixed(job.isBelowMinimum());
        job.nominated.remove(placement.pod());
        job.queue.release(job.held(placement, state.cluster()), isFixed);
        add(new PlanStep.Withdraw(job.name(), placement, pass));
        changed(job);
    }

    /** Members begin to terminate; those that were to start in this cycle do not start. */
    void evict(JobState job, List<Placement> placements, Optional<String> beneficiary, CyclePass pass) {
        for (Placement placement : depart(job, placements)) {
            add(new PlanStep.Evict(job.name(), placement, beneficiary, pass));
        }
    }

    /**
     * Members begin to terminate that leave or move; all who move for one request leave first, as one may take the place of another. Those
     * that were to start in this cycle do not start.
     *
     * @return those that terminate
     */
    List<Placement> depart(JobState job, List<Placement> from) {
        List<Placement> cancelled = from.stream()
                .filter(placement -> startedNow.containsKey(placement.pod()))
                .toList();
        cancel(job, cancelled);
        List<Placement> ending = new ArrayList<>(from);
        ending.removeAll(cancelled);
        if (!ending.isEmpty()) {
            snapshots.evict(ending);
        }
        if (!ending.isEmpty() && job.reservation() != null) {
            job.reserve(null);
        }
        for (Placement placement : ending) {
            job.running.remove(placement.pod());
            job.terminating.put(placement.pod(), placement);
            job.queue.release(job.held(placement, snapshots.now()), false);
            changed(job);
        }
        return ending;
    }

    private void cancel(JobState job, List<Placement> placements) {
        snapshots.cancel(placements);
        if (!placements.isEmpty()) {
            ledger.waiting.standAlone(job);
        }
        for (Placement placement : placements) {
            PodId pod = placement.pod();
            startedNow.remove(pod);
            job.running.remove(pod);
            job.queue.release(job.held(placement, snapshots.now()), false);
            steps.removeIf(step ->
                    step.pod().equals(pod) && (step instanceof PlanStep.Bind || step instanceof PlanStep.Nominate));
            decisions++;
            if (job.job.nominated().contains(placement)) {
                add(new PlanStep.Withdraw(job.name(), placement, CyclePass.ALLOCATE));
            }
            open.add(job);
            ledger.cancelled(job, pod);
        }
    }

    /** Members that have departed move to new places, which are held until they can start there. */
    void arrive(JobState job, List<Placement> from, List<Placement> to, String beneficiary) {
        if (from.stream().noneMatch(placement -> job.terminating.containsKey(placement.pod()))) {
            place(job, to, false, CyclePass.CONSOLIDATE);
            return;
        }
        snapshots.nominate(to);
        for (int i = 0; i < to.size(); i++) {
            Placement placement = to.get(i);
            job.nominated.put(placement.pod(), placement);
            job.queue.use(job.held(placement, snapshots.later()), false);
            add(
                    job.terminating.containsKey(placement.pod())
                            ? new PlanStep.Move(job.name(), from.get(i), placement, beneficiary, CyclePass.CONSOLIDATE)
                            : new PlanStep.Nominate(job.name(), placement, CyclePass.CONSOLIDATE));
        }
        changed(job);
    }

    List<PlanStep> steps() {
        return steps;
    }

    /** How often something was decided: more since somebody started, left or moved. */
    int decisions() {
        return decisions;
    }

    /** The state once all steps are done. */
    CycleState after() {
        if (open.stream().noneMatch(job -> job.isChanged)) {
            return state;
        }
        List<Job> after = new ArrayList<>(state.jobs());
        open.forEach(job -> after.set(job.index, job.after(time)));
        return new CycleState(snapshots.now(), state.queues(), after, state.usage());
    }
}
