package io.gpusched.queue;

import java.util.HashSet;
import java.util.Set;

/**
 * One plan: the passes, from the least disruptive to the most, round after round until nothing changes. Where jobs leave or move because of a
 * start that a later pass {@linkplain TakenBack takes back}, the plan is made again, and that job is asked after all others.
 */
final class CycleRun {
    /** After as many rounds the rest is left to the next plan. */
    private static final int MOST_ROUNDS = 100;

    /** How often a plan is made at most. */
    private static final int MOST_PLANS = 4;

    private final Planning plan;
    private final Set<CyclePass> passes;

    private CycleRun(Planning plan) {
        this.plan = plan;
        this.passes = plan.input().settings().passes();
    }

    static Plan plan(PlanInput input, Places places) {
        Set<Integer> last = new HashSet<>();
        Planning plan = new Planning(input, places, last);
        new CycleRun(plan).run();
        for (int plans = 1; plans < MOST_PLANS && last.addAll(plan.takenBack()); plans++) {
            plan = new Planning(input, places, last);
            new CycleRun(plan).run();
        }
        return new PlanResult(plan).plan();
    }

    private void run() {
        NominatedPass nominated = new NominatedPass(plan);
        nominated.admit();
        boolean isMore = true;
        for (int round = 0; isMore && round < MOST_ROUNDS; round++) { // an eviction can free more than was asked
            int before = plan.taken();
            plan.beginRound();
            nominated.start();
            runPasses();
            isMore = plan.askAll() || plan.taken() > before;
        }
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
