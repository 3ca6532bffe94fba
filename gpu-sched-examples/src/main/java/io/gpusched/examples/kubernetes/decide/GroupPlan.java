package io.gpusched.examples.kubernetes.decide;

import io.gpusched.examples.kubernetes.group.GroupSpec;
import io.gpusched.model.Cluster;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The pending pods of a group as the library's group: its minimum counts who runs already, and where one runs, all others
 * stay in its domain.
 *
 * @param spec what the group demands
 * @param ready the members that may be asked for
 * @param placed how many run already, or are about to
 * @param placedByRole the same by role
 * @param domain the domain's name where members run already; empty if none does
 */
record GroupPlan(
        GroupSpec spec, List<Request.Ready> ready, int placed, Map<String, Integer> placedByRole, String domain) {
    private static final String NO_ROLE = "(no role)";

    /** How many more must be placed together. */
    int needed() {
        return spec.minimum() - placed;
    }

    /** Why there are too few pods; empty if there are enough. */
    String shortage() {
        if (ready.size() < needed()) {
            return "minimum is " + spec.minimum() + ", there are " + (ready.size() + placed) + " pods that can start";
        }
        Map<String, Integer> byRole = new HashMap<>(placedByRole);
        ready.forEach(member -> byRole.merge(role(member), 1, Integer::sum));
        for (Map.Entry<String, Integer> role : spec.roleMinimums().entrySet()) {
            int there = byRole.getOrDefault(role.getKey(), 0);
            if (there < role.getValue()) {
                return "minimum of role \"" + role.getKey() + "\" is " + role.getValue() + ", there are " + there
                        + " pods that can start";
            }
        }
        return "";
    }

    private String role(Request.Ready member) {
        return spec.key()
                .vocabulary()
                .roleOf(member.manifest().labels(), member.manifest().annotations());
    }

    PodGroup group(Cluster cluster) {
        Map<String, List<Pod>> byRole = new LinkedHashMap<>();
        for (Request.Ready member : ready) {
            byRole.computeIfAbsent(role(member), any -> new ArrayList<>()).add(Decider.pod(within(member), cluster));
        }
        List<PodGroup.Role> roles = new ArrayList<>();
        byRole.forEach((name, pods) -> {
            int least = spec.roleMinimums().getOrDefault(name, 0) - placedByRole.getOrDefault(name, 0);
            roles.add(new PodGroup.Role(name.isEmpty() ? NO_ROLE : name, Math.max(0, least), pods));
        });
        boolean chooses = !spec.topologyKey().isEmpty() && domain.isEmpty();
        return new PodGroup(
                spec.key().toString(),
                Math.max(1, needed()),
                roles,
                chooses ? PodGroup.Locality.within(spec.topologyKey()) : PodGroup.Locality.ANYWHERE);
    }

    private Request.Ready within(Request.Ready member) {
        if (domain.isEmpty()) {
            return member;
        }
        NodeSelector selector = NodeSelector.labels(Map.of(spec.topologyKey(), domain));
        return new Request.Ready(member.pod(), member.manifest().onNodes(selector), member.named(), member.claims());
    }
}
