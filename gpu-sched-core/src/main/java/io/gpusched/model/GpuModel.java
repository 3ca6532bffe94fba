package io.gpusched.model;

import io.gpusched.check.Checks;

/**
 * A kind of GPU.
 *
 * @param vendor vendor in lower case, such as {@code nvidia}, {@code amd} or {@code huawei}
 * @param name product name, such as {@code A100-SXM4-80GB}; what model allow and deny lists are compared with
 * @param memoryMib device memory in MiB, 0..268,435,455 (2<sup>28</sup>-1); 0 where memory is not tracked
 */
public record GpuModel(String vendor, String name, long memoryMib) {
    /** The greatest legal device memory in MiB. */
    public static final long MAX_MEMORY_MIB = (1L << 28) - 1;

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if a text is blank or the memory is out of range
     */
    public GpuModel {
        Checks.notBlank("gpu model", "vendor", vendor);
        Checks.notBlank("gpu model", "name", name);
        Checks.inRange("gpu model \"" + name + "\"", "memoryMib", memoryMib, 0, MAX_MEMORY_MIB);
    }

    /** Returns the model of this vendor, name and memory. */
    public static GpuModel of(String vendor, String name, long memoryMib) {
        return new GpuModel(vendor, name, memoryMib);
    }

    /** Returns the model of this vendor, name and memory in GiB: {@code GpuModel.ofGib("nvidia", "A100", 80)}. */
    public static GpuModel ofGib(String vendor, String name, long memoryGib) {
        Checks.inRange("gpu model \"" + name + "\"", "memoryGib", memoryGib, 0, MAX_MEMORY_MIB / 1_024);
        return of(vendor, name, 1_024 * memoryGib);
    }

    @Override
    public String toString() {
        return vendor + " " + name + " (" + memoryMib + " MiB)";
    }
}
