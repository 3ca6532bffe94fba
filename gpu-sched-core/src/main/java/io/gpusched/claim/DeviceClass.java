package io.gpusched.claim;

import io.gpusched.check.Checks;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A kind of device that an administrator offers.
 *
 * @param name unique in its cluster
 * @param selectors all must accept a device
 * @param extendedResource the extended resource that stands for a device of this class, such as {@code nvidia.com/gpu}
 */
public record DeviceClass(String name, List<DeviceSelector> selectors, Optional<String> extendedResource) {
    /** Copies the list. */
    public DeviceClass {
        Checks.notBlank("device class", "name", name);
        selectors = Checks.list("selectors", selectors);
        Objects.requireNonNull(extendedResource, "extendedResource");
    }

    /** Returns a class without an extended resource. */
    public static DeviceClass of(String name, DeviceSelector... selectors) {
        Checks.noNulls("selectors", selectors);
        return new DeviceClass(name, List.of(selectors), Optional.empty());
    }
}
