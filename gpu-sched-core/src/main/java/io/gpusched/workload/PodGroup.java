package io.gpusched.workload;

import io.gpusched.check.Checks;
import io.gpusched.model.GroupMembership;
import io.gpusched.model.Locality;
import io.gpusched.model.PodId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Pods that start together or not at all: a gang. A group may consist of groups, each with a locality of its own: eight
 * workers in each NVLink domain, and all of them in one block.
 *
 * @param name the group's name, not blank
 * @param minMember how many pods must start together, those of its groups included, 1 up to the number of pods; the minimum of
 *     each role must be met as well
 * @param roles its own members by role; the order is the order in which members beyond the minimum are placed
 * @param locality how close together all its pods must be, those of its groups included
 * @param groups the groups it consists of beside its own members; each starts with its own minimum or not at all. With those
 *     in them they make at most 16 levels, this group's own included
 * @param minGroups how many of these must start, 0 up to their number
 */
public record PodGroup(
        String name, int minMember, List<Role> roles, Locality locality, List<PodGroup> groups, int minGroups) {
    private static final int MAX_LEVELS = 16;

    /**
     * Members of the same kind, such as the workers of a job. They may differ in what they ask.
     *
     * @param name the role's name, unique in the group, not blank
     * @param minMember how many of these must start together, 0 up to their number
     * @param pods the members
     */
    public record Role(String name, int minMember, List<Pod> pods) {
        /**
         * Copies the members and checks the minimum.
         *
         * @throws IllegalArgumentException if the name is blank or the minimum is out of range
         */
        public Role {
            Objects.requireNonNull(name, "name");
            Checks.notBlank("role", "name", name);
            pods = Checks.list("pods", pods);
            Checks.inRange("role \"" + name + "\"", "minMember", minMember, 0, pods.size());
        }
    }

    /**
     * Copies the roles and checks the numbers.
     *
     * @throws IllegalArgumentException if the name is blank, there is no pod, a minimum or the number of levels is out of
     *     range, or a role, a group or a pod occurs twice
     */
    public PodGroup {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(locality, "locality");
        Checks.notBlank("pod group", "name", name);
        roles = Checks.list("roles", roles);
        groups = Checks.list("groups", groups);
        String what = "pod group \"" + name + "\"";
        Set<String> roleNames = new HashSet<>();
        Set<PodId> ids = new HashSet<>();
        int size = 0;
        for (Role role : roles) {
            if (!roleNames.add(role.name())) {
                throw new IllegalArgumentException(what + ": two roles have the name \"" + role.name() + "\"");
            }
            for (Pod pod : role.pods()) {
                if (!ids.add(pod.id())) {
                    throw new IllegalArgumentException(what + ": pod \"" + pod.id() + "\" occurs twice");
                }
                size++;
            }
        }
        Set<String> groupNames = new HashSet<>();
        for (PodGroup group : groups) {
            if (!groupNames.add(group.name())) {
                throw new IllegalArgumentException(what + ": two groups have the name \"" + group.name() + "\"");
            }
            for (Pod pod : group.pods()) {
                if (!ids.add(pod.id())) {
                    throw new IllegalArgumentException(what + ": pod \"" + pod.id() + "\" occurs twice");
                }
                size++;
            }
        }
        Checks.inRange(what, "levels of groups", levels(groups), 1, MAX_LEVELS);
        Checks.inRange(what, "minGroups", minGroups, 0, groups.size());
        Checks.inRange(what, "number of pods", size, 1, 1_000_000);
        Checks.inRange(what, "minMember", minMember, 1, size);
    }

    /** How deep a group is that consists of these groups. */
    private static int levels(List<PodGroup> groups) {
        int deepest = 0;
        for (PodGroup group : groups) {
            deepest = Math.max(deepest, levels(group.groups));
        }
        return deepest + 1;
    }

    /** A group without groups in it. */
    public PodGroup(String name, int minMember, List<Role> roles, Locality locality) {
        this(name, minMember, roles, locality, List.of(), 0);
    }

    /** Returns the group that consists of these groups, anywhere; all must start. */
    public static PodGroup ofGroups(String name, List<PodGroup> groups) {
        Objects.requireNonNull(name, "name");
        Checks.noNulls("groups", groups);
        int least = groups.stream().mapToInt(PodGroup::minMember).sum();
        return new PodGroup(name, Math.max(1, least), List.of(), Locality.ANYWHERE, groups, groups.size());
    }

    /** Returns the group of these pods, anywhere; all must start together. */
    public static PodGroup of(String name, List<Pod> pods) {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(pods, "pods");
        return new PodGroup(name, pods.size(), List.of(new Role("member", 0, pods)), Locality.ANYWHERE);
    }

    /** Returns this group with another minimum. */
    public PodGroup withMinMember(int value) {
        return new PodGroup(name, value, roles, locality, groups, minGroups);
    }

    /** Returns this group with another locality. */
    public PodGroup withLocality(Locality value) {
        Objects.requireNonNull(value, "value");
        return new PodGroup(name, minMember, roles, value, groups, minGroups);
    }

    /** Returns this group with so many of its groups required, 0 up to their number. */
    public PodGroup withMinGroups(int value) {
        return new PodGroup(name, minMember, roles, locality, groups, value);
    }

    /**
     * Returns this group cut into slices: groups of so many members, in their order, each within one domain of a level and
     * each with all its members or none, named after its first. With {@code withLocality(Locality.within("block"))} and 8 per {@code nvlink}: eight
     * members in each NVLink domain, all in one block. As many slices must start as hold the minimum of members.
     *
     * @param size how many members make a slice; the number of members must be a multiple of it
     * @param level the level; one of its domains holds a slice
     * @throws IllegalArgumentException if the size is below 1 or does not divide the number of members, or if the group has
     *     groups already
     */
    public PodGroup withSlices(int size, String level) {
        Objects.requireNonNull(level, "level");
        String what = "pod group \"" + name + "\"";
        List<Pod> pods = pods();
        Checks.inRange(what, "size of a slice", size, 1, pods.size());
        if (!groups.isEmpty()) {
            throw new IllegalArgumentException(what
                    + ": a group that consists of groups cannot be cut into slices, got " + groups.size() + " groups");
        }
        if (pods.size() % size != 0) {
            throw new IllegalArgumentException(
                    what + ": size of a slice must divide the number of members, " + pods.size() + ", got " + size);
        }
        List<PodGroup> slices = new ArrayList<>();
        for (int from = 0; from < pods.size(); from += size) {
            slices.add(of("slice of " + pods.get(from).id(), pods.subList(from, from + size))
                    .withLocality(Locality.within(level)));
        }
        return new PodGroup(name, minMember, List.of(), locality, slices, (minMember + size - 1) / size);
    }

    /** Returns all members, role by role, then group by group. */
    public List<Pod> pods() {
        List<Pod> all = new ArrayList<>();
        roles.forEach(role -> all.addAll(role.pods()));
        groups.forEach(group -> all.addAll(group.pods()));
        return all;
    }

    /**
     * Returns of each member the group that its placement will have: the innermost in which it is, or its own if it is a member of
     * one {@linkplain Pod#group() by itself}.
     */
    public Map<PodId, GroupMembership> memberships() {
        Map<PodId, GroupMembership> all = new HashMap<>();
        addMemberships(GroupMembership.of(name, locality), all);
        return all;
    }

    private void addMemberships(GroupMembership mine, Map<PodId, GroupMembership> all) {
        for (Role role : roles) {
            role.pods().forEach(pod -> all.put(pod.id(), pod.group().orElse(mine)));
        }
        groups.forEach(group -> group.addMemberships(mine.in(group.name, group.locality), all));
    }
}
