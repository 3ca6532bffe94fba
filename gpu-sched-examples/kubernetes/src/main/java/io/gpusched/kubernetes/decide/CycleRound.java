package io.gpusched.kubernetes.decide;

import io.gpusched.dialect.Dialect;
import io.gpusched.kubernetes.quota.QueueVocabulary;
import io.gpusched.kubernetes.volume.AttachLimits;
import io.gpusched.manifests.grant.JobRecord;
import io.gpusched.manifests.view.ClusterBook;
import io.gpusched.manifests.view.Trouble;
import io.gpusched.model.Cluster;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.queue.CyclePass;
import io.gpusched.queue.CycleSettings;
import io.gpusched.queue.Job;
import io.gpusched.queue.PendingJob;
import io.gpusched.queue.Plan;
import io.gpusched.queue.PlanStep;
import io.gpusched.queue.QueueState;
import io.gpusched.queue.SchedulingCycle;
import io.gpusched.schedule.GpuScheduler;
import java.time.Clock;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides about all jobs at once: runs the library's cycle and turns its plan into bindings and {@link RoomPlans}. A plan is made again
 * where it would evict more than disruption budgets allow, attach more volumes than nodes do, or where a group found no room in the
 * narrowest domains that it may use. It runs when something changed that matters, at most ten times a second and half of the time, and
 * every ten seconds while a pod waits.
 *
 * <p>No pod is moved: a pod that is evicted comes back under another name, so that its place could not be held for it.
 */
final class CycleRound {
    private static final long SHORTEST_PAUSE_MILLIS = 100;
    private static final long LONGEST_PAUSE_MILLIS = 10_000;
    private static final long STALE_MILLIS = 60_000;

    /** How many plans are made in a round at most. */
    private static final int MOST_PLANS = 24;

    private final Tables tables;
    private final CycleStates states;
    private final JobBuilding building;
    private final SharedVolumes volumes;
    private final RoomPlans rooms;
    private final Budgets budgets;
    private final Delays delays;
    private final Binder binder;
    private final Refusals refusals;
    private final CycleSettings settings;
    private final Reserved reserved;
    private final Forecasts forecasts;
    private final Diagnoses diagnoses = new Diagnoses();
    private final boolean isOneQueue;
    private final Clock clock;
    private final Map<String, Long> staleSince = new HashMap<>();
    private final Sifting sifting = new Sifting();
    private final @Nullable PlanCheck check;
    private final PlanListener listener;

    /** The jobs of the last plan of which a pod could not be bound. */
    private final Set<String> unbound = new HashSet<>();

    private Set<PodId> protectedPods = Set.of();
    private @Nullable PlacementPolicy policy;
    private @Nullable SchedulingCycle cycle;
    private boolean changed = true;
    private boolean anyoneWaits;
    private long notBefore = Long.MIN_VALUE;
    private long last = Long.MIN_VALUE / 2;

    CycleRound(
            Tables tables,
            CycleStates states,
            JobBuilding building,
            SharedVolumes volumes,
            RoomPlans rooms,
            Budgets budgets,
            Delays delays,
            Binder binder,
            Refusals refusals,
            QueueSettings how,
            Clock clock) {
        this.settings = CycleSettings.standard()
                .withPasses(EnumSet.complementOf(EnumSet.of(CyclePass.CONSOLIDATE)))
                .withStaleGrace(STALE_MILLIS)
                .withBackfill(how.backfill())
                .withForecasts(0); // Forecasts tells starts, less often
        this.reserved = new Reserved(tables.book());
        this.forecasts = new Forecasts(how.backfill(), clock);
        this.check = how.verify() ? new PlanCheck() : null;
        this.listener = how.listener();
        this.tables = tables;
        this.states = states;
        this.building = building;
        this.volumes = volumes;
        this.rooms = rooms;
        this.budgets = budgets;
        this.delays = delays;
        this.binder = binder;
        this.refusals = refusals;
        this.clock = clock;
        this.isOneQueue = how.vocabulary() == QueueVocabulary.NONE;
    }

    /** Something has changed that may matter to a job. */
    void changed() {
        changed = true;
    }

    /** Returns when a cycle is due next: a time that is past if one is due; nothing if no pod waits. */
    OptionalLong nextAt() {
        if (changed) {
            return OptionalLong.of(notBefore);
        }
        OptionalLong delayed = delays.nextAfter(last);
        if (anyoneWaits || delayed.isPresent()) {
            long regular = anyoneWaits ? last + LONGEST_PAUSE_MILLIS : Long.MAX_VALUE;
            return OptionalLong.of(Math.max(notBefore, Math.min(regular, delayed.orElse(Long.MAX_VALUE))));
        }
        return OptionalLong.empty();
    }

    Decisions decide(long now) {
        OptionalLong next = nextAt();
        if (next.isEmpty() || next.getAsLong() > now) {
            return Decisions.empty();
        }
        long start = clock.millis();
        changed = false;
        last = now;
        Decisions decisions = plan(now);
        long took = Math.min(LONGEST_PAUSE_MILLIS, clock.millis() - start); // the clock may be set meanwhile
        notBefore = now + Math.max(SHORTEST_PAUSE_MILLIS, 2 * took);
        return decisions;
    }

    /** What came of one try to plan. */
    private record Try(
            Map<String, JobInput> inputs,
            QueueState before,
            long time,
            Plan plan,
            Decisions decisions,
            Set<PodId> violating) {}

    private Decisions plan(long now) {
        Decisions early = Decisions.empty();
        rooms.refresh(now, early);
        Set<PodId> kept = new HashSet<>(rooms.kept());
        kept.addAll(budgets.exhausted());
        building.begin();
        volumes.begin();
        Try one = attempt(now, kept);
        for (int i = 1; i < MOST_PLANS && isToBeMadeAgain(one, kept); i++) {
            one = attempt(now, kept);
        }
        protectedPods = new HashSet<>(kept);
        protectedPods.removeAll(rooms.kept());
        unbound.clear();
        Decisions decisions = one.decisions();
        listener.planned(Objects.requireNonNull(cycle, "cycle"), one.before(), one.time(), one.plan());
        Plan plan = lawful(one);
        decisions.rooms().addAll(early.rooms());
        decisions.withdrawn().addAll(early.withdrawn());
        decisions.cancelled().addAll(early.cancelled());
        if (one.violating().isEmpty()) {
            carryOut(plan, one.inputs(), decisions);
        } else {
            bind(plan, one.inputs(), decisions);
        }
        refuse(plan, one.inputs(), decisions);
        forecasts.add(plan, one.inputs(), Objects.requireNonNull(policy, "policy"), decisions);
        remember(plan);
        anyoneWaits = !plan.pending().isEmpty();
        return decisions;
    }

    /** Returns the jobs and the cluster as they are, without what keeps a job from being looked at. */
    QueueState seen(long now) {
        Decisions unused = Decisions.empty();
        List<Job> all = states.jobs(now, clock.millis(), Set.of(), unused).stream()
                .map(JobInput::job)
                .toList();
        return sifting.plan(
                all,
                some -> QueueState.of(tables.book().cluster(), tables.queues().tree(), some));
    }

    /** What stands against a plan is kept in mind for the next one. */
    private boolean isToBeMadeAgain(Try one, Set<PodId> kept) {
        boolean again = kept.addAll(one.violating());
        Map<PodId, Request.Ready> ready = new HashMap<>();
        one.inputs().values().forEach(input -> ready.putAll(input.ready()));
        again |= volumes.exceed(one.plan(), ready);
        Set<String> started = new HashSet<>();
        one.plan().bindings().forEach(step -> started.add(step.job()));
        for (JobInput input : one.inputs().values()) {
            if (input.isNarrowed()
                    && !input.ready().isEmpty()
                    && !started.contains(input.job().name())) {
                building.widen(input.unit());
                again = true;
            }
        }
        return again;
    }

    private Try attempt(long now, Set<PodId> kept) {
        Decisions decisions = Decisions.empty();
        Map<String, JobInput> inputs = new LinkedHashMap<>();
        List<Job> all = new ArrayList<>();
        long time = clock.millis();
        for (JobInput input : states.jobs(now, time, kept, decisions)) {
            try {
                all.add(job(input));
                inputs.put(input.job().name(), input);
            } catch (RuntimeException e) {
                failed(input, "the scheduler failed: " + e, decisions);
            }
        }
        AtomicReference<QueueState> before = new AtomicReference<>();
        Plan plan = sifting.plan(all, some -> {
            QueueState state =
                    QueueState.of(tables.book().cluster(), tables.queues().tree(), some);
            before.set(state);
            return cycle().plan(state, time);
        });
        sifting.failures().forEach((name, why) -> failed(Objects.requireNonNull(inputs.remove(name)), why, decisions));
        return new Try(inputs, Objects.requireNonNull(before.get()), time, plan, decisions, budgets.violating(plan));
    }

    /** A job as this cycle looks at it, with what earlier ones left. */
    private Job job(JobInput input) {
        Long since = staleSince.get(input.job().name());
        Job job = reserved.with(input);
        return since == null ? job : job.withStatus(job.status().withStaleSince(since));
    }

    /** Returns the plan without the steps that would break a law; the pods of their jobs say so. */
    private Plan lawful(Try one) {
        if (check == null) {
            return one.plan();
        }
        Map<String, String> stopped = check.stopped(one.before(), settings, one.time(), one.plan());
        stopped.forEach((name, laws) -> {
            JobInput input = one.inputs().get(name);
            if (input != null) {
                failed(input, "stopped, as it would break a law: " + laws, one.decisions());
                input.ready()
                        .values()
                        .forEach(ready -> one.decisions().troubles().add(trouble(ready.pod(), laws)));
            }
        });
        return PlanCheck.without(one.plan(), stopped.keySet());
    }

    private static Trouble trouble(PendingPod pod, String laws) {
        return new Trouble("Pod", pod.id().namespace(), pod.id().name(), pod.uid(), "LawBroken", laws);
    }

    private void failed(JobInput input, String why, Decisions decisions) {
        input.ready()
                .values()
                .forEach(
                        ready -> refusals.add(new Request.Blocked(ready.pod(), PendingReason.REFUSED, why), decisions));
    }

    /** By the policy of the first dialect, where a job names none. */
    private SchedulingCycle cycle() {
        ClusterBook book = tables.book();
        Dialect first = book.informed(book.dialects().first().dialect());
        if (cycle == null || !first.policy().equals(policy)) {
            policy = first.policy();
            cycle = SchedulingCycle.of(settings, GpuScheduler.of(first.policy()));
        }
        return cycle;
    }

    private void carryOut(Plan plan, Map<String, JobInput> inputs, Decisions decisions) {
        for (PlanStep step : plan.steps()) {
            JobInput input = Objects.requireNonNull(inputs.get(step.job()));
            if (step instanceof PlanStep.Withdraw withdraw && withdraw.pass() != CyclePass.BACKFILL) {
                rooms.withdraw(input.unit(), withdraw.placement(), decisions);
            } else if (step instanceof PlanStep.Bind bind) {
                bind(input, bind.placement(), decisions);
            } else if (step instanceof PlanStep.Nominate nominate) {
                rooms.nominate(input.unit(), nominate.placement());
            } else if (step instanceof PlanStep.Evict evict) {
                JobInput beneficiary = evict.beneficiary().map(inputs::get).orElse(input);
                rooms.evict(Objects.requireNonNull(beneficiary).unit(), evict);
            }
        }
        inputs.values().forEach(input -> input.lost().forEach(place -> rooms.withdraw(input.unit(), place, decisions)));
        rooms.write(decisions);
    }

    /** Only what starts without that anybody leaves. */
    private void bind(Plan plan, Map<String, JobInput> inputs, Decisions decisions) {
        plan.bindings()
                .forEach(step -> bind(Objects.requireNonNull(inputs.get(step.job())), step.placement(), decisions));
    }

    /** A job of which a pod cannot be bound starts none: it is one transaction. */
    private void bind(JobInput input, Placement placement, Decisions decisions) {
        Request.Ready ready = Objects.requireNonNull(input.ready().get(placement.pod()));
        if (unbound.contains(input.job().name())) {
            return;
        }
        try {
            decisions.bindings().add(binding(input, ready, placement));
            rooms.starts(input.unit(), placement.pod());
        } catch (RuntimeException e) {
            unbound.add(input.job().name());
            decisions.bindings().removeIf(binding -> takeBack(binding, input));
            failed(input, "the scheduler failed: " + e, decisions);
        }
    }

    private boolean takeBack(Binding binding, JobInput input) {
        boolean isIts = input.ready().containsKey(binding.pod().id());
        if (isIts) {
            binder.undo(binding);
        }
        return isIts;
    }

    private Binding binding(JobInput input, Request.Ready ready, Placement placement) {
        String terms =
                new JobRecord(input.job().queue(), ready.pod().group(), input.isPreemptible(), clock.millis()).write();
        return binder.bind(ready, placement, Map.of(JobRecord.ANNOTATION, terms));
    }

    private void refuse(Plan plan, Map<String, JobInput> inputs, Decisions decisions) {
        Set<PodId> starts = new HashSet<>();
        plan.bindings().forEach(step -> starts.add(step.pod()));
        for (PendingJob waiting : plan.pending()) {
            JobInput input = Objects.requireNonNull(inputs.get(waiting.job()));
            boolean hasStarted = hasStarted(input, starts);
            List<Supplier<String>> words = new ArrayList<>();
            input.ready().forEach((id, ready) -> {
                if (!starts.contains(id)) {
                    words.add(words(
                            waiting, input, ready, hasStarted, plan.after().cluster()));
                    refusals.add(ready, reason(waiting), words.get(words.size() - 1), decisions);
                }
            });
            if (input.unit() instanceof Unit.Group group && !words.isEmpty() && !hasStarted) {
                decisions.groups().add(new GroupResult(group.key(), words.get(0)));
            }
        }
    }

    private static PendingReason reason(PendingJob waiting) {
        boolean isQueue = waiting.reason() instanceof io.gpusched.queue.PendingReason.OverLimit
                || waiting.reason() instanceof io.gpusched.queue.PendingReason.OverDeserved;
        return isQueue ? PendingReason.QUEUE : PendingReason.NO_ROOM;
    }

    /** Whether a group runs, with those of its pods that start: it is not refused when its other pods are. */
    private static boolean hasStarted(JobInput input, Set<PodId> starts) {
        long starting = input.ready().keySet().stream().filter(starts::contains).count();
        return input.unit() instanceof Unit.Group
                && input.job().running().size() + starting
                        >= input.job().group().minMember();
    }

    private Supplier<String> words(
            PendingJob waiting, JobInput input, Request.Ready ready, boolean hasStarted, Cluster after) {
        int count = protectedPods.size();
        String budgetWords =
                count == 0 ? "" : "\n  disruption budgets protect " + count + (count == 1 ? " pod" : " pods");
        String refused = rooms.keptInWords();
        Supplier<String> besides = refusals.besides(ready);
        String start = hasStarted
                ? "PodGroup \"" + ((Unit.Group) input.unit()).key()
                        + "\" has started; there is no room for this pod beyond the minimum: "
                : "";
        PlacementPolicy fallback = Objects.requireNonNull(policy, "policy");
        boolean isDiagnosed = CycleWords.isDiagnosed(waiting.reason());
        return () -> {
            String diagnosis =
                    isDiagnosed ? "" : diagnoses.of(after, input, ready.pod().id(), hasStarted, fallback);
            String why = CycleWords.of(waiting.reason(), isOneQueue, diagnosis);
            String limits = why.contains(AttachLimits.PREFIX) ? AttachLimits.WORDS : "";
            return start + why + limits + budgetWords + refused + besides.get();
        };
    }

    private void remember(Plan plan) {
        reserved.remember(plan);
        staleSince.clear();
        for (Job job : plan.after().jobs()) {
            job.status().staleSince().ifPresent(since -> staleSince.put(job.name(), since));
        }
    }
}
