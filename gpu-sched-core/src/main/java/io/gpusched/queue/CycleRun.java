package io.gpusched.queue;

import java.util.Set;

/** One plan: the passes, from the least disruptive to the most, round after round until nothing changes. */
final class CycleRun {
    /** After as many rounds the rest is left to the next plan. */
    private static final int MOST_ROUNDS = 100;

    private final Planning plan;
    private final Set<CyclePass> passes;

    CycleRun(Planning plan) {
        this.plan = plan;
        this.passes = plan.input().settings().passes();
    }

    Plan run() {
        NominatedPass nominated = new NominatedPass(plan);
        nominated.admit();
        boolean isMore = true;
        for (int round = 0; isMore && round < MOST_ROUNDS; round++) { // an eviction can free more than was asked
            int before = plan.taken();
            plan.beginRound();
            nominated.start();
            runPasses();
            isMore = plan.taken() > before;
        }
        return new PlanResult(plan).plan();
    }

    private void runPasses() {
        if (passes.contains(CyclePass.ALLOCATE)) {
            allocate();
        }
        if (passes.contains(CyclePass.CONSOLIDATE)) {
            new ConsolidatePass(plan).run();
        }
        if (passes.contains(CyclePass.RECLAIM)) {
            new EvictionPass(plan, CyclePass.RECLAIM).run();
        }
        if (passes.contains(CyclePass.PREEMPT)) {
            new EvictionPass(plan, CyclePass.PREEMPT).run();
        }
        new ReprievePass(plan).run();
        if (passes.contains(CyclePass.STALE)) {
            new StalePass(plan).run();
        }
    }

    private void allocate() {
        if (!BackfillPass.isNeeded(plan.input())) {
            new AllocatePass(plan).run();
            return;
        }
        boolean isMore = true;
        for (int round = 0;
                isMore && round < MOST_ROUNDS;
                round++) { // what starts or moves may leave places for others
            int before = plan.taken();
            boolean isMoved = new BackfillPass(plan).run();
            isMore = isMoved || plan.taken() > before;
        }
    }
}
