package io.gpusched.cli.job;

import io.gpusched.manifests.yaml.YamlNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * JobSet ({@code jobset.x-k8s.io}): {@code spec.replicatedJobs[]} are roles, each of {@code replicas} jobs with {@code parallelism}
 * pods.
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
        List<Gang.Role> roles = new ArrayList<>();
        for (YamlNode replicated : job.spec().need("replicatedJobs").list()) {
            roles.add(role(job, replicated));
        }
        return List.of(Gang.of(job.name(), roles));
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
