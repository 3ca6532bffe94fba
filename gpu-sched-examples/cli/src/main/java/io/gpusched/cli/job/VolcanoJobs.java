package io.gpusched.cli.job;

import io.gpusched.manifests.yaml.YamlNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Volcano's Job ({@code batch.volcano.sh}): {@code spec.tasks[]} are roles. Of a task {@code minAvailable} pods must start, all where
 * it says nothing; of the job {@code spec.minAvailable}, or what its tasks come to. A job that needs fewer pods than its tasks come to
 * needs no certain number of any task, as Volcano's gang plugin has it.
 */
final class VolcanoJobs implements JobKind {
    @Override
    public String apiGroup() {
        return "batch.volcano.sh";
    }

    @Override
    public Set<String> kinds() {
        return Set.of("Job");
    }

    @Override
    public List<Gang> read(JobPods job) {
        job.refuse("spec.networkTopology", job.spec().at("networkTopology"), "tiers of hyper nodes are not read here");
        List<Gang.Role> roles = new ArrayList<>();
        List<YamlNode> tasks = job.spec().need("tasks").list();
        int all = 0;
        for (int i = 0; i < tasks.size(); i++) {
            Gang.Role role = role(job, tasks.get(i), i);
            roles.add(role);
            all += role.pods().size();
        }
        Gang gang = Gang.of(job.name(), roles);
        YamlNode least = job.spec().at("minAvailable");
        if (least.integerOr(0) == 0) {
            return List.of(gang);
        }
        int minimum = job.minimum(least, all);
        return List.of((minimum < gang.minimum() ? Gang.of(job.name(), anyOf(roles)) : gang).withMinimum(minimum));
    }

    private static List<Gang.Role> anyOf(List<Gang.Role> roles) {
        return roles.stream()
                .map(role -> new Gang.Role(role.name(), 0, role.pods()))
                .toList();
    }

    private static Gang.Role role(JobPods job, YamlNode task, int index) {
        String name = task.at("name").textOr("default" + index);
        for (String field : List.of("networkTopology", "subGroupPolicy")) {
            job.refuse(
                    "partitionPolicy." + field,
                    task.at("partitionPolicy").at(field),
                    "partitions of a task are not kept within tiers of hyper nodes here");
        }
        int count = job.count(task.at("replicas"), 1);
        int least = task.at("minAvailable").integerOr(count);
        if (least < 0 || least > count) {
            throw task.at("minAvailable").error("must be in 0.." + count + ", the number of pods, got " + least);
        }
        return new Gang.Role(name, least, job.pods(job.name() + "-" + name, count, task.need("template")));
    }
}
