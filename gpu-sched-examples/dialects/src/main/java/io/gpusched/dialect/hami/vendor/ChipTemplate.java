package io.gpusched.dialect.hami.vendor;

import io.gpusched.check.Checks;
import java.util.Objects;

/**
 * A part into which a chip can be cut: a template of virtual NPUs.
 *
 * @param name what the device plugin calls it, such as {@code vir05_1c_16g}, not blank
 * @param memoryMib its memory in MiB, at least 1
 * @param aiCores its AI cores, 0 where that is not told
 * @param aiCpus its AI CPUs, 0 where that is not told
 */
public record ChipTemplate(String name, long memoryMib, int aiCores, int aiCpus) {
    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if the name is blank or a number is out of range
     */
    public ChipTemplate {
        Checks.notBlank("chip template", "name", Objects.requireNonNull(name, "name"));
        Checks.inRange("chip template \"" + name + "\"", "memoryMib", memoryMib, 1, Integer.MAX_VALUE);
        Checks.inRange("chip template \"" + name + "\"", "aiCores", aiCores, 0, Integer.MAX_VALUE);
        Checks.inRange("chip template \"" + name + "\"", "aiCpus", aiCpus, 0, Integer.MAX_VALUE);
    }
}
