package io.gpusched.internal.gang;

import io.gpusched.model.Locality;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.List;

/** A group of groups, seen in parts: its own members, and all its pods as one flat group. */
public final class GangParts {
    private GangParts() {}

    /** The group's own members as a group that may be anywhere; their roles' minimum must start, or one of them. */
    static PodGroup own(PodGroup group) {
        return new PodGroup(group.name(), Math.max(1, roleMinimum(group)), group.roles(), Locality.ANYWHERE);
    }

    static int roleMinimum(PodGroup group) {
        return group.roles().stream().mapToInt(PodGroup.Role::minMember).sum();
    }

    /**
     * Returns all pods of a group as one without groups in it, which can start wherever the group can: of what groups in it
     * demand it keeps their roles' minimums where all of them must start.
     */
    public static PodGroup flat(PodGroup group) {
        if (group.groups().isEmpty()) {
            return group;
        }
        List<PodGroup.Role> roles = new ArrayList<>();
        addRoles(group, "", true, roles);
        return new PodGroup(group.name(), Math.max(1, least(group)), roles, group.locality());
    }

    private static void addRoles(PodGroup group, String path, boolean isRequired, List<PodGroup.Role> roles) {
        for (PodGroup.Role role : group.roles()) {
            int least = isRequired ? role.minMember() : 0;
            roles.add(new PodGroup.Role(path + role.name(), least, role.pods()));
        }
        boolean all = isRequired && group.minGroups() == group.groups().size();
        for (PodGroup child : group.groups()) {
            addRoles(child, path + child.name() + "/", all, roles);
        }
    }

    /** How many pods start in any case if the group does. */
    static int least(PodGroup group) {
        int[] children =
                group.groups().stream().mapToInt(GangParts::least).sorted().toArray();
        int sum = roleMinimum(group);
        for (int i = 0; i < group.minGroups(); i++) {
            sum += children[i];
        }
        return Math.max(group.minMember(), sum);
    }
}
