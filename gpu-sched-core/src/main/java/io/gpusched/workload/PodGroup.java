package io.gpusched.workload;

import io.gpusched.internal.check.Checks;
import io.gpusched.model.PodId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Pods that start together or not at all: a gang.
 *
 * @param name the group's name, not blank
 * @param minMember how many pods must start together, 1 up to the number of pods; the minimum of each role must be met as well
 * @param roles the members by role, at least one; the order is the order in which members beyond the minimum are placed
 * @param locality how close together they must be
 */
public record PodGroup(String name, int minMember, List<Role> roles, Locality locality) {
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
            Objects.requireNonNull(pods, "pods");
            Checks.notBlank("role", "name", name);
            pods = List.copyOf(pods);
            Checks.inRange("role \"" + name + "\"", "minMember", minMember, 0, pods.size());
        }
    }

    /**
     * How close together the members must be.
     *
     * @param scope what they share
     * @param level the topology level for {@link Scope#DOMAIN}, empty otherwise
     * @param required whether a placement that is not that close is refused; if false, a close placement is only preferred
     */
    public record Locality(Scope scope, String level, boolean required) {
        /** What the members of a group share. */
        public enum Scope {
            /** Nothing. */
            ANYWHERE,
            /** One node. */
            NODE,
            /** One domain of a topology level. */
            DOMAIN
        }

        /** The members may be anywhere. */
        public static final Locality ANYWHERE = new Locality(Scope.ANYWHERE, "", false);

        /**
         * Checks the combination.
         *
         * @throws IllegalArgumentException if a level is missing or not expected
         */
        public Locality {
            Objects.requireNonNull(scope, "scope");
            Objects.requireNonNull(level, "level");
            if (scope == Scope.DOMAIN == level.isBlank()) {
                throw new IllegalArgumentException(
                        "locality: a level is given for a domain and only for that, got scope " + scope
                                + " and level \"" + level + "\"");
            }
        }

        /** All members on one node, required. */
        public static Locality oneNode() {
            return new Locality(Scope.NODE, "", true);
        }

        /** All members within one domain of this level, required. */
        public static Locality within(String level) {
            Objects.requireNonNull(level, "level");
            return new Locality(Scope.DOMAIN, level, true);
        }

        /** Returns this closeness as a preference. */
        public Locality preferred() {
            return new Locality(scope, level, false);
        }
    }

    /**
     * Copies the roles and checks the numbers.
     *
     * @throws IllegalArgumentException if the name is blank, there is no pod, the minimum is out of range, or a role or a
     *     pod occurs twice
     */
    public PodGroup {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(roles, "roles");
        Objects.requireNonNull(locality, "locality");
        Checks.notBlank("pod group", "name", name);
        roles = List.copyOf(roles);
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
        Checks.inRange(what, "number of pods", size, 1, 1_000_000);
        Checks.inRange(what, "minMember", minMember, 1, size);
    }

    /** Returns the group of these pods, all of which must start together, anywhere. */
    public static PodGroup of(String name, List<Pod> pods) {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(pods, "pods");
        return new PodGroup(name, pods.size(), List.of(new Role("member", 0, pods)), Locality.ANYWHERE);
    }

    /** Returns this group with another minimum. */
    public PodGroup withMinMember(int value) {
        return new PodGroup(name, value, roles, locality);
    }

    /** Returns this group with another closeness. */
    public PodGroup withLocality(Locality value) {
        Objects.requireNonNull(value, "value");
        return new PodGroup(name, minMember, roles, value);
    }

    /** Returns all members, role by role. */
    public List<Pod> pods() {
        List<Pod> all = new ArrayList<>();
        roles.forEach(role -> all.addAll(role.pods()));
        return all;
    }
}
