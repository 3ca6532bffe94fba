package io.gpusched.internal.cycle;

import io.gpusched.decision.CyclePass;
import io.gpusched.decision.PendingJob;
import io.gpusched.decision.PendingReason;
import io.gpusched.decision.Plan;
import io.gpusched.policy.CycleSettings;
import io.gpusched.workload.CycleState;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Runs the passes of one cycle, from the least disruptive to the most. What it knows of jobs and of what is hopeless is kept for the next
 * one; that never changes an answer.
 */
public final class CycleRun {
    private final CycleSettings settings;
    private final Placers placers;
    private @Nullable Ledger ledger;

    /** Makes one that knows nothing yet. */
    public CycleRun(CycleSettings settings, Placers placers) {
        this.settings = settings;
        this.placers = placers;
    }

    /** Plans one cycle. */
    public Plan plan(CycleState state, long time) {
        Ledger last = ledger;
        ledger = null; // if this fails, nothing is known any more
        Ledger now = Ledger.of(last, state, time, settings);
        Cycle cycle = new Cycle(now, state, time, placers);
        int steps = -1;
        while (cycle.steps().size() > steps) {
            steps = cycle.steps().size();
            runPasses(cycle);
        }
        ledger = now;
        return new Plan(cycle.steps(), pending(cycle), cycle.after());
    }

    /** Once more until nothing is added: who leaves may leave more room than was needed. */
    private static void runPasses(Cycle cycle) {
        Set<CyclePass> passes = cycle.settings.passes();
        if (passes.contains(CyclePass.ALLOCATE)) {
            new AllocatePass(cycle).run();
        }
        // Backfill with promises of start times has its place here.
        if (passes.contains(CyclePass.CONSOLIDATE)) {
            new ConsolidatePass(cycle).run();
        }
        if (passes.contains(CyclePass.RECLAIM)) {
            new EvictionPass(cycle, new ReclaimRules(cycle)).run();
        }
        if (passes.contains(CyclePass.PREEMPT)) {
            new EvictionPass(cycle, new PreemptRules(cycle)).run();
        }
        if (passes.contains(CyclePass.STALE)) {
            new StalePass(cycle).run();
        }
    }

    private static List<PendingJob> pending(Cycle cycle) {
        List<PendingJob> pending = new ArrayList<>();
        for (JobState job : cycle.jobs) {
            int members = job.waiting();
            if (members > 0) {
                pending.add(new PendingJob(job.name(), members, reason(job)));
            }
        }
        return pending;
    }

    private static PendingReason reason(JobState job) {
        PendingReason reason = job.reason;
        if (reason != null) {
            return reason;
        }
        if (!job.nominated.isEmpty()) {
            return new PendingReason.Nominated(job.nominated.values().stream()
                    .map(placement -> placement.node())
                    .distinct()
                    .toList());
        }
        return job.terminating.isEmpty()
                ? new PendingReason.NotAsked()
                : new PendingReason.Ending(job.terminating.size());
    }
}
