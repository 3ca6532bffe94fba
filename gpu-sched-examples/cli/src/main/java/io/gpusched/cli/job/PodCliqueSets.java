package io.gpusched.cli.job;

import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.model.Locality;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Grove's PodCliqueSet ({@code grove.io}): {@code spec.replicas} gangs, each of the cliques of {@code spec.template.cliques[]}, of which
 * {@code minAvailable} pods must start; a clique of a scaling group is there once for each of the group's replicas.
 */
final class PodCliqueSets implements JobKind {
    @Override
    public String apiGroup() {
        return "grove.io";
    }

    @Override
    public Set<String> kinds() {
        return Set.of("PodCliqueSet", "PodGangSet");
    }

    @Override
    public List<Gang> read(JobPods job) {
        YamlNode template = job.spec().need("template");
        Map<String, YamlNode> groupOf = new HashMap<>();
        for (YamlNode group : template.at("podCliqueScalingGroups").list()) {
            group.at("cliqueNames").textList().forEach(name -> groupOf.put(name, group));
            job.refuse(
                    "podCliqueScalingGroups.topologyConstraint",
                    group.at("topologyConstraint"),
                    "a scaling group is not kept within a domain by itself");
        }
        List<Gang> gangs = new ArrayList<>();
        for (int i = 0; i < job.count(job.spec().at("replicas"), 1); i++) {
            List<Gang.Role> roles = new ArrayList<>();
            for (YamlNode clique : template.need("cliques").list()) {
                job.refuse(
                        "cliques.topologyConstraint",
                        clique.at("topologyConstraint"),
                        "a clique is not kept within a domain by itself");
                roles.add(role(
                        job,
                        job.name() + "-" + i,
                        clique,
                        groupOf.get(clique.need("name").text())));
            }
            Gang gang = Gang.of(job.name() + "-" + i, roles);
            String level = template.at("topologyConstraint").at("packDomain").textOr("");
            gangs.add(level.isEmpty() ? gang : gang.withLocality(Locality.within(level)));
        }
        return gangs;
    }

    private static Gang.Role role(JobPods job, String prefix, YamlNode clique, @Nullable YamlNode group) {
        YamlNode spec = clique.need("spec");
        String name = clique.need("name").text();
        int copies = group == null ? 1 : job.count(group.at("replicas"), 1);
        int leastCopies = group == null ? 1 : job.count(group.at("minAvailable"), 1);
        int count = job.count(spec.at("replicas"), 1);
        int least = job.count(spec.at("minAvailable"), count);
        List<PodSource> pods = new ArrayList<>();
        for (int i = 0; i < copies * count; i++) {
            pods.add(job.made(prefix + "-" + name + "-" + i, spec.need("podSpec"), job.template(spec.need("podSpec"))));
        }
        return new Gang.Role(name, least * leastCopies, pods);
    }
}
