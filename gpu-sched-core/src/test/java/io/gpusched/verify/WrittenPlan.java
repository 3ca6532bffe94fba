package io.gpusched.verify;

import io.gpusched.model.Cluster;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.queue.Backfill;
import io.gpusched.queue.CyclePass;
import io.gpusched.queue.CycleSettings;
import io.gpusched.queue.Job;
import io.gpusched.queue.PendingJob;
import io.gpusched.queue.PendingReason;
import io.gpusched.queue.Plan;
import io.gpusched.queue.PlanStep;
import io.gpusched.queue.QueueState;
import io.gpusched.queue.Reservation;
import io.gpusched.testkit.TestJobs;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** A plan written down by hand, right or wrong, with the state that its steps lead to. */
final class WrittenPlan {
    private final QueueState before;
    private final long now;
    private CycleSettings settings = CycleSettings.standard();
    private final List<PlanStep> steps = new ArrayList<>();
    private final List<PendingJob> pending = new ArrayList<>();
    private final Map<String, Job> jobs = new LinkedHashMap<>();
    private Cluster cluster;

    private WrittenPlan(QueueState before, long now) {
        this.before = before;
        this.now = now;
        this.cluster = before.cluster();
        before.jobs().forEach(job -> jobs.put(job.name(), job));
    }

    static WrittenPlan of(QueueState before, long now) {
        return new WrittenPlan(before, now);
    }

    WrittenPlan with(Backfill rule) {
        settings = settings.withBackfill(rule);
        return this;
    }

    private Job job(String name) {
        return java.util.Objects.requireNonNull(jobs.get(name), name);
    }

    private static List<Placement> without(List<Placement> placements, PodId pod) {
        return placements.stream().filter(each -> !each.pod().equals(pod)).toList();
    }

    private static List<Placement> with(List<Placement> placements, Placement one) {
        List<Placement> more = new ArrayList<>(placements);
        more.add(one);
        return more;
    }

    WrittenPlan bind(String name, Placement placement) {
        steps.add(new PlanStep.Bind(name, placement, CyclePass.ALLOCATE));
        Job job = job(name);
        List<Placement> running = with(job.running(), placement);
        OptionalLong started = job.status().started().isPresent()
                        || running.size() < job.group().minMember()
                ? job.status().started()
                : OptionalLong.of(now);
        jobs.put(
                name,
                TestJobs.like(job)
                        .running(running)
                        .nominated(without(job.nominated(), placement.pod()))
                        .reservation(Optional.empty())
                        .build());
        started.ifPresent(
                time -> jobs.put(name, TestJobs.like(job(name)).started(time).build()));
        cluster = cluster.withRunning(placement);
        return this;
    }

    WrittenPlan nominate(String name, Placement placement, CyclePass pass) {
        steps.add(new PlanStep.Nominate(name, placement, pass));
        jobs.put(
                name,
                TestJobs.like(job(name))
                        .nominated(with(job(name).nominated(), placement))
                        .build());
        return this;
    }

    WrittenPlan evict(String name, Placement placement, String beneficiary, CyclePass pass) {
        steps.add(new PlanStep.Evict(name, placement, Optional.of(beneficiary), pass));
        leave(name, placement);
        return this;
    }

    private void leave(String name, Placement placement) {
        Job job = job(name);
        List<Placement> running = without(job.running(), placement.pod());
        Job left = TestJobs.like(job)
                .running(running)
                .terminating(with(job.terminating(), placement))
                .build();
        jobs.put(name, running.isEmpty() ? left.withStatus(left.status().notStarted()) : left);
    }

    WrittenPlan move(String name, Placement from, Placement to, String beneficiary) {
        steps.add(new PlanStep.Move(name, from, to, beneficiary, CyclePass.CONSOLIDATE));
        leave(name, from);
        jobs.put(
                name,
                TestJobs.like(job(name))
                        .nominated(with(job(name).nominated(), to))
                        .build());
        return this;
    }

    WrittenPlan reserve(String name, long start, Placement placement) {
        steps.add(new PlanStep.Reserve(name, placement, start, CyclePass.BACKFILL));
        jobs.put(
                name,
                TestJobs.like(job(name))
                        .reservation(Optional.of(new Reservation(start, List.of(placement))))
                        .build());
        return this;
    }

    WrittenPlan withdraw(String name, Placement placement) {
        steps.add(new PlanStep.Withdraw(name, placement, CyclePass.BACKFILL));
        jobs.put(
                name,
                TestJobs.like(job(name))
                        .reservation(Optional.empty())
                        .nominated(without(job(name).nominated(), placement.pod()))
                        .build());
        return this;
    }

    WrittenPlan waits(String name, PendingReason reason) {
        int members = job(name).group().pods().size() - job(name).running().size();
        pending.add(new PendingJob(name, members, reason));
        return this;
    }

    Plan plan() {
        return new Plan(steps, pending, before.with(cluster, List.copyOf(jobs.values())));
    }

    QueueState after() {
        return plan().after();
    }

    /** The laws it breaks, each once. */
    List<Law> broken() {
        return violations().stream().map(Violation::law).distinct().toList();
    }

    List<Violation> violations() {
        return Verifier.ofTries(1_000).check(before, settings, now, plan());
    }
}
