package io.gpusched.internal.cycle;

import io.gpusched.model.GroupMembership;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which members of a group are asked for next: what the minimum lacks, together, then one after the other. */
final class Members {
    private Members() {}

    /** Returns whether these members are enough to start the group. */
    static boolean isMinimum(PodGroup group, Set<PodId> placed) {
        if (placed.isEmpty()) {
            return false;
        }
        for (PodGroup.Role role : group.roles()) {
            if (role.minMember() > 0 && count(role.pods(), placed) < role.minMember()) {
                return false;
            }
        }
        long parts =
                group.groups().stream().filter(part -> isMinimum(part, placed)).count();
        return parts >= group.minGroups() && count(group.pods(), placed) >= group.minMember();
    }

    private static int count(List<Pod> pods, Set<PodId> placed) {
        int count = 0;
        for (Pod pod : pods) {
            count += placed.contains(pod.id()) ? 1 : 0;
        }
        return count;
    }

    /** Returns the next members as a group that starts whole, or null if there are none, or too few before others have ended. */
    static @Nullable PodGroup next(PodGroup group, Set<PodId> placed, Set<PodId> ending) {
        if (isMinimum(group, placed)) {
            for (Pod pod : group.pods()) {
                if (!placed.contains(pod.id()) && !ending.contains(pod.id())) {
                    return ofRunning(group, List.of(pod));
                }
            }
            return null;
        }
        return group.groups().isEmpty() ? minimum(group, placed, ending) : tree(group, placed, ending);
    }

    /** What the minimum of a group without groups lacks: of each role what it needs, then whoever comes first. */
    private static @Nullable PodGroup minimum(PodGroup group, Set<PodId> placed, Set<PodId> ending) {
        if (placed.isEmpty() && ending.isEmpty() && group.pods().size() == group.minMember()) {
            return group;
        }
        int missing = group.minMember() - count(group.pods(), placed);
        List<List<Pod>> chosen = new ArrayList<>();
        List<List<Pod>> others = new ArrayList<>();
        for (PodGroup.Role role : group.roles()) {
            int needed = Math.max(0, role.minMember() - count(role.pods(), placed));
            List<Pod> pending = role.pods().stream()
                    .filter(pod -> !placed.contains(pod.id()) && !ending.contains(pod.id()))
                    .toList();
            if (pending.size() < needed) {
                return null;
            }
            chosen.add(new ArrayList<>(pending.subList(0, needed)));
            others.add(pending.subList(needed, pending.size()));
            missing -= needed;
        }
        for (int r = 0; r < chosen.size(); r++) {
            int more = Math.max(0, Math.min(missing, others.get(r).size()));
            chosen.get(r).addAll(others.get(r).subList(0, more));
            missing -= more;
        }
        if (missing > 0) {
            return null;
        }
        return placed.isEmpty()
                ? whole(group, chosen)
                : ofRunning(group, chosen.stream().flatMap(List::stream).toList());
    }

    /** Members that run, as a group that is looked a place for again, whole: all that run, or some, to be close to the others. */
    static PodGroup again(PodGroup group, List<Placement> placements, boolean isAll) {
        Set<PodId> ids = new HashSet<>();
        placements.forEach(placement -> ids.add(placement.pod()));
        List<Pod> pods =
                group.pods().stream().filter(pod -> ids.contains(pod.id())).toList();
        return isAll ? PodGroup.of(group.name(), pods).withLocality(group.locality()) : ofRunning(group, pods);
    }

    /** Members of a group that runs, which must be as close to the others as the group demands. */
    private static PodGroup ofRunning(PodGroup group, List<Pod> pods) {
        Map<PodId, GroupMembership> memberships = group.memberships();
        return PodGroup.of(
                group.name(),
                pods.stream()
                        .map(pod -> pod.withGroup(Optional.ofNullable(memberships.get(pod.id()))))
                        .toList());
    }

    private static PodGroup whole(PodGroup group, List<List<Pod>> chosen) {
        List<PodGroup.Role> roles = new ArrayList<>();
        int size = 0;
        for (int r = 0; r < chosen.size(); r++) {
            List<Pod> pods = chosen.get(r);
            if (!pods.isEmpty()) {
                roles.add(new PodGroup.Role(group.roles().get(r).name(), pods.size(), pods));
                size += pods.size();
            }
        }
        return new PodGroup(group.name(), size, roles, group.locality());
    }

    /** A group of groups is asked for as it is; one that has lost members, with all that are pending. */
    private static @Nullable PodGroup tree(PodGroup group, Set<PodId> placed, Set<PodId> ending) {
        if (placed.isEmpty() && ending.isEmpty()) {
            return group;
        }
        List<Pod> pending = group.pods().stream()
                .filter(pod -> !placed.contains(pod.id()) && !ending.contains(pod.id()))
                .toList();
        int missing = group.minMember() - count(group.pods(), placed);
        if (pending.size() < Math.max(1, missing)) {
            return null;
        }
        return ofRunning(group, pending.subList(0, Math.max(1, missing)));
    }
}
