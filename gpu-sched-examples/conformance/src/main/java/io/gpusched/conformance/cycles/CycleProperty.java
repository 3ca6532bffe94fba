package io.gpusched.conformance.cycles;

import io.gpusched.conformance.Difference;
import io.gpusched.conformance.cycles.CycleHistory.Event;
import io.gpusched.conformance.cycles.CycleHistory.JobFacts;
import io.gpusched.manifests.yaml.YamlNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The properties that a scenario names. */
final class CycleProperty {
    private final YamlNode property;
    private final CycleHistory history;
    private final List<Difference> found = new ArrayList<>();

    private CycleProperty(YamlNode property, CycleHistory history) {
        this.property = property;
        this.history = history;
    }

    /** Returns where a property does not hold. */
    static List<Difference> violations(YamlNode property, CycleHistory history) {
        CycleProperty check = new CycleProperty(property, history);
        check.run(property.need("kind").text());
        return check.found;
    }

    private void run(String kind) {
        switch (kind) {
            case "evictions" -> between((int) history.evictionsOf(jobs()).count());
            case "evictionsPerJob" -> evictionsPerJob();
            case "evictedGangs" ->
                between((int)
                        history.evictionsOf(jobs()).map(Event::job).distinct().count());
            case "runningAtEnd" -> runningAtEnd();
            case "runningJobsAtEnd" ->
                between((int) history.jobs.values().stream()
                        .filter(jobs())
                        .filter(job -> history.runningAtEnd(job.name()) >= job.minTasks())
                        .count());
            case "runningInQueueAtEnd" ->
                between(history.jobs.values().stream()
                        .filter(jobs())
                        .mapToInt(job -> history.runningAtEnd(job.name()))
                        .sum());
            case "startedBy" ->
                check(
                        history.startOf(job()) <= property.need("cycle").integer(),
                        "started in cycle " + history.startOf(job()));
            case "neverStarted" -> check(history.startsOf(job()).findAny().isEmpty(), "started");
            case "notRestartedBefore" -> notRestartedBefore();
            case "evictionImpliesRunning" -> evictionImpliesRunning();
            case "noMutualEviction" -> noMutualEviction();
            case "balancedEvictions" -> balancedEvictions();
            case "noRestartInEvictionCycle" ->
                history.evictions.forEach(eviction -> check(
                        history.startsOf(eviction.job()).noneMatch(start -> start.cycle() == eviction.cycle()),
                        eviction.toString()));
            case "noRestartOfVictims" ->
                history.evictions.forEach(eviction -> check(
                        history.startsOf(eviction.job()).noneMatch(start -> start.cycle() >= eviction.cycle()),
                        eviction + " started again"));
            case "stableFrom" -> stableFrom(property.need("cycle").integer());
            case "victimsOnOneNode" ->
                check(
                        history.evictions.stream().map(Event::node).distinct().count() <= 1,
                        history.evictions.toString());
            case "victimsInOneDomain" -> check(domains().size() <= 1, domains().toString());
            case "gangIntegrity" -> gangIntegrity();
            default -> throw property.error("has a kind that is not known: " + kind);
        }
    }

    /** The jobs a property is about: one, those of a queue, or all. */
    private Predicate<JobFacts> jobs() {
        String job = property.at("job").textOr("");
        String queue = property.at("queue").textOr("");
        return facts -> (job.isEmpty() || facts.name().equals(job))
                && (queue.isEmpty() || facts.queue().equals(queue));
    }

    private String job() {
        return property.need("job").text();
    }

    private void between(int count) {
        boolean holds = count >= property.at("min").integerOr(0)
                && count <= property.at("max").integerOr(Integer.MAX_VALUE);
        check(holds, count + "; " + history.evictions);
    }

    private void check(boolean holds, String otherwise) {
        if (!holds) {
            found.add(new Difference("$.properties", property.words(), otherwise));
        }
    }

    private void evictionsPerJob() {
        Map<String, Long> counts = history.evictions.stream()
                .collect(Collectors.groupingBy(event -> event.job() + "-" + event.task(), Collectors.counting()));
        long most = counts.values().stream().mapToLong(Long::longValue).max().orElse(0);
        check(most <= property.need("max").integer(), counts.toString());
    }

    private void runningAtEnd() {
        int least = property.at("minTasks").integerOr(history.job(job()).minTasks());
        check(history.runningAtEnd(job()) >= least, history.runningAtEnd(job()) + " run");
    }

    private void notRestartedBefore() {
        int first = history.startOf(property.need("before").text());
        check(history.startsOf(job()).noneMatch(start -> start.cycle() < first), "started before cycle " + first);
    }

    private void evictionImpliesRunning() {
        String victim = property.need("victim").text();
        boolean evicted = history.evictionsOf(facts -> facts.name().equals(victim))
                .findAny()
                .isPresent();
        check(!evicted || history.runningAtEnd(job()) >= history.job(job()).minTasks(), "does not run");
    }

    private void noMutualEviction() {
        Set<String> pairs = new TreeSet<>();
        history.evictions.forEach(event -> pairs.add(event.forJob() + " > " + event.job()));
        history.evictions.forEach(event -> check(
                event.forJob().isEmpty() || !pairs.contains(event.job() + " > " + event.forJob()), pairs.toString()));
    }

    private void balancedEvictions() {
        Map<String, Integer> counts = new HashMap<>();
        property.need("queues")
                .textList()
                .forEach(queue -> counts.put(
                        queue, (int) history.evictionsOf(facts -> facts.queue().equals(queue))
                                .count()));
        int most = counts.values().stream().mapToInt(Integer::intValue).max().orElse(0);
        int least = counts.values().stream().mapToInt(Integer::intValue).min().orElse(0);
        check(most - least <= property.need("maxDifference").integer(), counts.toString());
    }

    private void stableFrom(int cycle) {
        check(
                history.starts.stream().noneMatch(event -> event.cycle() >= cycle)
                        && history.evictions.stream().noneMatch(event -> event.cycle() >= cycle),
                history.starts + " " + history.evictions);
    }

    private Set<String> domains() {
        Set<String> domains = new TreeSet<>();
        String label = property.need("label").text();
        for (YamlNode node : history.scenario.need("nodes").list()) {
            if (history.evictions.stream()
                    .anyMatch(event -> event.node().equals(node.at("name").textOr("")))) {
                domains.add(node.at("labels").at(label).textOr(""));
            }
        }
        return domains;
    }

    private void gangIntegrity() {
        int least = history.job(job()).minTasks();
        for (int cycle = 0; cycle <= history.cycles; cycle++) {
            int running = history.runningAfter(cycle, job());
            check(running == 0 || running >= least, running + " run after cycle " + cycle);
        }
    }
}
