package io.gpusched.kubernetes.decide;

import io.gpusched.dialect.PodManifest;
import io.gpusched.kubernetes.volume.AttachView;
import io.gpusched.kubernetes.volume.CsiVolume;
import io.gpusched.manifests.group.GroupSpec;
import io.gpusched.model.Cluster;
import io.gpusched.model.Locality;
import io.gpusched.model.PodId;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The pending pods of a group as the library's group: its minimum counts who runs already, and where one runs, all others
 * stay in its domain. A group that may stay within several kinds of domains is tried within the narrowest first.
 *
 * @param spec what the group demands
 * @param ready the members that may be asked for
 * @param placed how many run already, or are about to
 * @param placedByRole the same by role
 * @param placedOn the labels of the nodes where members run already
 */
record GroupPlan(
        GroupSpec spec,
        List<Request.Ready> ready,
        int placed,
        Map<String, Integer> placedByRole,
        List<Map<String, String>> placedOn) {
    private static final String NO_ROLE = "(no role)";

    /**
     * One way to stay close.
     *
     * @param label the node label whose domains matter; empty for none
     * @param domain its value where members run already; empty to choose one
     * @param required whether one domain must take all
     * @param excluded domains that are not to be chosen
     */
    record Attempt(String label, String domain, boolean required, List<String> excluded) {
        static final Attempt ANYWHERE = new Attempt("", "", false);

        Attempt(String label, String domain, boolean required) {
            this(label, domain, required, List.of());
        }

        Locality locality() {
            if (label.isEmpty() || !domain.isEmpty()) {
                return Locality.ANYWHERE;
            }
            Locality within = Locality.within(label);
            return required ? within : within.preferred();
        }

        /** The same way for those who come after one that was placed on a node with these labels. */
        Attempt in(Map<String, String> labels) {
            return required && domain.isEmpty() ? new Attempt(label, labels.getOrDefault(label, ""), true) : this;
        }

        /** The same way in none of the domains excluded so far, nor in this one. */
        Attempt notIn(String tried) {
            List<String> more = new ArrayList<>(excluded);
            more.add(tried);
            return new Attempt(label, domain, required, List.copyOf(more));
        }

        /** The nodes that this way leaves. */
        NodeSelector nodes() {
            if (!domain.isEmpty()) {
                return NodeSelector.labels(Map.of(label, domain));
            }
            return excluded.isEmpty()
                    ? NodeSelector.ANY
                    : NodeSelector.all(new NodeRequirement(label, NodeRequirement.Operator.NOT_IN, excluded));
        }
    }

    /** Copies the list. */
    GroupPlan {
        placedOn = List.copyOf(placedOn);
    }

    /**
     * The ways to stay close, to be tried in this order; at least one.
     *
     * @param isLabelled whether any node has a label; of several labels those that none has are left out
     */
    List<Attempt> attempts(Predicate<String> isLabelled) {
        List<Attempt> attempts = new ArrayList<>();
        List<String> labels = labels(isLabelled);
        boolean required = spec.locality().required();
        String widest = labels.isEmpty() ? "" : labels.get(labels.size() - 1);
        for (String label : labels) {
            Set<String> domains = domains(label);
            boolean must = required && label.equals(widest);
            if (domains.isEmpty() && (required || !label.equals(widest)) || domains.size() == 1 || must) {
                attempts.add(new Attempt(label, domains.stream().findFirst().orElse(""), true));
            }
        }
        if (!required) {
            attempts.add(labels.isEmpty() ? Attempt.ANYWHERE : new Attempt(widest, "", false));
        }
        return attempts;
    }

    private List<String> labels(Predicate<String> isLabelled) {
        List<String> all = spec.locality().labels();
        List<String> known =
                all.size() < 2 ? all : all.stream().filter(isLabelled).toList();
        return known.isEmpty() && !all.isEmpty() ? List.of(all.get(all.size() - 1)) : known;
    }

    private Set<String> domains(String label) {
        Set<String> domains = new LinkedHashSet<>();
        placedOn.forEach(node -> domains.add(node.getOrDefault(label, "")));
        domains.remove("");
        return domains;
    }

    /**
     * The plan for some of the members: all others count as placed.
     *
     * @param without those of the others that do not, because there is no room for them
     */
    GroupPlan part(List<Request.Ready> members, Set<PodId> without) {
        Set<PodId> here = new HashSet<>(without);
        members.forEach(member -> here.add(member.pod().id()));
        List<Request.Ready> others = ready.stream()
                .filter(member -> !here.contains(member.pod().id()))
                .toList();
        Map<String, Integer> byRole = new HashMap<>(placedByRole);
        others.forEach(member -> byRole.merge(role(member), 1, Integer::sum));
        return new GroupPlan(spec, members, placed + others.size(), byRole, placedOn);
    }

    /** Whether the group cannot start without any of these members. */
    boolean isNeeded() {
        return needed() > 0
                || spec.roleMinimums().entrySet().stream()
                        .anyMatch(role -> placedByRole.getOrDefault(role.getKey(), 0) < role.getValue());
    }

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
        return spec.roleOf(member.manifest().labels(), member.manifest().annotations());
    }

    /**
     * The group to be asked for.
     *
     * @param common volumes that all members share, which the cluster has set aside
     * @param cluster where it is asked for
     */
    PodGroup group(Attempt attempt, Set<CsiVolume> common, Cluster cluster) {
        Map<String, List<Pod>> byRole = new LinkedHashMap<>();
        for (Request.Ready member : ready) {
            byRole.computeIfAbsent(role(member), any -> new ArrayList<>())
                    .add(Decider.pod(within(member, attempt, common), cluster));
        }
        List<PodGroup.Role> roles = new ArrayList<>();
        byRole.forEach((name, pods) -> {
            int least = spec.roleMinimums().getOrDefault(name, 0) - placedByRole.getOrDefault(name, 0);
            roles.add(new PodGroup.Role(name.isEmpty() ? NO_ROLE : name, Math.max(0, least), pods));
        });
        return new PodGroup(spec.key().unique(), Math.max(1, needed()), roles, attempt.locality());
    }

    private static Request.Ready within(Request.Ready member, Attempt attempt, Set<CsiVolume> common) {
        PodManifest manifest = AttachView.member(member.manifest(), member.volumes(), common);
        return member.asking(manifest.onNodes(attempt.nodes()));
    }
}
