package io.gpusched.simulator.cycle;

import io.gpusched.model.Cluster;
import io.gpusched.model.ClusterBatch;
import io.gpusched.model.PodId;
import io.gpusched.queue.Backfill;
import io.gpusched.queue.Job;
import io.gpusched.queue.PendingJob;
import io.gpusched.queue.PendingReason;
import io.gpusched.queue.Plan;
import io.gpusched.queue.PlanStep;
import io.gpusched.queue.QueueState;
import io.gpusched.queue.SchedulingCycle;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.simulator.trace.TraceJob;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * One replay: jobs arrive, wait, run and end by their own times, and a scheduling cycle is planned whenever one arrives or ends, and
 * when a reserved start is due. What the scheduler is told of how long a job runs is its time limit.
 *
 * <p>Evictions and moves take no time: an evicted job has ended at once, and the next cycle of the same second starts what takes its place.
 * A job that is evicted keeps what it has run, and runs what is left of it once it starts again. Not thread-safe; the result depends on
 * the arguments alone.
 */
public final class CycleReplay {
    private final CycleScenario scenario;
    private final RunTimes times;
    private final CycleRule rule;
    private final Listener listener;
    private final SchedulingCycle cycle;
    private final QueueMeter meter;
    private final Map<String, JobProgress> jobs = new LinkedHashMap<>();

    /** The jobs that wait or run, in the order of the state's jobs. */
    private final List<JobProgress> present = new ArrayList<>();

    private final TreeSet<JobProgress> running = new TreeSet<>(JobProgress.BY_END);
    private Map<String, QueueMeter.Now> use = new HashMap<>();
    private List<PendingJob> waiting = List.of();
    private QueueState state;
    private int arrived;
    private long now;
    /** The earliest start that is reserved. */
    private long due = Long.MAX_VALUE;

    private int moves;

    private CycleReplay(CycleScenario scenario, CycleRule rule, RunTimes times, Listener listener) {
        this.listener = listener;
        this.scenario = scenario;
        this.times = times;
        this.rule = rule;
        this.cycle = SchedulingCycle.of(rule.settings(), GpuScheduler.create());
        this.meter = new QueueMeter(scenario);
        this.state = QueueState.of(Cluster.of(scenario.jobs().nodes()), scenario.queues(), List.of());
    }

    /** Hears of each plan: what was asked, and what came of it. */
    @FunctionalInterface
    public interface Listener {
        /**
         * Takes note of a plan.
         *
         * @param cycle what planned
         * @param state what was planned for
         * @param now the time in seconds
         * @param plan what was planned
         */
        void planned(SchedulingCycle cycle, QueueState state, long now, Plan plan);
    }

    /**
     * Plays the scenario until all jobs have ended or can never start.
     *
     * @param rule by which rules cycles decide
     * @param times what the scheduler is told of run times
     */
    public static CycleResult play(CycleScenario scenario, CycleRule rule, RunTimes times) {
        return play(scenario, rule, times, (cycle, state, now, plan) -> {});
    }

    /**
     * Plays the scenario until all jobs have ended or can never start.
     *
     * @param rule by which rules cycles decide
     * @param times what the scheduler is told of run times
     * @param listener hears of each plan
     */
    public static CycleResult play(CycleScenario scenario, CycleRule rule, RunTimes times, Listener listener) {
        CycleReplay replay = new CycleReplay(scenario, rule, times, listener);
        while (replay.next()) {
            replay.change();
            replay.plan();
            replay.settle();
        }
        return replay.result();
    }

    /** Goes to the next time at which something happens. */
    private boolean next() {
        long next = due;
        if (arrived < scenario.jobs().jobs().size()) {
            next = Math.min(next, scenario.jobs().jobs().get(arrived).lifetime().arrivalSeconds());
        }
        if (!running.isEmpty()) {
            next = Math.min(next, running.first().end());
        }
        for (JobProgress job : running) {
            next = Math.min(next, job.demotedFrom(rule.demotedAbove()));
        }
        if (next == Long.MAX_VALUE) {
            return false;
        }
        meter.until(next, use);
        now = next;
        return true;
    }

    /** Takes out the jobs that end now, demotes jobs that have used enough, and adds jobs that arrive. */
    private void change() {
        while (!running.isEmpty() && running.first().end() == now) {
            running.pollFirst().finish(now);
        }
        ClusterBatch batch = state.cluster().batch();
        List<Job> left = new ArrayList<>();
        for (int i = 0; i < present.size(); i++) {
            Job job = state.jobs().get(i);
            JobProgress progress = present.get(i);
            if (progress.isEnded()) {
                job.running().forEach(placement -> batch.release(placement.pod()));
            } else {
                left.add(
                        progress.runs() && progress.demotedFrom(rule.demotedAbove()) <= now
                                ? progress.demoted(job)
                                : job);
            }
        }
        present.removeIf(JobProgress::isEnded);
        List<TraceJob> all = scenario.jobs().jobs();
        while (arrived < all.size() && all.get(arrived).lifetime().arrivalSeconds() == now) {
            left.add(submit(all.get(arrived)));
        }
        state = state.with(batch.build(), left);
    }

    private Job submit(TraceJob job) {
        String queue = scenario.queueOf().getOrDefault(job.name(), "");
        boolean isPromised =
                rule.backfill() == Backfill.PROMISED && job.gpuMillis() > 1_000L * scenario.promisedAbove();
        JobProgress progress = new JobProgress(job, queue, arrived++, times, isPromised);
        jobs.put(job.name(), progress);
        present.add(progress);
        return progress.submitted();
    }

    /** Plans until no job is evicted any more. */
    private void plan() {
        List<PodId> leaving;
        do {
            Plan plan = cycle.plan(state, now);
            listener.planned(cycle, state, now, plan);
            moves += plan.moves().size();
            state = plan.after();
            leaving = Stream.concat(plan.evictions().stream(), plan.moves().stream())
                    .map(PlanStep::pod)
                    .toList();
            state = leaving.isEmpty() ? state : state.withEnded(leaving);
            waiting = plan.pending();
            due = Long.MAX_VALUE;
            waiting.forEach(this::note);
        } while (!leaving.isEmpty());
    }

    private void note(PendingJob pending) {
        JobProgress progress = jobs.get(pending.job());
        if (pending.reason() instanceof PendingReason.Reserved reserved && progress != null) {
            if (rule.backfill() != Backfill.PROMISED || progress.isPromised) {
                progress.promise(reserved.start());
            }
            due = reserved.start() > now ? Math.min(due, reserved.start()) : due;
        }
    }

    /** Notes which jobs have started or were evicted, and what the queues use from now on. */
    private void settle() {
        use = new HashMap<>();
        List<Job> after = new ArrayList<>(state.jobs());
        boolean isChanged = false;
        for (int i = 0; i < after.size(); i++) {
            Job job = after.get(i);
            JobProgress progress = present.get(i);
            boolean runs = job.running().size() == progress.job.members().size();
            if (runs != progress.runs()) {
                after.set(i, change(job, progress));
                isChanged = true;
            }
            QueueMeter.Now queue = use.computeIfAbsent(job.queue(), name -> new QueueMeter.Now());
            queue.requested += progress.gpuMillis;
            queue.used += runs ? progress.gpuMillis : 0;
            queue.waiting += runs ? 0 : 1;
        }
        state = isChanged ? state.withJobs(after) : state;
    }

    private Job change(Job job, JobProgress progress) {
        if (progress.runs()) {
            running.remove(progress);
            progress.evict(now);
            return progress.again(job);
        }
        progress.start(now);
        running.add(progress);
        return job;
    }

    private CycleResult result() {
        long span = scenario.jobs().spanSeconds();
        Map<String, String> never = new LinkedHashMap<>();
        waiting.forEach(job -> never.put(job.job(), job.reason().words()));
        int slices = (int) Math.ceil(span / 3_600.0 / meter.sliceHours());
        return new CycleResult(
                jobs.values().stream().map(JobProgress::played).toList(),
                meter.samples(),
                meter.sliceHours(),
                slices,
                moves,
                never);
    }
}
