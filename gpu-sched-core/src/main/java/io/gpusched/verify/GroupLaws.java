package io.gpusched.verify;

import io.gpusched.model.GroupMembership;
import io.gpusched.model.Locality;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Minimum and locality of groups and of the groups in them ({@link PodGroup}, {@link GroupMembership}, {@link Locality}). */
final class GroupLaws {
    private GroupLaws() {}

    /** The members that have started are enough for each group that has started. */
    static void minimum(PodGroup group, Set<PodId> started, List<Violation> broken) {
        minimum(group, started, started, broken);
    }

    /**
     * The members that are there are enough for a group, and for each group in it to which some come.
     *
     * @param coming those of them that come: others of a group in the group may have left before
     */
    static void minimum(PodGroup group, Set<PodId> coming, Set<PodId> there, List<Violation> broken) {
        String subject = "group \"" + group.name() + "\"";
        below(subject, "members", count(group, there), group.minMember(), broken);
        for (PodGroup.Role role : group.roles()) {
            long have =
                    role.pods().stream().filter(pod -> there.contains(pod.id())).count();
            below(subject + ", role \"" + role.name() + "\"", "members", have, role.minMember(), broken);
        }
        int parts = 0;
        for (PodGroup part : group.groups()) {
            parts += count(part, there) > 0 ? 1 : 0;
            if (count(part, coming) > 0) {
                minimum(part, coming, there, broken);
            }
        }
        below(subject, "groups in it", parts, group.minGroups(), broken);
    }

    private static void below(String subject, String what, long has, long least, List<Violation> broken) {
        if (has < least) {
            broken.add(Violation.below(Law.MINIMUM, subject, what, has, least));
        }
    }

    static long count(PodGroup group, Set<PodId> started) {
        return group.pods().stream().filter(pod -> started.contains(pod.id())).count();
    }

    static boolean meetsMinimum(PodGroup group, Set<PodId> started) {
        List<Violation> broken = new ArrayList<>();
        minimum(group, started, broken);
        return broken.isEmpty();
    }

    /** A placement stands in one domain with all others of its group, and of each group around it. */
    static void locality(World world, Placement placement, List<Violation> broken) {
        if (placement.group().isEmpty()) {
            return;
        }
        for (GroupMembership group : placement.group().get().all()) {
            if (!group.locality().isBinding()) {
                continue;
            }
            Set<String> domains = new TreeSet<>();
            Set<PodId> nowhere = new HashSet<>();
            for (Placement other : world.with(placement).placements()) {
                Node node = world.nodes().get(other.node());
                if (isIn(group, other, placement.pod().namespace()) && node != null) {
                    String domain = domain(world, node, group.locality());
                    if (domain == null) {
                        nowhere.add(other.pod());
                    } else {
                        domains.add(domain);
                    }
                }
            }
            if (domains.size() + nowhere.size() > 1 || nowhere.contains(placement.pod())) {
                broken.add(Violation.of(
                        Law.LOCALITY,
                        "group \"" + group + "\"",
                        "pod \"" + placement.pod() + "\" on node \"" + placement.node() + "\": members are in "
                                + domains + (nowhere.isEmpty() ? "" : ", in no domain " + nowhere)));
            }
        }
    }

    private static boolean isIn(GroupMembership group, Placement placement, String namespace) {
        return placement.pod().namespace().equals(namespace)
                && placement.group().stream()
                        .flatMap(inner -> inner.all().stream())
                        .anyMatch(one -> one.path().equals(group.path()));
    }

    /** By the level of the topology of this name, or, where no node has it, by the label of this key; null for none. */
    private static @Nullable String domain(World world, Node node, Locality locality) {
        if (locality.scope() == Locality.Scope.NODE) {
            return node.name();
        }
        boolean isLevel =
                world.nodes().values().stream().anyMatch(other -> World.level(other, locality.level()) != null);
        return isLevel ? World.level(node, locality.level()) : node.labels().get(locality.level());
    }

    /** The members that a decision about a group speaks of. */
    static void members(PodGroup group, List<Placement> placed, List<PodId> waiting, List<Violation> broken) {
        String subject = "group \"" + group.name() + "\"";
        Set<PodId> left = new HashSet<>();
        group.pods().forEach(pod -> left.add(pod.id()));
        List<PodId> spoken = new ArrayList<>(waiting);
        placed.forEach(placement -> spoken.add(placement.pod()));
        for (PodId pod : spoken) {
            if (!left.remove(pod)) {
                broken.add(Violation.of(Law.MEMBERS, subject, "pod \"" + pod + "\" is no member, or occurs twice"));
            }
        }
        if (!left.isEmpty()) {
            broken.add(Violation.of(Law.MEMBERS, subject, "nothing is said of " + new TreeSet<>(left)));
        }
        for (Placement placement : placed) {
            GroupMembership membership = group.memberships().get(placement.pod());
            if (!Objects.equals(membership, placement.group().orElse(null))) {
                broken.add(Violation.of(
                        Law.PLACEMENT_OF_POD,
                        "pod \"" + placement.pod() + "\"",
                        "its placement is of group " + placement.group() + ", the pod of " + membership));
            }
        }
    }
}
