package io.gpusched.model;

/**
 * What one container of a placed pod holds.
 *
 * @param container the container's name, not blank
 * @param init whether it is an init container, which runs before the others and alone
 * @param gpus its part of the node's GPUs
 */
public record ContainerGrant(String container, boolean init, GpuGrant gpus) {
    /**
     * Checks the name.
     *
     * @throws IllegalArgumentException if the name is blank
     */
    public ContainerGrant {
        Checks.notBlank("container grant", "container", container);
        java.util.Objects.requireNonNull(gpus, "gpus");
    }

    @Override
    public String toString() {
        return (init ? "init container " : "container ") + container + ": " + gpus;
    }
}
