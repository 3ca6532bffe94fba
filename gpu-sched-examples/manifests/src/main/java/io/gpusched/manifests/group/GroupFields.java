package io.gpusched.manifests.group;

import io.gpusched.queue.Eviction;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** Reads the spec of a group in each vocabulary. */
final class GroupFields {
    private GroupFields() {}

    /** A basic group is none: its pods go one by one. */
    static GroupSpec kubernetes(GroupKey key, String uid, Fields spec) {
        int minimum =
                spec.at("schedulingPolicy").at("gang").at("minCount").number(1).orElse(1);
        List<Fields> topology = spec.at("schedulingConstraints").at("topology").list();
        String level = topology.isEmpty() ? "" : topology.get(0).at("key").label();
        GroupSpec group = new GroupSpec(
                key,
                uid,
                minimum,
                Map.of(),
                level.isEmpty() ? GroupLocality.ANYWHERE : GroupLocality.within(level),
                spec.at("priorityClassName").text(),
                spec.at("priority").number(Integer.MIN_VALUE),
                "");
        String preemption = spec.at("preemptionPolicy").text();
        if (!preemption.isEmpty()) {
            group = group.preempting(!"Never".equals(preemption));
        }
        Fields disruption = spec.at("disruptionMode");
        if (disruption.at("single").isPresent()) {
            group = group.withEviction(Eviction.SINGLE);
        } else if (disruption.at("all").isPresent()) {
            group = group.withEviction(Eviction.ALL);
        }
        if (topology.size() > 1) {
            return group.withProblem("spec.schedulingConstraints.topology[1]: one topology key is honoured, not more");
        }
        String parent = spec.at("parentCompositePodGroupName").text();
        if (!parent.isEmpty()) {
            return group.withProblem(
                    "spec.parentCompositePodGroupName: groups of groups are not honoured, and it is one of"
                            + " CompositePodGroup \"" + key.namespace() + "/" + parent
                            + "\". Maybe make one PodGroup of all pods that must start together");
        }
        return spec.at("resourceClaims").list().isEmpty()
                ? group
                : group.withProblem("spec.resourceClaims: devices claimed this way are not counted");
    }

    static GroupSpec coscheduling(GroupKey key, String uid, Fields spec) {
        int minimum = Math.max(1, spec.at("minMember").number(0).orElse(1));
        return new GroupSpec(key, uid, minimum, Map.of(), GroupLocality.ANYWHERE, "", Optional.empty(), "");
    }

    static GroupSpec volcano(GroupKey key, String uid, Fields spec) {
        int minimum = Math.max(1, spec.at("minMember").number(0).orElse(1));
        Map<String, Integer> roles = new LinkedHashMap<>();
        Fields tasks = spec.at("minTaskMember");
        tasks.entries()
                .forEach((task, least) -> roles.put(
                        new Fields(tasks.path() + ", its key", task).name(),
                        least.number(0).orElse(0)));
        if (minimum < roles.values().stream().mapToLong(Integer::longValue).sum()) {
            roles.replaceAll((task, least) -> 0); // as Volcano's gang plugin has it: then only the number of all counts
        }
        GroupSpec group = new GroupSpec(
                key,
                uid,
                minimum,
                roles,
                GroupLocality.ANYWHERE,
                spec.at("priorityClassName").text(),
                Optional.empty(),
                "");
        group = group.inQueue(spec.at("queue").text());
        if (!spec.at("subGroupPolicy").list().isEmpty()) {
            return group.withProblem("spec.subGroupPolicy: groups of groups are not honoured");
        }
        return spec.at("networkTopology").isPresent() ? withTiers(group, spec.at("networkTopology")) : group;
    }

    /** The lowest tier first, as Volcano tries them; the API server makes a mode that is not stated a hard one. */
    private static GroupSpec withTiers(GroupSpec group, Fields topology) {
        if (topology.at("highestTierName").isPresent()) {
            return group.withProblem("spec.networkTopology.highestTierName: tiers are known by their numbers."
                    + " Maybe state highestTierAllowed");
        }
        boolean soft = "soft".equals(topology.at("mode").text());
        Optional<Integer> highest = topology.at("highestTierAllowed").number(0);
        if (!soft && highest.isEmpty()) {
            return group.withProblem("spec.networkTopology.mode: hard needs highestTierAllowed");
        }
        int top = soft ? HyperNodes.HIGHEST_TIER : highest.orElseThrow();
        if (top > HyperNodes.HIGHEST_TIER) {
            return group.withProblem("spec.networkTopology.highestTierAllowed must be in 0.." + HyperNodes.HIGHEST_TIER
                    + ", got " + top);
        }
        return group.withAffinity(new GroupLocality(
                IntStream.rangeClosed(0, top).mapToObj(HyperNodes::label).toList(), !soft));
    }

    static GroupSpec t9k(GroupKey key, String uid, Fields spec) {
        int minimum = Math.max(1, spec.at("minMember").number(0).orElse(1));
        Map<String, Integer> roles = roles(spec.at("roles"));
        GroupSpec group = new GroupSpec(
                key,
                uid,
                minimum,
                roles,
                GroupLocality.ANYWHERE,
                "",
                spec.at("priority").number(0),
                "");
        group = group.inQueue(spec.at("queue").text());
        String topology = spec.at("topologyPolicy").text();
        return topology.isEmpty()
                ? group
                : group.withProblem("spec.topologyPolicy: what \"" + topology
                        + "\" means is not documented. Maybe name a node label by the annotation "
                        + GroupVocabulary.WITHIN);
    }

    /** Levels of KAI's topologies are called by their node labels. */
    static GroupSpec kai(GroupKey key, String uid, Fields spec) {
        Map<String, Integer> roles = roles(spec.at("subGroups"));
        int ofRoles = Math.toIntExact(Math.min(
                Integer.MAX_VALUE,
                roles.values().stream().mapToLong(least -> least).sum()));
        Fields topology = spec.at("topologyConstraint");
        GroupSpec group = new GroupSpec(
                key,
                uid,
                Math.max(1, spec.at("minMember").number(0).orElse(ofRoles)),
                roles,
                GroupLocality.of(
                        topology.at("requiredTopologyLevel").label(),
                        topology.at("preferredTopologyLevel").label()),
                spec.at("priorityClassName").text(),
                Optional.empty(),
                "");
        group = group.inQueue(spec.at("queue").text());
        if ("non-preemptible".equals(spec.at("preemptibility").text())) {
            group = group.withEviction(Eviction.NEVER);
        }
        boolean isTree = spec.at("subGroups").list().stream()
                .anyMatch(part -> !part.at("parent").text().isEmpty()
                        || part.at("topologyConstraint").isPresent()
                        || part.at("minSubGroup").isPresent());
        return isTree || spec.at("minSubGroup").isPresent()
                ? group.withProblem("spec.subGroups: groups of groups are not honoured, nor a topology of a part")
                : group;
    }

    /** How many of each part must run. */
    private static Map<String, Integer> roles(Fields parts) {
        Map<String, Integer> roles = new LinkedHashMap<>();
        for (Fields part : parts.list()) {
            String name = part.at("name").name();
            if (roles.put(name, part.at("minMember").number(0).orElse(0)) != null) {
                throw new IllegalArgumentException(part.path() + ".name: another has the name \"" + name + "\"");
            }
        }
        return roles;
    }
}
