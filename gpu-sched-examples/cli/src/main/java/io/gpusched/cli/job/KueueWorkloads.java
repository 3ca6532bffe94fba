package io.gpusched.cli.job;

import io.gpusched.manifests.yaml.YamlNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Kueue's Workload ({@code kueue.x-k8s.io}): {@code spec.podSets[]} are roles of {@code count} pods, of which {@code minCount} must
 * start. A {@code topologyRequest} is what the annotations of a template ask as well.
 */
final class KueueWorkloads implements JobKind {
    /** The annotation by field of a topology request. */
    private static final Map<String, String> ANNOTATIONS = Map.of(
            "required", JobTopology.REQUIRED,
            "preferred", JobTopology.PREFERRED,
            "podSetGroupName", JobTopology.GROUP,
            "podSetSliceRequiredTopology", JobTopology.SLICE,
            "podSetSliceSize", JobTopology.SLICE_SIZE);

    @Override
    public String apiGroup() {
        return "kueue.x-k8s.io";
    }

    @Override
    public Set<String> kinds() {
        return Set.of("Workload");
    }

    @Override
    public List<Gang> read(JobPods job) {
        List<Gang.Role> roles = new ArrayList<>();
        for (YamlNode set : job.spec().need("podSets").list()) {
            roles.add(role(job, set));
        }
        return List.of(Gang.of(job.name(), roles));
    }

    private static Gang.Role role(JobPods job, YamlNode set) {
        String name = set.at("name").textOr("main");
        int count = job.count(set.at("count"), 1);
        List<PodSource> pods = job.pods(job.name() + "-" + name, count, set.need("template"));
        YamlNode topology = set.at("topologyRequest");
        job.refuse(
                "topologyRequest.podsetSliceRequiredTopologyConstraints",
                topology.at("podsetSliceRequiredTopologyConstraints"),
                "slices of slices are not placed each within a domain");
        ANNOTATIONS.forEach((field, annotation) -> {
            YamlNode at = topology.at(field);
            if (at.isPresent()) {
                String value = field.equals("podSetSliceSize") ? String.valueOf(at.integer()) : at.text();
                pods.forEach(pod -> JobPods.annotate(pod, annotation, value));
            }
        });
        return new Gang.Role(name, count == 0 ? 0 : job.minimum(set.at("minCount"), count), pods);
    }
}
