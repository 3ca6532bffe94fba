package io.gpusched.model;

import io.gpusched.check.Checks;

/**
 * What one container of a placed pod holds.
 *
 * @param container the container's name, not blank
 * @param kind when it runs
 * @param gpus its part of the node's GPUs
 */
public record ContainerGrant(String container, ContainerKind kind, GpuGrant gpus) {
    /**
     * Checks the name.
     *
     * @throws IllegalArgumentException if the name is blank
     */
    public ContainerGrant {
        Checks.notBlank("container grant", "container", container);
        java.util.Objects.requireNonNull(kind, "kind");
        java.util.Objects.requireNonNull(gpus, "gpus");
    }

    /** Returns what an ordinary container holds. */
    public static ContainerGrant of(String container, GpuGrant gpus) {
        return new ContainerGrant(container, ContainerKind.ORDINARY, gpus);
    }

    @Override
    public String toString() {
        String words = switch (kind) {
            case INIT -> "init container ";
            case SIDECAR -> "sidecar ";
            case ORDINARY -> "container ";
        };
        return words + container + ": " + gpus;
    }
}
