package io.gpusched.cli.job;

import io.gpusched.model.Locality;
import java.util.List;

/**
 * Pods of a job that start together.
 *
 * @param name the gang's name
 * @param minimum how many must start, those of its parts included
 * @param roles its pods by role; none of them is empty
 * @param locality how close they must be
 * @param parts the gangs that it consists of beside its roles; all must start
 */
public record Gang(String name, int minimum, List<Role> roles, Locality locality, List<Gang> parts) {
    /**
     * Pods of one kind.
     *
     * @param name the role's name
     * @param minimum how many of these must start
     * @param pods the pods
     */
    public record Role(String name, int minimum, List<PodSource> pods) {
        /** Copies the list. */
        public Role {
            pods = List.copyOf(pods);
        }
    }

    /** Copies the lists. */
    public Gang {
        roles = List.copyOf(roles);
        parts = List.copyOf(parts);
    }

    /** Returns the gang of these roles, as many of each as its minimum, anywhere; roles without pods are left out. */
    static Gang of(String name, List<Role> roles) {
        int least = roles.stream().mapToInt(Role::minimum).sum();
        List<Role> filled =
                roles.stream().filter(role -> !role.pods().isEmpty()).toList();
        return new Gang(name, Math.max(1, least), filled, Locality.ANYWHERE, List.of());
    }

    /** Returns this gang with another minimum. */
    Gang withMinimum(int value) {
        return new Gang(name, value, roles, locality, parts);
    }

    /** Returns this gang with another locality. */
    Gang withLocality(Locality value) {
        return new Gang(name, minimum, roles, value, parts);
    }

    /** Returns whether there is no pod in it. */
    boolean isEmpty() {
        return roles.isEmpty() && parts.isEmpty();
    }
}
