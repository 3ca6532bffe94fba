package io.gpusched.internal.gang;

import io.gpusched.model.GroupMembership;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Gives the placements of a group's members their group. */
public final class GangMemberships {
    private GangMemberships() {}

    /** Returns what its own members are members of for a group and each group in it, by identity. */
    public static IdentityHashMap<PodGroup, GroupMembership> byGroup(PodGroup group) {
        IdentityHashMap<PodGroup, GroupMembership> all = new IdentityHashMap<>();
        add(group, GroupMembership.of(group.name(), group.locality()), all);
        return all;
    }

    private static void add(
            PodGroup group, GroupMembership membership, IdentityHashMap<PodGroup, GroupMembership> all) {
        all.put(group, membership);
        group.groups().forEach(child -> add(child, membership.in(child.name(), child.locality()), all));
    }

    /** Returns placements of members of a group, each with the member's group. */
    public static List<Placement> of(PodGroup group, List<Placement> placements) {
        boolean isFlat = group.groups().isEmpty()
                && group.roles().stream()
                        .flatMap(role -> role.pods().stream())
                        .map(Pod::group)
                        .allMatch(Optional::isEmpty);
        Optional<GroupMembership> all = Optional.of(GroupMembership.of(group.name(), group.locality()));
        Map<PodId, GroupMembership> each = isFlat ? Map.of() : group.memberships();
        List<Placement> known = new ArrayList<>(placements.size());
        for (Placement placement : placements) {
            known.add(placement.withGroup(isFlat ? all : Optional.ofNullable(each.get(placement.pod()))));
        }
        return known;
    }
}
