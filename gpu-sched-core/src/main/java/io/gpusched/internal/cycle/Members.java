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
        Set<PodId> chosen = new HashSet<>();
        if (!choose(group, placed, ending, chosen)) {
            return null;
        }
        if (placed.isEmpty()) {
            return chosen.size() == group.pods().size() && group.minMember() == chosen.size()
                    ? group
                    : only(group, chosen);
        }
        return ofRunning(
                group,
                group.pods().stream().filter(pod -> chosen.contains(pod.id())).toList());
    }

    /**
     * Chooses what the minimum of a group lacks: of each role and of as many groups as must start what these need, then whoever comes
     * first. Returns whether there are enough.
     */
    private static boolean choose(PodGroup group, Set<PodId> placed, Set<PodId> ending, Set<PodId> chosen) {
        for (PodGroup.Role role : group.roles()) {
            if (!choose(role.pods(), role.minMember(), placed, ending, chosen)) {
                return false;
            }
        }
        long parts =
                group.groups().stream().filter(part -> isMinimum(part, placed)).count();
        for (PodGroup part : group.groups()) {
            Set<PodId> more = new HashSet<>(chosen);
            if (parts < group.minGroups() && !isMinimum(part, placed) && choose(part, placed, ending, more)) {
                chosen.addAll(more);
                parts++;
            }
        }
        return parts >= group.minGroups() && choose(group.pods(), group.minMember(), placed, ending, chosen);
    }

    /** Chooses pods, the first of them first, until so many are placed or chosen. */
    private static boolean choose(
            List<Pod> pods, int minimum, Set<PodId> placed, Set<PodId> ending, Set<PodId> chosen) {
        int missing = minimum - count(pods, placed) - count(pods, chosen);
        for (Pod pod : pods) {
            if (missing > 0 && !placed.contains(pod.id()) && !ending.contains(pod.id()) && chosen.add(pod.id())) {
                missing--;
            }
        }
        return missing <= 0;
    }

    /** The group of these members alone, which starts whole. */
    private static PodGroup only(PodGroup group, Set<PodId> chosen) {
        List<PodGroup.Role> roles = new ArrayList<>();
        for (PodGroup.Role role : group.roles()) {
            List<Pod> pods = role.pods().stream()
                    .filter(pod -> chosen.contains(pod.id()))
                    .toList();
            if (!pods.isEmpty()) {
                roles.add(new PodGroup.Role(role.name(), pods.size(), pods));
            }
        }
        List<PodGroup> parts = group.groups().stream()
                .filter(part -> count(part.pods(), chosen) > 0)
                .map(part -> only(part, chosen))
                .toList();
        return new PodGroup(group.name(), count(group.pods(), chosen), roles, group.locality(), parts, parts.size());
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
}
