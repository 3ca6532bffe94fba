package io.gpusched.cli.job;

import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.model.Locality;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Grove's PodCliqueSet ({@code grove.io}): {@code spec.replicas} gangs, each of the cliques of {@code spec.template.cliques[]}, of which
 * {@code minAvailable} pods must start. The cliques of a scaling group are there once for each of its replicas; those beyond the group's
 * {@code minAvailable} are gangs of their own, as Grove makes them.
 *
 * <p>A {@code topologyConstraint} keeps the set, a replica of a scaling group or a clique within one domain. Which node label its
 * {@code packDomain} stands for is said by a ClusterTopology of the same file; without one it is the label.
 */
final class PodCliqueSets implements JobKind {
    private static final Set<String> TOPOLOGIES = Set.of("ClusterTopology", "ClusterTopologyBinding");

    @Override
    public String apiGroup() {
        return "grove.io";
    }

    @Override
    public Set<String> kinds() {
        return Set.of("PodCliqueSet", "PodGangSet");
    }

    /** A role, and how close its pods must be. */
    private record Clique(Gang.Role role, Locality locality) {}

    @Override
    public List<Gang> read(JobPods job) {
        YamlNode template = job.spec().need("template");
        Map<String, YamlNode> cliques = new LinkedHashMap<>();
        template.need("cliques")
                .list()
                .forEach(clique -> cliques.put(clique.need("name").text(), clique));
        List<Gang> gangs = new ArrayList<>();
        for (int i = 0; i < job.count(job.spec().at("replicas"), 1); i++) {
            String name = job.name() + "-" + i;
            List<Clique> own = new ArrayList<>();
            List<Gang> parts = new ArrayList<>();
            List<Gang> scaled = new ArrayList<>();
            Set<String> inGroups = new HashSet<>();
            for (YamlNode group : template.at("podCliqueScalingGroups").list()) {
                inGroups.addAll(group.at("cliqueNames").textList());
                scale(job, name, group, cliques, own, parts, scaled);
            }
            cliques.forEach((clique, at) -> {
                if (!inGroups.contains(clique)) {
                    own.add(clique(job, name + "-" + clique, clique, at));
                }
            });
            Locality locality = locality(job, template);
            gangs.add(gang(name, own, parts, locality));
            scaled.forEach(
                    gang -> gangs.add(gang.locality().equals(Locality.ANYWHERE) ? gang.withLocality(locality) : gang));
        }
        return gangs;
    }

    /** Adds the replicas of a scaling group: their cliques, or a part for each that has a domain for itself; and those that may come later. */
    private static void scale(
            JobPods job,
            String prefix,
            YamlNode group,
            Map<String, YamlNode> cliques,
            List<Clique> own,
            List<Gang> parts,
            List<Gang> scaled) {
        int replicas = job.count(group.at("replicas"), 1);
        int least = job.count(group.at("minAvailable"), 1);
        for (int k = 0; k < replicas; k++) {
            String name = prefix + "-" + group.need("name").text() + "-" + k;
            List<Clique> members = new ArrayList<>();
            for (String clique : group.at("cliqueNames").textList()) {
                YamlNode at = cliques.get(clique);
                if (at == null) {
                    throw group.at("cliqueNames").error("no clique has the name \"" + clique + "\"");
                }
                members.add(clique(job, name + "-" + clique, clique + " " + k, at));
            }
            Gang gang = gang(name, members, List.of(), locality(job, group));
            if (k >= least) {
                scaled.add(gang);
            } else if (gang.locality().equals(Locality.ANYWHERE)) {
                own.addAll(members);
            } else {
                parts.add(gang);
            }
        }
    }

    private static Clique clique(JobPods job, String prefix, String role, YamlNode clique) {
        YamlNode spec = clique.need("spec");
        int count = job.count(spec.at("replicas"), 1);
        List<PodSource> pods = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            pods.add(job.made(prefix + "-" + i, spec.need("podSpec"), job.template(spec.need("podSpec"))));
        }
        int least = count == 0 ? 0 : job.minimum(spec.at("minAvailable"), count);
        return new Clique(new Gang.Role(role, least, pods), locality(job, clique));
    }

    /** Cliques with a domain for themselves are parts of the gang. */
    private static Gang gang(String name, List<Clique> cliques, List<Gang> more, Locality locality) {
        List<Gang.Role> roles = new ArrayList<>();
        List<Gang> parts = new ArrayList<>(more);
        int least = more.stream().mapToInt(Gang::minimum).sum();
        for (Clique clique : cliques) {
            if (!clique.role().pods().isEmpty()) {
                least += clique.role().minimum();
                if (clique.locality().equals(Locality.ANYWHERE)) {
                    roles.add(clique.role());
                } else {
                    parts.add(Gang.of(name + "/" + clique.role().name(), List.of(clique.role()))
                            .withLocality(clique.locality()));
                }
            }
        }
        return new Gang(name, Math.max(1, least), roles, locality, parts);
    }

    private static Locality locality(JobPods job, YamlNode of) {
        YamlNode constraint = of.at("topologyConstraint");
        job.refuse("topologyConstraint.pack", constraint.at("pack"), "only packDomain is read here");
        String domain = constraint.at("packDomain").textOr("");
        return domain.isEmpty()
                ? Locality.ANYWHERE
                : Locality.within(label(job, constraint, domain).orElse(domain));
    }

    /** The label of a domain by the topology that is named, or the first. */
    private static Optional<String> label(JobPods job, YamlNode constraint, String domain) {
        String topology = constraint.at("topologyName").textOr("");
        Optional<YamlNode> levels = job.others().stream()
                .filter(other -> TOPOLOGIES.contains(other.need("kind").text()))
                .filter(other -> topology.isEmpty()
                        || topology.equals(other.need("metadata").at("name").textOr("")))
                .map(other -> other.need("spec").need("levels"))
                .findFirst();
        if (levels.isEmpty()) {
            job.warn(
                    constraint.at("packDomain"),
                    "no ClusterTopology in this file says which label of nodes is \"" + domain
                            + "\"; a label of this name is looked for");
            return Optional.empty();
        }
        return Optional.of(levels.get().list().stream()
                .filter(level -> level.need("domain").text().equals(domain))
                .map(level -> level.need("key").text())
                .findFirst()
                .orElseThrow(() ->
                        constraint.at("packDomain").error("the ClusterTopology has no domain \"" + domain + "\"")));
    }
}
