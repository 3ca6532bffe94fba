package io.gpusched.conformance.cycles;

import io.gpusched.manifests.yaml.YamlNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** What happened in a scenario. */
final class CycleHistory {
    /**
     * A task started, or its eviction was decided.
     *
     * @param cycle when
     * @param job whose
     * @param task which one, by its number
     * @param node where
     * @param forJob for which job it was evicted; empty for a start
     */
    record Event(int cycle, String job, int task, String node, String forJob) {}

    /**
     * A job of the scenario.
     *
     * @param name its name
     * @param queue its queue
     * @param gpusPerTask GPUs of each task
     * @param minTasks how many must run together
     * @param preemptible whether it may be evicted
     */
    record JobFacts(String name, String queue, int gpusPerTask, int minTasks, boolean preemptible) {}

    final YamlNode scenario;
    final int cycles;
    final Map<String, JobFacts> jobs = new HashMap<>();
    final List<Event> starts = new ArrayList<>();
    final List<Event> evictions = new ArrayList<>();

    /** How many tasks of each job run after each cycle, the ending ones left out; entry 0 is before the first. */
    final List<Map<String, Integer>> running = new ArrayList<>();

    CycleHistory(YamlNode scenario) {
        this.scenario = scenario;
        cycles = scenario.need("cycles").integer();
    }

    Stream<Event> startsOf(String job) {
        return starts.stream().filter(event -> event.job().equals(job));
    }

    Stream<Event> evictionsOf(Predicate<JobFacts> which) {
        return evictions.stream().filter(event -> which.test(job(event.job())));
    }

    JobFacts job(String name) {
        JobFacts job = jobs.get(name);
        if (job == null) {
            throw scenario.error("has no job \"" + name + "\"");
        }
        return job;
    }

    int runningAfter(int cycle, String job) {
        return running.get(cycle).getOrDefault(job, 0);
    }

    int runningAtEnd(String job) {
        return runningAfter(cycles, job);
    }

    /** Returns the first cycle after which a job has its minimum, with a start in it; more than there are cycles if none. */
    int startOf(String job) {
        return startsOf(job)
                .mapToInt(Event::cycle)
                .filter(cycle -> runningAfter(cycle, job) >= job(job).minTasks())
                .min()
                .orElse(cycles + 1);
    }
}
