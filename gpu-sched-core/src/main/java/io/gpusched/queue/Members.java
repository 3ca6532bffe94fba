package io.gpusched.queue;

import io.gpusched.model.GroupMembership;
import io.gpusched.model.Locality;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Which members of a group make its minimum, and which are requested next: what the minimum lacks, together, then one by one. */
final class Members {
    private Members() {}

    static Set<PodId> ids(Collection<Placement> placements) {
        Set<PodId> ids = new HashSet<>();
        placements.forEach(placement -> ids.add(placement.pod()));
        return ids;
    }

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
        return minimalParts(group, placed) >= group.minGroups() && count(group, placed) >= group.minMember();
    }

    private static long minimalParts(PodGroup group, Set<PodId> placed) {
        return group.groups().stream().filter(part -> isMinimum(part, placed)).count();
    }

    private static int count(PodGroup group, Set<PodId> placed) {
        int count = 0;
        for (PodGroup.Role role : group.roles()) {
            count += count(role.pods(), placed);
        }
        for (PodGroup part : group.groups()) {
            count += count(part, placed);
        }
        return count;
    }

    private static int count(List<Pod> pods, Set<PodId> placed) {
        int count = 0;
        for (Pod pod : pods) {
            count += placed.contains(pod.id()) ? 1 : 0;
        }
        return count;
    }

    static int size(PodGroup group) {
        int size = 0;
        for (PodGroup.Role role : group.roles()) {
            size += role.pods().size();
        }
        for (PodGroup part : group.groups()) {
            size += size(part);
        }
        return size;
    }

    /** Returns members that make up the minimum, the first in the group's order, as a group that starts whole; null if too few are left. */
    static @Nullable PodGroup minimum(PodGroup group, Set<PodId> placed, Set<PodId> ending) {
        Set<PodId> chosen = new HashSet<>();
        return choose(group, placed, ending, chosen) ? some(group, placed, chosen) : null;
    }

    /** As {@link #minimum}, but the members first that come first in an order, whatever their places in the group. */
    static @Nullable PodGroup minimum(PodGroup group, Set<PodId> placed, Set<PodId> ending, Comparator<Pod> order) {
        Set<PodId> chosen = new HashSet<>();
        return choose(ordered(group, order), placed, ending, chosen) ? some(group, placed, chosen) : null;
    }

    private static PodGroup ordered(PodGroup group, Comparator<Pod> order) {
        List<PodGroup.Role> roles = group.roles().stream()
                .map(role -> new PodGroup.Role(
                        role.name(),
                        role.minMember(),
                        role.pods().stream().sorted(order).toList()))
                .toList();
        List<PodGroup> parts =
                group.groups().stream().map(part -> ordered(part, order)).toList();
        return new PodGroup(group.name(), group.minMember(), roles, group.locality(), parts, group.minGroups());
    }

    /** Returns the least to which the amounts of members sum up that make the minimum of a group, whichever these are. */
    static long least(PodGroup group, ToLongFunction<Pod> amount) {
        long sum = 0;
        int missing = group.minMember();
        List<Long> others = new ArrayList<>();
        for (PodGroup.Role role : group.groups().isEmpty() ? group.roles() : List.<PodGroup.Role>of()) {
            long[] amounts = role.pods().stream().mapToLong(amount).sorted().toArray();
            for (int i = 0; i < amounts.length; i++) {
                if (i < role.minMember()) {
                    sum += amounts[i];
                    missing--;
                } else {
                    others.add(amounts[i]);
                }
            }
        }
        if (!group.groups().isEmpty()) {
            group.pods().forEach(pod -> others.add(amount.applyAsLong(pod)));
        }
        return sum
                + others.stream()
                        .sorted()
                        .limit(Math.max(0, missing))
                        .mapToLong(each -> each)
                        .sum();
    }

    /** Returns these members as a group that starts whole. */
    private static PodGroup some(PodGroup group, Set<PodId> placed, Set<PodId> chosen) {
        if (placed.isEmpty()) {
            return chosen.size() == size(group) && group.minMember() == chosen.size() ? group : only(group, chosen);
        }
        return more(group, chosen);
    }

    /**
     * Returns all members that are nowhere yet as a group that starts with what the minimum lacks; null if too few are left, or if that
     * cannot be told of a group of groups that runs in part.
     */
    static @Nullable PodGroup whole(PodGroup group, Set<PodId> placed, Set<PodId> ending) {
        if (placed.isEmpty()) {
            return ending.isEmpty() ? group : without(group, ending);
        }
        return group.groups().isEmpty() ? rest(group, placed, ending) : null;
    }

    /** The group without members that still terminate; null if that leaves too few. */
    private static @Nullable PodGroup without(PodGroup group, Set<PodId> ending) {
        List<PodGroup.Role> roles = new ArrayList<>();
        for (PodGroup.Role role : group.roles()) {
            List<Pod> pods = left(role.pods(), ending);
            if (pods.size() < role.minMember()) {
                return null;
            }
            roles.add(new PodGroup.Role(role.name(), role.minMember(), pods));
        }
        List<PodGroup> parts = new ArrayList<>();
        for (PodGroup part : group.groups()) {
            PodGroup left = without(part, ending);
            if (left != null) {
                parts.add(left);
            }
        }
        int size = roles.stream().mapToInt(role -> role.pods().size()).sum()
                + parts.stream().mapToInt(Members::size).sum();
        boolean suffices = size >= group.minMember() && parts.size() >= group.minGroups();
        return suffices
                ? new PodGroup(group.name(), group.minMember(), roles, group.locality(), parts, group.minGroups())
                : null;
    }

    private static List<Pod> left(List<Pod> pods, Set<PodId> gone) {
        return pods.stream().filter(pod -> !gone.contains(pod.id())).toList();
    }

    /** What a group without groups lacks beside the members that are placed, close to these. */
    private static @Nullable PodGroup rest(PodGroup group, Set<PodId> placed, Set<PodId> ending) {
        Map<PodId, GroupMembership> memberships = group.memberships();
        List<PodGroup.Role> roles = new ArrayList<>();
        int left = 0;
        for (PodGroup.Role role : group.roles()) {
            List<Pod> pods = left(left(role.pods(), placed), ending).stream()
                    .map(pod -> pod.withGroup(Optional.ofNullable(memberships.get(pod.id()))))
                    .toList();
            int missing = Math.max(0, role.minMember() - count(role.pods(), placed));
            if (missing > pods.size()) {
                return null;
            }
            roles.add(new PodGroup.Role(role.name(), missing, pods));
            left += pods.size();
        }
        int missing = Math.max(1, group.minMember() - count(group, placed));
        return missing > left ? null : new PodGroup(group.name(), missing, roles, Locality.ANYWHERE);
    }

    /**
     * Chooses what the minimum of a group lacks: of each role and of as many groups as must start what these need, then the first members.
     * Returns whether there are enough.
     */
    private static boolean choose(PodGroup group, Set<PodId> placed, Set<PodId> ending, Set<PodId> chosen) {
        for (PodGroup.Role role : group.roles()) {
            if (!choose(role.pods(), role.minMember(), placed, ending, chosen)) {
                return false;
            }
        }
        long parts = minimalParts(group, placed);
        for (PodGroup part : group.groups()) {
            Set<PodId> more = new HashSet<>(chosen);
            if (parts < group.minGroups() && !isMinimum(part, placed) && choose(part, placed, ending, more)) {
                chosen.addAll(more);
                parts++;
            }
        }
        return parts >= group.minGroups() && fill(group, placed, ending, chosen);
    }

    /** Chooses members of the group's own, then of groups in it, one after the other or the minimum of one, until there are enough. */
    private static boolean fill(PodGroup group, Set<PodId> placed, Set<PodId> ending, Set<PodId> chosen) {
        int missing = group.minMember() - count(group, placed) - count(group, chosen);
        for (PodGroup.Role role : group.roles()) {
            for (Pod pod : role.pods()) {
                if (missing > 0 && !placed.contains(pod.id()) && !ending.contains(pod.id()) && chosen.add(pod.id())) {
                    missing--;
                }
            }
        }
        while (missing > 0) {
            Set<PodId> there = new HashSet<>(placed);
            there.addAll(chosen);
            Set<PodId> more = chooseNext(group, there, ending);
            if (more.isEmpty()) {
                return false;
            }
            chosen.addAll(more);
            missing -= more.size();
        }
        return true;
    }

    /**
     * Returns what is requested once the minimum is there, as a group that starts whole: the first member that waits; then all that the
     * minimum of the first group in it lacks that has not started; null if there is none.
     */
    static @Nullable PodGroup next(PodGroup group, Set<PodId> placed, Set<PodId> ending) {
        Set<PodId> chosen = chooseNext(group, placed, ending);
        return chosen.isEmpty() ? null : more(group, chosen);
    }

    private static Set<PodId> chooseNext(PodGroup group, Set<PodId> placed, Set<PodId> ending) {
        for (PodGroup.Role role : group.roles()) {
            for (Pod pod : role.pods()) {
                if (!placed.contains(pod.id()) && !ending.contains(pod.id())) {
                    return Set.of(pod.id());
                }
            }
        }
        for (PodGroup part : group.groups()) {
            Set<PodId> chosen = isMinimum(part, placed) ? chooseNext(part, placed, ending) : Set.of();
            if (!chosen.isEmpty()) {
                return chosen;
            }
        }
        for (PodGroup part : group.groups()) {
            Set<PodId> chosen = new HashSet<>();
            if (!isMinimum(part, placed) && choose(part, placed, ending, chosen)) {
                return chosen;
            }
        }
        return Set.of();
    }

    /** Returns the outermost group in a group that a member is in and that does not run with its minimum; empty if there is none. */
    static Optional<PodGroup> notStarted(PodGroup group, PodId pod, Set<PodId> running) {
        return group.groups().stream()
                .filter(part -> count(part, Set.of(pod)) > 0)
                .flatMap(part -> isMinimum(part, running) ? notStarted(part, pod, running).stream() : Stream.of(part))
                .findFirst();
    }

    /** Returns whether each group in a group with members that come is there with its minimum. */
    static boolean haveMinimum(PodGroup group, Set<PodId> coming, Set<PodId> there) {
        return group.groups().stream()
                .allMatch(
                        part -> count(part, coming) == 0 || isMinimum(part, there) && haveMinimum(part, coming, there));
    }

    /** Returns whether each group in a group with members that leave keeps its minimum, leaves whole, or had lost it before. */
    static boolean keepMinimum(PodGroup group, Set<PodId> before, Set<PodId> after) {
        return group.groups().stream()
                .allMatch(part -> count(part, after) == count(part, before)
                        || count(part, after) == 0
                        || !isMinimum(part, before)
                        || isMinimum(part, after) && keepMinimum(part, before, after));
    }

    /**
     * Returns which of these members can go, the last first, while the minimum of the group stays: one for itself, or all of a group in it
     * together.
     *
     * @param there all that are there
     * @param members those of them that can go
     */
    static List<Set<PodId>> beyondMinimum(PodGroup group, Set<PodId> there, List<PodId> members) {
        List<Set<PodId>> beyond = new ArrayList<>();
        Set<PodId> left = new HashSet<>(there);
        for (int i = members.size() - 1; i >= 0; i--) {
            take(group, left, Set.of(members.get(i)), beyond);
        }
        takeGroups(group, group, left, Set.copyOf(members), beyond);
        return beyond;
    }

    private static void takeGroups(
            PodGroup all, PodGroup group, Set<PodId> left, Set<PodId> members, List<Set<PodId>> beyond) {
        for (int i = group.groups().size() - 1; i >= 0; i--) {
            PodGroup part = group.groups().get(i);
            takeGroups(all, part, left, members, beyond);
            Set<PodId> whole = new HashSet<>();
            part.pods().stream().map(Pod::id).filter(left::contains).forEach(whole::add);
            if (!whole.isEmpty() && members.containsAll(whole)) {
                take(all, left, whole, beyond);
            }
        }
    }

    private static void take(PodGroup group, Set<PodId> left, Set<PodId> some, List<Set<PodId>> beyond) {
        Set<PodId> before = group.groups().isEmpty() ? Set.of() : Set.copyOf(left);
        left.removeAll(some);
        if (isMinimum(group, left) && keepMinimum(group, before, left)) {
            beyond.add(some);
        } else {
            left.addAll(some);
        }
    }

    /** Chooses pods, the first of them first, until that many are placed or chosen. */
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
                .filter(part -> count(part, chosen) > 0)
                .map(part -> only(part, chosen))
                .toList();
        return new PodGroup(group.name(), count(group, chosen), roles, group.locality(), parts, parts.size());
    }

    /**
     * Returns the fewest of these placements that still make the minimum of a group together with the members that are placed already,
     * the first in order first.
     */
    static List<Placement> fewest(PodGroup group, Set<PodId> placed, List<Placement> found) {
        Set<PodId> there = new HashSet<>(placed);
        found.forEach(placement -> there.add(placement.pod()));
        Set<PodId> beyond = new HashSet<>();
        beyondMinimum(group, there, found.stream().map(Placement::pod).toList()).forEach(beyond::addAll);
        return found.stream()
                .filter(placement -> !beyond.contains(placement.pod()))
                .toList();
    }

    /**
     * More members of a group that runs in part as a group that starts whole, each as close to the others that run as the group demands; those
     * of a group in it that starts are chosen together.
     */
    private static PodGroup more(PodGroup group, Set<PodId> chosen) {
        if (chosen.size() > 1 && !group.groups().isEmpty()) {
            return only(group, chosen);
        }
        Map<PodId, GroupMembership> memberships = group.memberships();
        return PodGroup.of(
                group.name(),
                group.pods().stream()
                        .filter(pod -> chosen.contains(pod.id()))
                        .map(pod -> pod.withGroup(Optional.ofNullable(memberships.get(pod.id()))))
                        .toList());
    }

    /** Returns a group without members that have completed, which count as started; null if no member is left. */
    static @Nullable PodGroup completed(PodGroup group, Set<PodId> done) {
        List<PodGroup.Role> roles = new ArrayList<>();
        for (PodGroup.Role role : group.roles()) {
            List<Pod> pods = left(role.pods(), done);
            int fewer = role.pods().size() - pods.size();
            roles.add(new PodGroup.Role(role.name(), Math.max(0, role.minMember() - fewer), pods));
        }
        List<PodGroup> parts = new ArrayList<>();
        int gone = 0;
        for (PodGroup part : group.groups()) {
            PodGroup left = completed(part, done);
            if (left == null) {
                gone++;
            } else {
                parts.add(left);
            }
        }
        int size = roles.stream().mapToInt(role -> role.pods().size()).sum()
                + parts.stream().mapToInt(Members::size).sum();
        int minimum = Math.max(1, group.minMember() - (size(group) - size));
        int minGroups = Math.max(0, Math.min(parts.size(), group.minGroups() - gone));
        return size == 0
                ? null
                : new PodGroup(group.name(), Math.min(size, minimum), roles, group.locality(), parts, minGroups);
    }

    /** Members that run, as a group for which a place is looked for again, whole: all that run, or some, to be close to the others. */
    static PodGroup again(PodGroup group, List<Placement> placements, boolean isAll) {
        Set<PodId> ids = ids(placements);
        return isAll ? only(group, ids) : more(group, ids);
    }
}
