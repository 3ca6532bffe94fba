package io.gpusched.conformance.cycles;

import io.gpusched.conformance.Difference;
import io.gpusched.conformance.cycles.CycleHistory.Event;
import io.gpusched.conformance.cycles.CycleHistory.JobFacts;
import io.gpusched.manifests.yaml.YamlNode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What must hold in every scenario: it comes to rest, limits hold, and jobs that may not be evicted stay. */
final class CycleRules {
    private static final int REST = 3;

    private CycleRules() {}

    static List<Difference> violations(CycleHistory history) {
        List<Difference> found = new ArrayList<>();
        Stream.concat(history.starts.stream(), history.evictions.stream())
                .filter(event -> event.cycle() > history.cycles - REST)
                .forEach(event ->
                        found.add(new Difference("$", "nothing happens in the last cycles", event.toString())));
        history.evictionsOf(job -> !job.preemptible())
                .map(Event::toString)
                .forEach(event -> found.add(new Difference("$", "jobs that are not preemptible stay", event)));
        for (YamlNode queue : history.scenario.need("queues").list()) {
            limit(history, queue, found);
        }
        return found;
    }

    private static void limit(CycleHistory history, YamlNode queue, List<Difference> found) {
        long limit = queue.at("limitGpus").numberOr(Long.MAX_VALUE);
        String name = queue.need("name").text();
        for (int cycle = 0; cycle <= history.cycles; cycle++) {
            long gpus = 0;
            for (JobFacts job : history.jobs.values()) {
                if (job.queue().equals(name)) {
                    gpus += (long) history.runningAfter(cycle, job.name()) * job.gpusPerTask();
                }
            }
            if (gpus > limit) {
                found.add(new Difference(
                        "$.queues." + name, "at most " + limit + " GPUs", gpus + " after cycle " + cycle));
            }
        }
    }
}
