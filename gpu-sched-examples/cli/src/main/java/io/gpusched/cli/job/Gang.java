package io.gpusched.cli.job;

import io.gpusched.model.Locality;
import java.util.ArrayList;
import java.util.List;

/**
 * Pods of a job that start together.
 *
 * @param name the gang's name
 * @param minimum how many must start, those of its parts included
 * @param roles its pods by role; none of them is empty
 * @param locality how close they must be
 * @param parts the gangs that it consists of beside its roles; all must start
 * @param after the pods that have ended before it starts
 */
public record Gang(
        String name, int minimum, List<Role> roles, Locality locality, List<Gang> parts, List<PodSource> after) {
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
        after = List.copyOf(after);
    }

    /** A gang that waits for no pod to end. */
    Gang(String name, int minimum, List<Role> roles, Locality locality, List<Gang> parts) {
        this(name, minimum, roles, locality, parts, List.of());
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
        return new Gang(name, value, roles, locality, parts, after);
    }

    /** Returns this gang with another locality. */
    Gang withLocality(Locality value) {
        return new Gang(name, minimum, roles, value, parts, after);
    }

    /** Returns this gang, started when these pods have ended. */
    Gang after(List<PodSource> ended) {
        return new Gang(name, minimum, roles, locality, parts, ended);
    }

    /** Returns all its pods. */
    List<PodSource> pods() {
        List<PodSource> pods = new ArrayList<>();
        roles.forEach(role -> pods.addAll(role.pods()));
        parts.forEach(part -> pods.addAll(part.pods()));
        return pods;
    }

    /** Returns whether there is no pod in it. */
    boolean isEmpty() {
        return roles.isEmpty() && parts.isEmpty();
    }
}
