package io.gpusched.cli.job;

import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.model.Locality;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Kueue's Workload ({@code kueue.x-k8s.io}): {@code spec.podSets[]} are roles of {@code count} pods, of which {@code minCount} must
 * start. A {@code topologyRequest} keeps a pod set within one domain of a node label.
 */
final class KueueWorkloads implements JobKind {
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
        List<Gang> sets = new ArrayList<>();
        for (YamlNode set : job.spec().need("podSets").list()) {
            Gang gang = Gang.of(set.at("name").textOr("main"), List.of(role(job, set)));
            if (!gang.isEmpty()) {
                sets.add(locality(job, set.at("topologyRequest"))
                        .map(gang::withLocality)
                        .orElse(gang));
            }
        }
        boolean anywhere = sets.stream().allMatch(set -> set.locality().equals(Locality.ANYWHERE));
        return List.of(anywhere ? ofRoles(job.name(), sets) : ofParts(job.name(), sets));
    }

    private static Gang.Role role(JobPods job, YamlNode set) {
        String name = set.at("name").textOr("main");
        int count = job.count(set.at("count"), 1);
        YamlNode least = set.at("minCount");
        return new Gang.Role(
                name,
                count == 0 ? 0 : job.minimum(least, count),
                job.pods(job.name() + "-" + name, count, set.need("template")));
    }

    /** A level that is required, or one that is preferred. */
    private static Optional<Locality> locality(JobPods job, YamlNode topology) {
        for (String field : List.of("podSetGroupName", "podSetSliceRequiredTopology")) {
            job.refuse("topologyRequest." + field, topology.at(field), "sets of pods are placed each by itself");
        }
        return topology.at("required")
                .optional()
                .map(level -> Locality.within(level.text()))
                .or(() -> topology.at("preferred")
                        .optional()
                        .map(level -> Locality.within(level.text()).preferred()));
    }

    private static Gang ofRoles(String name, List<Gang> sets) {
        return Gang.of(name, sets.stream().flatMap(set -> set.roles().stream()).toList());
    }

    private static Gang ofParts(String name, List<Gang> sets) {
        int least = sets.stream().mapToInt(Gang::minimum).sum();
        return new Gang(name, Math.max(1, least), List.of(), Locality.ANYWHERE, sets);
    }
}
