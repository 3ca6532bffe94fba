package io.gpusched.examples.kubernetes.group;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads the spec of a group in each vocabulary. */
final class GroupFields {
    private GroupFields() {}

    /** A basic group is none: its pods go one by one. */
    static GroupSpec kubernetes(GroupKey key, String uid, Fields spec) {
        int minimum =
                spec.at("schedulingPolicy").at("gang").at("minCount").number(1).orElse(1);
        List<Fields> topology = spec.at("schedulingConstraints").at("topology").list();
        String level = topology.isEmpty() ? "" : topology.get(0).at("key").text();
        GroupSpec group = new GroupSpec(
                key,
                uid,
                minimum,
                Map.of(),
                level.isEmpty() ? Closeness.ANYWHERE : Closeness.within(level),
                spec.at("priorityClassName").text(),
                spec.at("priority").number(Integer.MIN_VALUE),
                "");
        if (topology.size() > 1) {
            return group.withProblem("spec.schedulingConstraints.topology[1]: one topology key is honoured, not more");
        }
        if (!spec.at("parentCompositePodGroupName").text().isEmpty()) {
            return group.withProblem("spec.parentCompositePodGroupName: groups of groups are not honoured");
        }
        return spec.at("resourceClaims").list().isEmpty()
                ? group
                : group.withProblem("spec.resourceClaims: devices claimed this way are not counted");
    }

    static GroupSpec coscheduling(GroupKey key, String uid, Fields spec) {
        int minimum = Math.max(1, spec.at("minMember").number(0).orElse(1));
        return new GroupSpec(key, uid, minimum, Map.of(), Closeness.ANYWHERE, "", Optional.empty(), "");
    }

    static GroupSpec volcano(GroupKey key, String uid, Fields spec) {
        int minimum = Math.max(1, spec.at("minMember").number(0).orElse(1));
        Map<String, Integer> roles = new LinkedHashMap<>();
        spec.at("minTaskMember")
                .entries()
                .forEach((task, least) -> roles.put(task, least.number(0).orElse(0)));
        GroupSpec group = new GroupSpec(
                key,
                uid,
                minimum,
                roles,
                Closeness.ANYWHERE,
                spec.at("priorityClassName").text(),
                Optional.empty(),
                "");
        return "hard".equals(spec.at("networkTopology").at("mode").text())
                ? group.withProblem("spec.networkTopology.mode: hard tiers of hyper nodes are not honoured")
                : group;
    }

    static GroupSpec t9k(GroupKey key, String uid, Fields spec) {
        int minimum = Math.max(1, spec.at("minMember").number(0).orElse(1));
        Map<String, Integer> roles = new LinkedHashMap<>();
        spec.at("roles")
                .list()
                .forEach(role -> roles.put(
                        role.at("name").text(), role.at("minMember").number(0).orElse(0)));
        GroupSpec group = new GroupSpec(
                key, uid, minimum, roles, Closeness.ANYWHERE, "", spec.at("priority").number(0), "");
        String topology = spec.at("topologyPolicy").text();
        return topology.isEmpty()
                ? group
                : group.withProblem("spec.topologyPolicy: what \"" + topology
                        + "\" means is not documented. Maybe name a node label by the annotation "
                        + GroupVocabulary.WITHIN);
    }
}
