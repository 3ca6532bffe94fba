package io.gpusched.examples.conformance.kai;

import io.gpusched.examples.conformance.Field;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import io.gpusched.workload.PodGroup.Locality;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A job of a case.
 *
 * @param name its name
 * @param order its place among the jobs of equal priority, the oldest first
 * @param tree its pod sets and groups
 * @param tasks its tasks
 */
record KaiJob(String name, int priority, int order, Field tree, List<Task> tasks) {
    private static final String DEFAULT_SET = "default";

    /**
     * One task.
     *
     * @param podSet the pod set it belongs to
     * @param node where it runs, or empty
     */
    record Task(String name, String podSet, String node, Pod pod) {}

    /** Returns a job of a case, or nothing if it asks for what only queues and other passes know. */
    static Optional<KaiJob> read(Field job) {
        List<Task> tasks = new ArrayList<>();
        Field request = job.need("request");
        for (Field task : job.need("tasks").list()) {
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

    /** Returns the least group of its pending tasks that it needs to start, or nothing where it runs or has none. */
    Optional<PodGroup> minimum() {
        return group(tree);
    }

    private Optional<PodGroup> group(Field group) {
        List<PodGroup> children = new ArrayList<>();
        int satisfied = 0;
        for (Field podSet : group.at("podSets").listOrEmpty()) {
            Optional<PodGroup> child = podSet(podSet);
            child.ifPresent(children::add);
            satisfied += child.isPresent() ? 0 : 1;
        }
        for (Field inner : group.at("groups").listOrEmpty()) {
            Optional<PodGroup> child = group(inner);
            child.ifPresent(children::add);
            satisfied += child.isPresent() ? 0 : 1;
        }
        int all = children.size() + satisfied;
        int least =
                Math.min(children.size(), Math.max(0, group.at("minSubGroup").integerOr(all) - satisfied));
        if (children.isEmpty() || least == 0) {
            return Optional.empty();
        }
        PodGroup inner = PodGroup.ofGroups(group.need("name").text(), children)
                .withMinMember(1)
                .withMinGroups(least);
        return Optional.of(within(inner, group.at("topology")));
    }

    private Optional<PodGroup> podSet(Field podSet) {
        String name = podSet.need("name").text();
        List<Pod> pending = new ArrayList<>();
        int running = 0;
        for (Task task : tasks) {
            if (task.podSet().equals(name)) {
                running += task.node().isEmpty() ? 0 : 1;
                if (task.node().isEmpty()) {
                    pending.add(task.pod());
                }
            }
        }
        int least = podSet.at("minMember").integerOr(1) - running;
        if (least <= 0 || pending.isEmpty()) {
            return Optional.empty();
        }
        if (least > pending.size()) {
            throw podSet.at("minMember").malformed("is more than there are tasks");
        }
        return Optional.of(within(PodGroup.of(name, pending.subList(0, least)), podSet.at("topology")));
    }

    /** A required level around a preferred one. */
    private static PodGroup within(PodGroup group, Field topology) {
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
