package io.gpusched.dialect.hami.vendor;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The names under which containers ask for devices of a vendor.
 *
 * @param count the number of devices, not blank
 * @param memory memory of each, or nothing where it cannot be asked for
 * @param cores compute of each, or nothing where it cannot be asked for
 */
public record VendorResources(String count, String memory, String cores) {
    /** Checks that nothing is missing. */
    public VendorResources {
        Objects.requireNonNull(count, "count");
        Objects.requireNonNull(memory, "memory");
        Objects.requireNonNull(cores, "cores");
        if (count.isBlank()) {
            throw new IllegalArgumentException("vendor resources: count must not be blank");
        }
    }

    /** Returns the names of devices that are only counted. */
    public static VendorResources counted(String count) {
        Objects.requireNonNull(count, "count");
        return new VendorResources(count, "", "");
    }

    /** Returns the names that there are. */
    public List<String> names() {
        return Stream.of(count, memory, cores)
                .filter(name -> !name.isBlank())
                .distinct()
                .toList();
    }
}
