package io.gpusched.workload;

import io.gpusched.check.Checks;
import io.gpusched.model.ContainerKind;
import io.gpusched.model.Resources;
import java.util.Objects;

/**
 * One container of a pod and what it asks.
 *
 * @param name unique in its pod, not blank
 * @param kind when it runs
 * @param resources CPU, memory and other resources
 * @param gpu its GPU request
 */
public record Container(String name, ContainerKind kind, Resources resources, GpuRequest gpu) {
    /**
     * Checks name and amounts.
     *
     * @throws IllegalArgumentException if the name is blank, or an amount exceeds {@link Resources#MAX}
     */
    public Container {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(resources, "resources");
        Objects.requireNonNull(gpu, "gpu");
        Checks.notBlank("container", "name", name);
        if (resources.cpuMillis() > Resources.MAX || resources.memoryMib() > Resources.MAX) {
            String what = "container \"" + name + "\"";
            Checks.inRange(what, "cpuMillis", resources.cpuMillis(), 0, Resources.MAX);
            Checks.inRange(what, "memoryMib", resources.memoryMib(), 0, Resources.MAX);
        }
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
}
