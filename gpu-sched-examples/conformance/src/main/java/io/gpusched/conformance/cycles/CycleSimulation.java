package io.gpusched.conformance.cycles;

import io.gpusched.conformance.cycles.CycleHistory.Event;
import io.gpusched.conformance.cycles.CycleHistory.JobFacts;
import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.model.PodId;
import io.gpusched.queue.Job;
import io.gpusched.queue.Plan;
import io.gpusched.queue.PlanStep;
import io.gpusched.queue.QueueState;
import io.gpusched.queue.SchedulingCycle;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Plays a scenario: in each cycle evictions end, jobs are submitted, and one plan is made and carried out. */
final class CycleSimulation {
    private final YamlNode scenario;
    private final CycleHistory history;
    private final CycleWorld world;
    private final SchedulingCycle cycle = SchedulingCycle.create();
    private final Map<PodId, Integer> ends = new HashMap<>();
    private QueueState state;

    private CycleSimulation(YamlNode scenario) {
        this.scenario = scenario;
        history = new CycleHistory(scenario);
        world = new CycleWorld(scenario, history);
        state = world.before();
    }

    static CycleHistory run(YamlNode scenario) {
        CycleSimulation simulation = new CycleSimulation(scenario);
        simulation.note();
        for (int number = 1; number <= simulation.history.cycles; number++) {
            simulation.cycle(number);
        }
        return simulation.history;
    }

    private void cycle(int number) {
        end(number);
        for (YamlNode job : scenario.need("jobs").list()) {
            if (!world.isThereBefore(job) && job.need("submitCycle").integer() == number) {
                state = state.withJob(world.pending(job));
            }
        }
        Plan plan = cycle.plan(state, number);
        plan.steps().forEach(step -> note(number, step));
        state = plan.after();
        note();
    }

    /** What was evicted long enough ago has ended. */
    private void end(int number) {
        List<PodId> ended = new ArrayList<>();
        ends.forEach((pod, cycle) -> {
            if (cycle <= number) {
                ended.add(pod);
            }
        });
        ended.sort(null);
        ended.forEach(ends::remove);
        state = state.withEnded(ended);
    }

    private void note(int number, PlanStep step) {
        JobFacts job = history.job(step.job());
        int task = world.task(step.pod());
        if (step instanceof PlanStep.Bind bind) {
            history.starts.add(
                    new Event(number, job.name(), task, bind.placement().node(), ""));
        } else if (step instanceof PlanStep.Evict evict) {
            leave(number, step, evict.placement().node(), evict.beneficiary().orElse(""));
        } else if (step instanceof PlanStep.Move move) {
            leave(number, step, move.from().node(), move.beneficiary());
        }
    }

    private void leave(int number, PlanStep step, String node, String forJob) {
        history.evictions.add(new Event(number, step.job(), world.task(step.pod()), node, forJob));
        ends.put(step.pod(), number + world.evictionDelay(step.job()));
    }

    private void note() {
        Map<String, Integer> running = new HashMap<>();
        for (Job job : state.jobs()) {
            running.put(job.name(), job.running().size());
        }
        history.running.add(running);
    }
}
