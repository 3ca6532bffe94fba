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

/** Runs the passes of one cycle, from the least disruptive to the most. */
public final class CycleRun {
    private CycleRun() {}

    /** Plans one cycle. */
    public static Plan plan(CycleState state, long time, CycleSettings settings, Placers placers) {
        Cycle cycle = new Cycle(state, time, settings, placers);
        int steps = -1;
        while (cycle.steps().size() > steps) {
            steps = cycle.steps().size();
            runPasses(cycle);
        }
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
            new ReclaimPass(cycle).run();
        }
        if (passes.contains(CyclePass.PREEMPT)) {
            new PreemptPass(cycle).run();
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
