package io.gpusched.model;

import io.gpusched.check.Checks;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The group that a pod belongs to, and how close together its members must be. A running pod's
 * {@linkplain Placement#group() placement} has it, so that a move, a restart or growth of the group can keep it.
 *
 * <p>Two pods are members of the same group if they are in one namespace and the {@linkplain #path() names} of their groups,
 * with those around them, are the same. Immutable and thread-safe.
 *
 * @param name the group's name, not blank
 * @param locality how close together its members must be
 * @param around the group that this group is a part of, such as the job of a slice; empty if it is not in another
 */
public record GroupMembership(String name, Locality locality, Optional<GroupMembership> around) {
    /**
     * Checks the name.
     *
     * @throws IllegalArgumentException if it is blank
     */
    public GroupMembership {
        Checks.notBlank("group membership", "name", name);
        Objects.requireNonNull(locality, "locality");
        Objects.requireNonNull(around, "around");
    }

    /** Returns the membership of a group that is not part of another. */
    public static GroupMembership of(String name, Locality locality) {
        return new GroupMembership(name, locality, Optional.empty());
    }

    /** Returns the membership of a group in this one. */
    public GroupMembership in(String name, Locality locality) {
        return new GroupMembership(name, locality, Optional.of(this));
    }

    /** Returns this group and those around it, the widest last. */
    public List<GroupMembership> all() {
        List<GroupMembership> all = new ArrayList<>();
        for (Optional<GroupMembership> next = Optional.of(this); next.isPresent(); next = next.get().around) {
            all.add(next.get());
        }
        return all;
    }

    /** Returns the names of this group and those around it, the widest last. */
    public List<String> path() {
        return all().stream().map(GroupMembership::name).toList();
    }

    /** Returns the group in words, such as {@code job/slice-1, required in one nvlink}. */
    @Override
    public String toString() {
        String outer = around.map(group -> group.path().stream().reduce("", (path, name) -> name + "/" + path))
                .orElse("");
        return outer + name + (locality.equals(Locality.ANYWHERE) ? "" : ", " + locality);
    }
}
