package io.gpusched.workload;

import io.gpusched.model.Resources;

/**
 * One container of a pod and what it asks.
 *
 * @param name unique in its pod, not blank
 * @param init whether it is an init container, which runs before the ordinary ones and alone
 * @param resources CPU and memory
 * @param gpu its GPU request
 */
public record Container(String name, boolean init, Resources resources, GpuRequest gpu) {
    /**
     * Checks the name.
     *
     * @throws IllegalArgumentException if the name is blank
     */
    public Container {
        Checks.notBlank("container", "name", name);
        java.util.Objects.requireNonNull(resources, "resources");
        java.util.Objects.requireNonNull(gpu, "gpu");
    }

    /** Returns an ordinary container. */
    public static Container of(String name, Resources resources, GpuRequest gpu) {
        return new Container(name, false, resources, gpu);
    }

    /** Returns an init container. */
    public static Container init(String name, Resources resources, GpuRequest gpu) {
        return new Container(name, true, resources, gpu);
    }
}
