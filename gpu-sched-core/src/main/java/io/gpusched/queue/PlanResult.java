package io.gpusched.queue;

import io.gpusched.decision.Certainty;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a finished plan comes to: the steps from the state to the session at its end, and why jobs wait as of then. */
final class PlanResult {
    private final Planning plan;
    private final PlanInput input;
    private final Session end;
    private final List<PlanStep> steps = new ArrayList<>();

    PlanResult(Planning plan) {
        this.plan = plan;
        this.input = plan.input();
        this.end = plan.session();
    }

    Plan plan() {
        JobNumbers unsettled = end.unsettled();
        for (int i = 0; i < unsettled.size(); i++) {
            addWithdrawn(unsettled.get(i));
        }
        plan.forEachCause(this::addStep);
        for (int i = 0; i < unsettled.size(); i++) {
            addReserved(unsettled.get(i));
        }
        List<PendingJob> pending = pending();
        return new Plan(steps, pending, after());
    }

    private static @Nullable Placement of(List<Placement> placements, PodId pod) {
        for (Placement placement : placements) {
            if (placement.pod().equals(pod)) {
                return placement;
            }
        }
        return null;
    }

    /** Places that were held and are neither held nor taken any more. */
    private void addWithdrawn(int job) {
        JobStatus before = input.job(job).job.status();
        for (Placement placement : before.nominated()) {
            Placement runs = of(end.status(job).running(), placement.pod());
            Placement held = of(end.status(job).nominated(), placement.pod());
            if (!placement.equals(runs) && !placement.equals(held)) {
                steps.add(new PlanStep.Withdraw(input.job(job).name(), placement, CyclePass.ALLOCATE));
            }
        }
    }

    private void addStep(PodId pod, int job, CyclePass pass, int beneficiary) {
        JobStatus before = input.job(job).job.status();
        JobStatus after = end.status(job);
        String name = input.job(job).name();
        String other = input.job(beneficiary).name();
        Placement ran = of(before.running(), pod);
        Placement runs = of(after.running(), pod);
        Placement wasHeld = of(before.nominated(), pod);
        Placement isHeld = of(after.nominated(), pod);
        if (ran != null && runs == null) {
            steps.add(
                    isHeld != null
                            ? new PlanStep.Move(name, ran, isHeld, other, CyclePass.CONSOLIDATE)
                            : new PlanStep.Evict(
                                    name, ran, job == beneficiary ? Optional.empty() : Optional.of(other), pass));
        } else if (ran == null && runs != null) {
            steps.add(new PlanStep.Bind(name, runs, pass));
        } else if (isHeld != null && !isHeld.equals(wasHeld)) {
            steps.add(new PlanStep.Nominate(name, isHeld, pass));
        }
    }

    private void addReserved(int job) {
        Reservation before = input.job(job).job.status().reservation().orElse(null);
        JobStatus status = end.status(job);
        Reservation after = status.reservation().orElse(null);
        boolean isPlaced = !status.running().isEmpty() || !status.nominated().isEmpty();
        if (before != null && after == null && !isPlaced) {
            before.placements()
                    .forEach(placement ->
                            steps.add(new PlanStep.Withdraw(input.job(job).name(), placement, CyclePass.BACKFILL)));
        }
        if (after != null && !after.equals(before)) {
            after.placements()
                    .forEach(placement -> steps.add(
                            new PlanStep.Reserve(input.job(job).name(), placement, after.start(), CyclePass.BACKFILL)));
        }
    }

    private List<PendingJob> pending() {
        Map<Integer, PendingReason> expected = end.timeline() != null ? forecast() : Map.of();
        List<PendingJob> pending = new ArrayList<>();
        for (int i = 0; i < end.unsettled().size(); i++) {
            int j = end.unsettled().get(i);
            JobFacts facts = input.job(j);
            int members = facts.size - end.status(j).running().size();
            if (members > 0) {
                PendingReason reason = expected.get(j);
                pending.add(new PendingJob(facts.name(), members, reason == null ? reason(j) : reason));
            }
        }
        return pending;
    }

    private PendingReason reason(int job) {
        JobStatus status = end.status(job);
        PendingReason reason = plan.reason(job);
        if (reason != null) {
            return plan.isProven(job) ? reason : unproven(reason);
        }
        if (!status.nominated().isEmpty()) {
            return nominated(status);
        }
        return status.terminating().isEmpty()
                ? new PendingReason.NotAsked()
                : new PendingReason.Ending(status.terminating().size());
    }

    private static PendingReason nominated(JobStatus status) {
        return new PendingReason.Nominated(
                status.nominated().stream().map(Placement::node).distinct().toList());
    }

    /** What the last pass tells is no proof if one before it had none. */
    private static PendingReason unproven(PendingReason reason) {
        if (reason instanceof PendingReason.NoRoom none) {
            Unschedulable refusal = none.refusal();
            return new PendingReason.NoRoom(
                    Unschedulable.of(refusal.subject(), Certainty.LIMIT, refusal::diagnosis), none.evictable());
        } else if (reason instanceof PendingReason.OverFairShare over) {
            return new PendingReason.OverFairShare(
                    over.queue(), over.resource(), over.used(), over.asked(), over.fairShare(), Certainty.LIMIT);
        } else if (reason instanceof PendingReason.TooLittle little) {
            return new PendingReason.TooLittle(
                    little.resource(), little.asked(), little.free(), little.evictable(), Certainty.LIMIT);
        } else if (reason instanceof PendingReason.Delayed delayed) {
            return new PendingReason.Delayed(delayed.until(), Certainty.LIMIT);
        } else if (reason instanceof PendingReason.NoVictims none) {
            return new PendingReason.NoVictims(none.pass(), Certainty.LIMIT);
        }
        return reason;
    }

    /**
     * When jobs start: a job with a reservation as it says; others as early as possible beside what is reserved and those that come before
     * them in fair order, until as many are told as the settings say.
     */
    private Map<Integer, PendingReason> forecast() {
        Map<Integer, PendingReason> told = new LinkedHashMap<>();
        Timeline timeline = plan.timeline();
        Set<Timeline.Hold> certain = timeline.certain(end);
        Map<Long, Integer> ends = timeline.ends(end);
        for (Timeline.Hold hold : timeline.holds()) {
            told.put(
                    hold.job(),
                    new PendingReason.Reserved(
                            hold.from(),
                            certain.contains(hold) ? StartCertainty.BOUND : StartCertainty.ESTIMATE,
                            waitsFor(ends, hold.from())));
        }
        new Forecast(timeline, told).run();
        return told;
    }

    private Optional<String> waitsFor(Map<Long, Integer> ends, long start) {
        return Optional.ofNullable(ends.get(start)).map(job -> input.job(job).name());
    }

    /** Expected starts of jobs that have no reservation. */
    private final class Forecast implements FairOrder.Decider {
        private Timeline timeline;
        private final Map<Integer, PendingReason> told;
        private int left = input.settings().forecasts();

        Forecast(Timeline timeline, Map<Integer, PendingReason> told) {
            this.timeline = timeline;
            this.told = told;
        }

        void run() {
            FairOrder order = new FairOrder(plan);
            boolean isMore = true;
            while (isMore && left > 0) {
                isMore = order.serveNext(this);
            }
        }

        @Override
        public PendingReason decide(Request request) {
            int job = request.job();
            PendingReason now = reason(job);
            boolean isAsked = request.isMinimum()
                    && !told.containsKey(job)
                    && !(now instanceof PendingReason.OverLimit)
                    && !(now instanceof PendingReason.OverDeserved);
            if (isAsked) {
                left--;
                foresee(request, now);
            }
            return now;
        }

        @Override
        public void refuse(Request request, PendingReason reason) {
            // told already
        }

        private void foresee(Request request, PendingReason now) {
            Timeline reserved = timeline.reserve(request, Timeline.NEVER);
            Timeline.Hold hold = reserved == null ? null : reserved.reservation(request.job());
            if (reserved != null && hold != null) {
                timeline = reserved;
                told.put(
                        request.job(),
                        new PendingReason.Expected(hold.from(), waitsFor(reserved.ends(end), hold.from()), now));
            }
        }
    }

    private QueueState after() {
        List<Job> after = new ArrayList<>(input.state().jobs());
        boolean isChanged = false;
        for (int i = 0; i < end.unsettled().size(); i++) {
            int j = end.unsettled().get(i);
            Job job = input.job(j).job;
            JobStatus status = end.status(j);
            if (!status.equals(job.status())) {
                after.set(j, job.withStatus(status));
                isChanged = true;
            }
        }
        return isChanged ? input.state().after(end.now(), after) : input.state();
    }
}
