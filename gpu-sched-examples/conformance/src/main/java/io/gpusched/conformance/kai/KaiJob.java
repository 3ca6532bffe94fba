package io.gpusched.conformance.kai;

import io.gpusched.kubernetes.yaml.YamlNode;
import io.gpusched.model.Locality;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A job of a case.
 *
 * @param name its name
 * @param order its place among the jobs of equal priority, the oldest first
 * @param tree its pod sets and groups
 * @param tasks its tasks
 */
record KaiJob(String name, int priority, int order, YamlNode tree, List<Task> tasks) {
    private static final String DEFAULT_SET = "default";

    /**
     * One task.
     *
     * @param podSet the pod set it belongs to
     * @param node where it runs, or empty
     */
    record Task(String name, String podSet, String node, Pod pod) {}

    /** Returns a job of a case, or nothing if it asks for what only queues and other passes know. */
    static Optional<KaiJob> read(YamlNode job) {
        List<Task> tasks = new ArrayList<>();
        YamlNode request = job.need("request");
        for (YamlNode task : job.need("tasks").list()) {
            String state = task.need("state").text();
            boolean plain = !task.has("allowedNodes") && !task.has("mig") && !task.has("gpuGroups");
            if (!plain || !state.equals("running") && !state.equals("pending") || !request.has("gpus")) {
                return Optional.empty();
            }
            String name = task.need("name").text();
            int gpus = task.at("gpus").integerOr(request.need("gpus").integer());
            tasks.add(new Task(
                    name,
                    task.at("podSet").textOr(DEFAULT_SET),
                    state.equals("running") ? task.need("node").text() : "",
                    KaiWorld.pod(name, request, gpus).withRules(KaiWorld.rules(task))));
        }
        return Optional.of(new KaiJob(
                job.need("name").text(),
                job.at("priority").integerOr(0),
                job.at("order").integerOr(0),
                job.need("group"),
                tasks));
    }

    /**
     * Returns what of it starts next: its minimum, and once that runs one pod set or one task more, taken from the part that
     * has the least in proportion to its minimum (KAI's order of sub-groups); nothing where all of it runs.
     *
     * @param runs whether a task runs
     */
    Optional<PodGroup> next(Predicate<Task> runs) {
        return next(tree, runs);
    }

    /** Returns whether as much of it runs as its groups ask for. */
    boolean hasMinimum(Predicate<Task> runs) {
        return minimum(tree, runs).isEmpty();
    }

    private Optional<PodGroup> next(YamlNode part, Predicate<Task> runs) {
        Optional<PodGroup> minimum = minimum(part, runs);
        if (minimum.isPresent()) {
            return minimum;
        }
        if (isPodSet(part)) {
            return waiting(part, runs).findFirst().map(task -> PodGroup.of(task.name(), List.of(task.pod())));
        }
        return children(part).stream()
                .filter(child -> hasWaiting(child, runs))
                .min((one, other) -> compareSupply(one, other, runs))
                .flatMap(child -> next(child, runs));
    }

    /** Orders parts below their minimum first, then by what runs of them for each one of the minimum. */
    private int compareSupply(YamlNode one, YamlNode other, Predicate<Task> runs) {
        int below = Boolean.compare(
                minimum(other, runs).isPresent(), minimum(one, runs).isPresent());
        long first = (long) supply(one, runs) * least(other);
        long second = (long) supply(other, runs) * least(one);
        return below != 0 ? below : Long.compare(first, second);
    }

    /** Counts the tasks of a pod set that run, or the parts of a group that have their minimum. */
    private int supply(YamlNode part, Predicate<Task> runs) {
        return isPodSet(part)
                ? (int) tasks(part).filter(runs).count()
                : (int) children(part).stream()
                        .filter(child -> minimum(child, runs).isEmpty())
                        .count();
    }

    /** Returns the least number of tasks of a pod set, or of parts of a group; 1 or more. */
    private static int least(YamlNode part) {
        return isPodSet(part)
                ? part.at("minMember").integerOr(1)
                : part.at("minSubGroup").integerOr(children(part).size());
    }

    /** Returns the least group of waiting tasks that a part needs to start, or nothing where it has its minimum. */
    private Optional<PodGroup> minimum(YamlNode part, Predicate<Task> runs) {
        return isPodSet(part) ? minimumOfPodSet(part, runs) : minimumOfGroup(part, runs);
    }

    private Optional<PodGroup> minimumOfGroup(YamlNode group, Predicate<Task> runs) {
        List<PodGroup> missing = new ArrayList<>();
        for (YamlNode child : children(group)) {
            minimum(child, runs).ifPresent(missing::add);
        }
        int satisfied = children(group).size() - missing.size();
        int needed = Math.min(missing.size(), Math.max(0, least(group) - satisfied));
        if (needed == 0) {
            return Optional.empty();
        }
        PodGroup inner = PodGroup.ofGroups(group.need("name").text(), missing)
                .withMinMember(1)
                .withMinGroups(needed);
        return Optional.of(within(inner, group.at("topology")));
    }

    private Optional<PodGroup> minimumOfPodSet(YamlNode podSet, Predicate<Task> runs) {
        int needed = least(podSet) - supply(podSet, runs);
        List<Pod> waiting = waiting(podSet, runs).map(Task::pod).toList();
        if (needed <= 0 || waiting.isEmpty()) {
            return Optional.empty();
        }
        if (needed > waiting.size()) {
            throw podSet.at("minMember").error("is more than there are tasks");
        }
        PodGroup group = PodGroup.of(podSet.need("name").text(), waiting.subList(0, needed));
        return Optional.of(within(group, podSet.at("topology")));
    }

    private boolean hasWaiting(YamlNode part, Predicate<Task> runs) {
        return isPodSet(part)
                ? waiting(part, runs).findFirst().isPresent()
                : children(part).stream().anyMatch(child -> hasWaiting(child, runs));
    }

    private Stream<Task> waiting(YamlNode podSet, Predicate<Task> runs) {
        return tasks(podSet).filter(runs.negate());
    }

    private Stream<Task> tasks(YamlNode podSet) {
        String name = podSet.need("name").text();
        return tasks.stream().filter(task -> task.podSet().equals(name));
    }

    private static boolean isPodSet(YamlNode part) {
        return !part.has("podSets") && !part.has("groups");
    }

    private static List<YamlNode> children(YamlNode group) {
        List<YamlNode> children = new ArrayList<>(group.at("podSets").list());
        children.addAll(group.at("groups").list());
        return children;
    }

    /** A required level around a preferred one. */
    private static PodGroup within(PodGroup group, YamlNode topology) {
        String required = topology.at("requiredLevel").textOr("");
        String preferred = topology.at("preferredLevel").textOr("");
        PodGroup inner = preferred.isEmpty()
                ? group
                : group.withLocality(Locality.within(preferred).preferred());
        if (required.isEmpty()) {
            return inner;
        }
        return preferred.isEmpty()
                ? group.withLocality(Locality.within(required))
                : PodGroup.ofGroups(group.name(), List.of(inner)).withLocality(Locality.within(required));
    }
}
