package io.gpusched.conformance.kai;

import io.gpusched.conformance.Difference;
import io.gpusched.conformance.Outcome;
import io.gpusched.conformance.VectorCase;
import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.model.Cluster;
import io.gpusched.model.ClusterBatch;
import io.gpusched.model.PodId;
import io.gpusched.policy.BinPack;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.policy.Spread;
import io.gpusched.queue.CyclePass;
import io.gpusched.queue.CycleSettings;
import io.gpusched.queue.Job;
import io.gpusched.queue.Plan;
import io.gpusched.queue.PlanStep;
import io.gpusched.queue.QueueState;
import io.gpusched.queue.QueueTree;
import io.gpusched.queue.SchedulingCycle;
import io.gpusched.schedule.GpuScheduler;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Runs a case of KAI round by round through the scheduling cycle, with the settings that choose as KAI does. */
final class KaiRounds {
    private static final Map<String, CyclePass> PASSES = Map.of(
            "allocate", CyclePass.ALLOCATE,
            "consolidation", CyclePass.CONSOLIDATE,
            "reclaim", CyclePass.RECLAIM,
            "preempt", CyclePass.PREEMPT,
            "stalegangeviction", CyclePass.STALE);
    private static final long GRACE = 60;

    private final VectorCase vector;
    private final Cluster empty;
    private final QueueTree queues;
    private final List<KaiJob> jobs = new ArrayList<>();
    private final Map<PodId, KaiTask> tasks = new HashMap<>();
    private final SchedulingCycle cycle;

    private KaiRounds(VectorCase vector) {
        this.vector = vector;
        YamlNode run = vector.field("run");
        long grace = run.at("staleGraceSeconds").numberOr(vector.kind().equals("settle") ? 0 : GRACE);
        empty = Cluster.of(KaiNodes.read(vector));
        queues = KaiQueues.read(vector);
        vector.field("jobs").list().forEach(job -> jobs.add(new KaiJob(job, grace)));
        jobs.sort(Comparator.comparingInt(KaiJob::order));
        KaiPlaces.fill(vector, empty, jobs);
        jobs.forEach(job -> job.tasks.forEach(task -> tasks.put(task.pod.id(), task)));
        CycleSettings settings = CycleSettings.kai().withStaleGrace(grace).withPasses(passes(run));
        cycle = SchedulingCycle.of(settings, GpuScheduler.of(policy(vector.field("policy"))));
    }

    private static Set<CyclePass> passes(YamlNode run) {
        Set<CyclePass> passes = EnumSet.noneOf(CyclePass.class);
        for (YamlNode pass : run.need("passes").list()) {
            CyclePass known = PASSES.get(pass.text());
            if (known == null) {
                throw pass.error("must be one of " + PASSES.keySet());
            }
            passes.add(known);
        }
        return passes;
    }

    private static PlacementPolicy policy(YamlNode policy) {
        return policy.at("gpuPlacement").textOr("binpack").equals("spread") ? Spread.of() : BinPack.of();
    }

    /** Runs a case. */
    static Outcome run(VectorCase vector) {
        KaiRounds rounds = new KaiRounds(vector);
        return vector.kind().equals("settle") ? rounds.settle() : rounds.singlePass();
    }

    private Outcome singlePass() {
        List<Difference> differences = new ArrayList<>(round(1));
        return KaiComparison.of(vector, jobs).outcome(differences);
    }

    /** Rounds until it should be settled, then more in which nothing may change any more. */
    private Outcome settle() {
        YamlNode run = vector.field("run");
        int settle = run.need("settleRounds").integer();
        int stable = run.need("stableRounds").integer();
        List<Difference> differences = new ArrayList<>();
        Outcome outcome = Outcome.passed();
        for (int round = 1; round <= settle + stable && !(outcome instanceof Outcome.Failed); round++) {
            differences.addAll(round(round));
            jobs.forEach(job -> job.tasks.forEach(task -> task.endRound(job.isDeleted())));
            if (round >= settle) {
                outcome = KaiComparison.of(vector, jobs).outcome(differences);
            }
        }
        return outcome;
    }

    /** Plans once, and returns where more was done than KAI's own bounds of the case allow. */
    private List<Difference> round(int number) {
        Plan plan = cycle.plan(state(), KaiJob.NOW);
        plan.steps().forEach(this::apply);
        YamlNode most = vector.field("run").at("maxPerRound");
        List<Difference> above = new ArrayList<>();
        compare(above, number, "starts", most, plan.bindings().size());
        compare(
                above,
                number,
                "evictions",
                most,
                plan.evictions().size() + plan.moves().size());
        compare(
                above,
                number,
                "nominations",
                most,
                plan.nominations().size() + plan.moves().size());
        return above;
    }

    private static void compare(List<Difference> above, int round, String what, YamlNode most, int count) {
        int bound = most.at(what).integerOr(Integer.MAX_VALUE);
        if (count > bound) {
            above.add(
                    new Difference("$.run.maxPerRound." + what + " in round " + round, "at most " + bound, "" + count));
        }
    }

    private QueueState state() {
        ClusterBatch batch = empty.batch();
        List<Job> states = new ArrayList<>();
        for (KaiJob job : jobs) {
            states.add(job.state());
            for (KaiTask task : job.tasks) {
                if (task.holds() && task.place != null) {
                    batch.place(task.place);
                }
            }
        }
        return QueueState.of(batch.build(), queues, states);
    }

    private void apply(PlanStep step) {
        KaiTask task = tasks.get(step.pod());
        if (task == null) {
            throw new IllegalStateException("a step is about no task: " + step);
        }
        if (step instanceof PlanStep.Bind bind) {
            task.become(KaiTask.Status.STARTED, bind.placement());
        } else if (step instanceof PlanStep.Nominate nominate) {
            task.become(KaiTask.Status.NOMINATED, nominate.placement());
        } else if (step instanceof PlanStep.Move move) {
            task.become(KaiTask.Status.NOMINATED, move.to());
        } else if (step instanceof PlanStep.Evict) {
            task.become(KaiTask.Status.EVICTED, task.place);
        } else {
            task.become(KaiTask.Status.PENDING, null);
        }
    }
}
