package io.gpusched.simulator.capacity;

import io.gpusched.queue.QueueTree;
import io.gpusched.simulator.cycle.CycleReplay;
import io.gpusched.simulator.cycle.CycleResult;
import io.gpusched.simulator.cycle.CycleRule;
import io.gpusched.simulator.cycle.CycleScenario;
import io.gpusched.simulator.cycle.RunTimes;
import io.gpusched.simulator.replay.Scenario;
import io.gpusched.simulator.trace.SubmittedJob;
import java.util.List;
import java.util.Map;

/**
 * How jobs go through scheduling cycles with queues.
 *
 * @param queues the queues
 * @param rule which jobs may start while a job before them waits
 * @param times what the scheduler is told of run times
 * @param owners whose each job of the list is, by its name
 * @param words what tells these settings from others, such as the command's options
 */
public record CyclePlay(QueueTree queues, CycleRule rule, RunTimes times, Map<String, String> owners, String words) {
    /** Copies the map. */
    public CyclePlay {
        owners = Map.copyOf(owners);
    }

    /** Plays a scenario, whose jobs may be drawn from the list. */
    CycleResult play(Scenario scenario) {
        List<SubmittedJob> jobs = scenario.jobs().stream()
                .map(job -> new SubmittedJob(job, owner(job.name())))
                .toList();
        return CycleReplay.play(CycleScenario.of(scenario.name(), scenario.nodes(), queues, jobs), rule, times);
    }

    /** A drawn job is named after its block. */
    private String owner(String name) {
        String owner = owners.get(name);
        return owner == null ? owners.getOrDefault(name.replaceFirst("-b\\d+$", ""), "") : owner;
    }

    @Override
    public String toString() {
        return words;
    }
}
