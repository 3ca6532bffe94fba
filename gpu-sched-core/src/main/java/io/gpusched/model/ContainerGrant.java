package io.gpusched.model;

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

    /** What an init container ({@code init}) or an ordinary one holds. */
    public ContainerGrant(String container, boolean init, GpuGrant gpus) {
        this(container, init ? ContainerKind.INIT : ContainerKind.ORDINARY, gpus);
    }

    /** Returns whether the container runs before the ordinary ones and ends. */
    public boolean init() {
        return kind == ContainerKind.INIT;
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
