package io.gpusched.kubernetes.decide;

import io.gpusched.manifests.grant.JobRecord;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.queue.CyclePass;
import io.gpusched.queue.Plan;
import io.gpusched.queue.PlanStep;
import java.time.Clock;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Decides about all jobs at once: turns the plan of {@link CyclePlans} into bindings and {@link RoomPlans}. It runs when something changed that matters, at most ten times a second and half of the time, and
 * every ten seconds while a pod waits.
 *
 * <p>No pod is moved: a pod that is evicted comes back under another name, so that its place could not be held for it.
 */
final class CycleRound {
    private static final long SHORTEST_PAUSE_MILLIS = 100;
    private static final long LONGEST_PAUSE_MILLIS = 10_000;

    private final CyclePlans plans;
    private final RoomPlans rooms;
    private final Binder binder;
    private final WaitingWords waiting;
    private final Delays delays;
    private final Clock clock;

    /** The jobs of the last plan with a pod that could not be bound. */
    private final Set<String> unbound = new HashSet<>();

    private boolean changed = true;
    private boolean anyoneWaits;
    private long notBefore = Long.MIN_VALUE;
    private long last = Long.MIN_VALUE / 2;

    CycleRound(CyclePlans plans, RoomPlans rooms, Binder binder, WaitingWords waiting, Delays delays, Clock clock) {
        this.plans = plans;
        this.rooms = rooms;
        this.binder = binder;
        this.waiting = waiting;
        this.delays = delays;
        this.clock = clock;
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

    private Decisions plan(long now) {
        Decisions early = Decisions.empty();
        rooms.refresh(now, early);
        Set<PodId> kept = new HashSet<>(rooms.kept());
        CyclePlans.Planned one = plans.plan(now, kept);
        kept.removeAll(rooms.kept());
        unbound.clear();
        Plan plan = one.plan();
        Decisions decisions = one.decisions();
        decisions.rooms().addAll(early.rooms());
        decisions.withdrawn().addAll(early.withdrawn());
        decisions.cancelled().addAll(early.cancelled());
        if (one.violating().isEmpty()) {
            carryOut(plan, one.inputs(), decisions);
        } else {
            bind(plan, one.inputs(), decisions);
        }
        waiting.add(one, plans.policy(), kept.size(), decisions);
        plans.remember(plan);
        anyoneWaits = !plan.pending().isEmpty();
        return decisions;
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

    /** A job with a pod that cannot be bound starts none: it is one transaction. */
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
            waiting.failed(input, "the scheduler failed: " + e, decisions);
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
}
