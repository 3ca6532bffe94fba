package io.gpusched.cli.job;

import io.gpusched.manifests.yaml.YamlNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * LeaderWorkerSet ({@code leaderworkerset.x-k8s.io}): {@code spec.replicas} gangs, each of a leader and {@code size - 1} workers of
 * {@code spec.leaderWorkerTemplate}. A leader that no subgroup of {@code subGroupPolicy} has a place for is one more of the first.
 */
final class LeaderWorkerSets implements JobKind {
    private static final String EXCLUSIVE = "leaderworkerset.sigs.k8s.io/exclusive-topology";
    private static final String SUBGROUP_EXCLUSIVE = "leaderworkerset.sigs.k8s.io/subgroup-exclusive-topology";

    /** The label of pods that names their group. */
    private static final String GROUP_KEY = "leaderworkerset.sigs.k8s.io/group-key";

    /** The label of pods that names their subgroup. */
    private static final String SUBGROUP_KEY = "leaderworkerset.sigs.k8s.io/subgroup-key";

    @Override
    public String apiGroup() {
        return "leaderworkerset.x-k8s.io";
    }

    @Override
    public Set<String> kinds() {
        return Set.of("LeaderWorkerSet");
    }

    @Override
    public List<Gang> read(JobPods job) {
        YamlNode templates = job.spec().need("leaderWorkerTemplate");
        YamlNode worker = templates.need("workerTemplate");
        YamlNode leader = templates.at("leaderTemplate").optional().orElse(worker);
        int size = job.count(templates.at("size"), 1);
        if (size == 0) {
            throw templates.at("size").error("must be 1 or more, got 0");
        }
        List<Gang> gangs = new ArrayList<>();
        for (int i = 0; i < job.count(job.spec().at("replicas"), 1); i++) {
            String name = job.name() + "-" + i;
            List<PodSource> leaders = List.of(job.pod(name, leader));
            List<PodSource> workers = job.pods(name, 1, size, worker);
            JobPods.exclude(leaders, job.metadata(), EXCLUSIVE, GROUP_KEY, name);
            JobPods.exclude(workers, job.metadata(), EXCLUSIVE, GROUP_KEY, name);
            subgroups(job, name, templates.at("subGroupPolicy"), leaders, workers);
            gangs.add(Gang.of(
                    name, List.of(new Gang.Role("leader", 1, leaders), new Gang.Role("worker", size - 1, workers))));
        }
        return gangs;
    }

    private static void subgroups(
            JobPods job, String name, YamlNode policy, List<PodSource> leaders, List<PodSource> workers) {
        if (!policy.isPresent()) {
            return;
        }
        YamlNode at = policy.at("subGroupSize");
        int size = job.count(at, 1);
        int pods = 1 + workers.size();
        if (size == 0 || pods % size != 0 && (pods - 1) % size != 0) {
            throw at.error("must divide the number of pods, " + pods + ", or of workers, got " + size);
        }
        boolean isLeaderApart = policy.at("subGroupPolicyType").textOr("").equals("LeaderExcluded");
        int first = isLeaderApart || (pods - 1) % size == 0 ? 0 : 1;
        if (!isLeaderApart) {
            JobPods.exclude(leaders, job.metadata(), SUBGROUP_EXCLUSIVE, SUBGROUP_KEY, name + "-sub0");
        }
        for (int i = 0; i < workers.size(); i++) {
            String subgroup = name + "-sub" + (i + first) / size;
            JobPods.exclude(workers.subList(i, i + 1), job.metadata(), SUBGROUP_EXCLUSIVE, SUBGROUP_KEY, subgroup);
        }
    }
}
