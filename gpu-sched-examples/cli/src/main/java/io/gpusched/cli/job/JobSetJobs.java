package io.gpusched.cli.job;

import io.gpusched.manifests.yaml.YamlNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * JobSet ({@code jobset.x-k8s.io}): {@code spec.replicatedJobs[]} are roles, each of {@code replicas} jobs with {@code parallelism}
 * pods. Jobs that start when others have completed are gangs of their own.
 */
final class JobSetJobs implements JobKind {
    private static final String EXCLUSIVE = "alpha.jobset.sigs.k8s.io/exclusive-topology";

    /** The label of pods that names their job. */
    private static final String JOB_KEY = "jobset.sigs.k8s.io/job-key";

    @Override
    public String apiGroup() {
        return "jobset.x-k8s.io";
    }

    @Override
    public Set<String> kinds() {
        return Set.of("JobSet");
    }

    @Override
    public List<Gang> read(JobPods job) {
        job.refuseSuspended(job.spec());
        Map<String, Gang.Role> roles = new LinkedHashMap<>();
        Map<String, Set<String>> completed = new HashMap<>();
        for (YamlNode replicated : job.spec().need("replicatedJobs").list()) {
            Gang.Role role = role(job, replicated);
            completed.put(role.name(), completedBefore(job, replicated, completed));
            roles.put(role.name(), role);
        }
        Map<Set<String>, List<Gang.Role>> together = new LinkedHashMap<>();
        roles.forEach((name, role) -> together.computeIfAbsent(
                        Objects.requireNonNull(completed.get(name)), any -> new ArrayList<>())
                .add(role));
        List<Gang> gangs = new ArrayList<>();
        together.forEach((ended, some) -> gangs.add(Gang.of(
                        ended.isEmpty() ? job.name() : job.name() + " after " + String.join(", ", ended), some)
                .after(ended.stream()
                        .flatMap(name -> Objects.requireNonNull(roles.get(name)).pods().stream())
                        .toList())));
        return gangs;
    }

    /** The jobs that have completed before this one starts, those before the jobs that it depends on included. */
    private static Set<String> completedBefore(JobPods job, YamlNode replicated, Map<String, Set<String>> completed) {
        Set<String> ended = new TreeSet<>();
        YamlNode dependencies = replicated.at("dependsOn");
        for (YamlNode dependency : dependencies.isPresent() ? dependencies.list() : List.<YamlNode>of()) {
            String name = dependency.need("name").text();
            Set<String> before = completed.get(name);
            if (before == null) {
                throw dependency.at("name").error("no replicated job before this one has the name \"" + name + "\"");
            }
            ended.addAll(before);
            if (dependency.at("status").textOr("").equals("Complete")) {
                ended.add(name);
                job.warn(
                        dependency,
                        "starts when \"" + name + "\" has completed, and is placed as if its pods had ended");
            }
        }
        return ended;
    }

    private static Gang.Role role(JobPods job, YamlNode replicated) {
        String name = replicated.need("name").text();
        YamlNode template = replicated.need("template");
        YamlNode spec = template.need("spec");
        int jobs = job.count(replicated.at("replicas"), 1);
        int parallel = job.count(spec.at("parallelism"), 1);
        int pods = Math.min(parallel, job.count(spec.at("completions"), parallel));
        List<PodSource> all = new ArrayList<>();
        for (int i = 0; i < jobs; i++) {
            String one = job.name() + "-" + name + "-" + i;
            List<PodSource> made = job.pods(one, pods, spec.need("template"));
            JobPods.exclude(made, job.metadata(), EXCLUSIVE, JOB_KEY, one);
            JobPods.exclude(made, template.at("metadata"), EXCLUSIVE, JOB_KEY, one);
            all.addAll(made);
        }
        return new Gang.Role(name, all.size(), all);
    }
}
