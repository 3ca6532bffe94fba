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
    private static final Resources MOST = new Resources(Resources.MAX, Resources.MAX);

    /**
     * Checks name and amounts.
     *
     * @throws IllegalArgumentException if the name is blank, or an amount exceeds {@link Resources#MAX}
     */
    public Container {
        Checks.notBlank("container", "name", name);
        java.util.Objects.requireNonNull(resources, "resources");
        if (!resources.fitsIn(MOST)) {
            String what = "container \"" + name + "\"";
            Checks.inRange(what, "cpuMillis", resources.cpuMillis(), 0, Resources.MAX);
            Checks.inRange(what, "memoryMib", resources.memoryMib(), 0, Resources.MAX);
        }
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
