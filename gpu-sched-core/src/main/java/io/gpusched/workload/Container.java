package io.gpusched.workload;

import io.gpusched.model.ContainerKind;
import io.gpusched.model.Resources;

/**
 * One container of a pod and what it asks.
 *
 * @param name unique in its pod, not blank
 * @param kind when it runs
 * @param resources CPU and memory
 * @param gpu its GPU request
 */
public record Container(String name, ContainerKind kind, Resources resources, GpuRequest gpu) {
    /**
     * Checks the name.
     *
     * @throws IllegalArgumentException if the name is blank
     */
    public Container {
        Checks.notBlank("container", "name", name);
        java.util.Objects.requireNonNull(kind, "kind");
        java.util.Objects.requireNonNull(resources, "resources");
        java.util.Objects.requireNonNull(gpu, "gpu");
    }

    /** An init container ({@code init}) or an ordinary one. */
    public Container(String name, boolean init, Resources resources, GpuRequest gpu) {
        this(name, init ? ContainerKind.INIT : ContainerKind.ORDINARY, resources, gpu);
    }

    /** Returns an ordinary container. */
    public static Container of(String name, Resources resources, GpuRequest gpu) {
        return new Container(name, ContainerKind.ORDINARY, resources, gpu);
    }

    /** Returns an init container. */
    public static Container init(String name, Resources resources, GpuRequest gpu) {
        return new Container(name, ContainerKind.INIT, resources, gpu);
    }

    /** Returns a sidecar. */
    public static Container sidecar(String name, Resources resources, GpuRequest gpu) {
        return new Container(name, ContainerKind.SIDECAR, resources, gpu);
    }

    /** Returns whether it is an init container, which runs before the ordinary ones and ends. */
    public boolean init() {
        return kind == ContainerKind.INIT;
    }
}
