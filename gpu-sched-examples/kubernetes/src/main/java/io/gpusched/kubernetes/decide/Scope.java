package io.gpusched.kubernetes.decide;

import io.fabric8.kubernetes.api.model.Pod;
import io.gpusched.model.PodId;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which pods a scheduler places. What runs is counted wherever it is.
 *
 * @param schedulerName pods of this {@code spec.schedulerName}; empty for those of all schedulers
 * @param namespaces pods of these namespaces; empty for all
 */
public record Scope(String schedulerName, Set<String> namespaces) {
    /** Copies the set; no name is blank. */
    public Scope {
        namespaces = Set.copyOf(new TreeSet<>(namespaces));
        for (String namespace : namespaces) {
            if (namespace.isBlank()) {
                throw new IllegalArgumentException("namespaces: a name must not be blank, got \"" + namespace + "\"");
            }
        }
    }

    /** Returns the scope of all pods of a scheduler's name. */
    public static Scope of(String schedulerName) {
        return new Scope(schedulerName, Set.of());
    }

    /** Returns the scope of all pods, whichever scheduler places them: for a program that places none itself. */
    public static Scope ofAll() {
        return of("");
    }

    /** Returns whether a pod is to be placed by this scheduler. */
    public boolean holds(Pod pod) {
        String namespace = Objects.requireNonNullElse(pod.getMetadata().getNamespace(), PodId.DEFAULT_NAMESPACE);
        return pod.getSpec() != null
                && (schedulerName.isEmpty()
                        || schedulerName.equals(pod.getSpec().getSchedulerName()))
                && (namespaces.isEmpty() || namespaces.contains(namespace));
    }
}
