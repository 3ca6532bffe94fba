package io.gpusched.internal.gang;

import io.gpusched.workload.PodGroup;
import io.gpusched.workload.PodGroup.Locality;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A group of groups as flat groups, of which it starts exactly if one does: one for each choice of groups that is enough, and
 * in it a role for each group.
 *
 * <p>Only groups without closeness of their own can be put so, and no group whose members have roles and must be more than
 * their roles' minimums.
 */
final class GangAlternatives {
    /** With more choices than this the group is not taken apart. */
    private static final int MOST = 64;

    private GangAlternatives() {}

    /** Returns the flat groups, those of the fewest pods first; empty if the group cannot be put so, or in too many ways. */
    static List<PodGroup> of(PodGroup group) {
        List<PodGroup> flat = new ArrayList<>();
        for (List<PodGroup.Role> roles : withGroups(group, "", ownRoles(group, ""))) {
            int pods = roles.stream().mapToInt(role -> role.pods().size()).sum();
            if (pods >= group.minMember()) {
                flat.add(new PodGroup(
                        group.name(), Math.max(group.minMember(), least(roles)), roles, Locality.ANYWHERE));
            }
        }
        flat.sort(Comparator.comparingInt(PodGroup::minMember));
        return flat;
    }

    /** Returns the roles of each way in which a group in the group may start; none if that cannot be said by roles. */
    private static List<List<PodGroup.Role>> choices(PodGroup group, String path) {
        if (group.locality().required()) {
            return List.of();
        }
        if (group.groups().isEmpty() && group.roles().size() == 1) {
            PodGroup.Role role = group.roles().get(0);
            int least = Math.max(role.minMember(), group.minMember());
            return List.of(List.of(new PodGroup.Role(path + role.name(), least, role.pods())));
        }
        List<List<PodGroup.Role>> ways = withGroups(group, path, ownRoles(group, path));
        return ways.stream().allMatch(roles -> least(roles) >= group.minMember()) ? ways : List.of();
    }

    private static int least(List<PodGroup.Role> roles) {
        return roles.stream().mapToInt(PodGroup.Role::minMember).sum();
    }

    private static List<PodGroup.Role> ownRoles(PodGroup group, String path) {
        return group.roles().stream()
                .map(role -> new PodGroup.Role(path + role.name(), role.minMember(), role.pods()))
                .toList();
    }

    /** Adds to a group's own roles each choice of at least as many of its groups as must start. */
    private static List<List<PodGroup.Role>> withGroups(PodGroup group, String path, List<PodGroup.Role> own) {
        List<Partial> partials = new ArrayList<>(List.of(new Partial(own, 0)));
        int left = group.groups().size();
        for (PodGroup child : group.groups()) {
            left--;
            List<List<PodGroup.Role>> ways = choices(child, path + child.name() + "/");
            if (ways.isEmpty() || (long) partials.size() * (ways.size() + 1) > MOST) {
                return List.of();
            }
            grow(partials, ways, group.minGroups(), left);
        }
        return partials.stream().map(Partial::roles).toList();
    }

    /** Roles chosen so far, and of how many groups. */
    private record Partial(List<PodGroup.Role> roles, int groups) {}

    private static void grow(List<Partial> partials, List<List<PodGroup.Role>> ways, int needed, int left) {
        List<Partial> before = List.copyOf(partials);
        partials.clear();
        for (Partial partial : before) {
            for (List<PodGroup.Role> way : ways) {
                List<PodGroup.Role> roles = new ArrayList<>(partial.roles());
                roles.addAll(way);
                partials.add(new Partial(roles, partial.groups() + 1));
            }
            if (partial.groups() + left >= needed) {
                partials.add(partial);
            }
        }
    }
}
