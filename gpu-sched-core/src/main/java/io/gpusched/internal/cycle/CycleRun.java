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
    /** After so many rounds of all passes the rest is left to the next cycle. */
    private static final int MOST_ROUNDS = 100;

    private final CycleSettings settings;
    private final Placers placers;
    private @Nullable Ledger ledger;
    private @Nullable Timeline timeline;

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
        boolean more = true;
        for (int round = 0; more && round < MOST_ROUNDS; round++) {
            more = runPasses(cycle);
        }
        Timeline reserved = cycle.reservations.timeline();
        if (reserved != null && settings.backfill() == CycleSettings.Backfill.PROMISED) {
            new StartForecast(cycle, reserved).run();
        }
        ledger = now;
        return new Plan(cycle.steps(), pending(cycle), cycle.after());
    }

    /** Returns whether somebody leaves or moves: that may leave more room than was needed. */
    private boolean runPasses(Cycle cycle) {
        Set<CyclePass> passes = cycle.settings.passes();
        if (passes.contains(CyclePass.ALLOCATE)) {
            new AllocatePass(cycle).startNominated();
            allocate(cycle);
        }
        int decisions = cycle.decisions();
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
        return cycle.decisions() > decisions;
    }

    private void allocate(Cycle cycle) {
        if (cycle.settings.backfill() == CycleSettings.Backfill.ANYONE) {
            new AllocatePass(cycle).run();
            return;
        }
        int decisions = -1;
        while (cycle.decisions() > decisions) { // who is placed anew may leave room for somebody who was refused before
            decisions = cycle.decisions();
            Timeline last = timeline;
            timeline = null; // as above
            BackfillPass backfill = new BackfillPass(cycle, last);
            backfill.run();
            timeline = backfill.timeline();
            cycle.reservations.follow(backfill.timeline());
        }
    }

    private static List<PendingJob> pending(Cycle cycle) {
        List<PendingJob> pending = new ArrayList<>();
        for (JobState job : cycle.open()) {
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
