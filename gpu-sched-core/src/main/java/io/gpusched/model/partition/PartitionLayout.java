package io.gpusched.model.partition;

import io.gpusched.internal.check.Checks;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * One way to cut a device in advance, such as {@code all-balanced} of NVIDIA's mig-parted.
 *
 * @param name what the way is called, not blank
 * @param instances what the device is cut into, in any order
 */
public record PartitionLayout(String name, List<Instance> instances) {
    /**
     * One partition of a layout.
     *
     * @param profile the name of its profile
     * @param start the unit at which it begins; 0 for a template without a place
     */
    public record Instance(String profile, int start) {
        /** Checks the values. */
        public Instance {
            Checks.notBlank("partition layout", "profile", profile);
            Checks.inRange("partition layout", "start", start, 0, PartitionGeometry.MAX_GRID_UNITS - 1);
        }

        @Override
        public String toString() {
            return profile + "@" + start;
        }
    }

    /**
     * Copies the list and checks the values.
     *
     * @throws IllegalArgumentException if the name is blank or there is no instance
     */
    public PartitionLayout {
        Checks.notBlank("partition layout", "name", name);
        instances = Checks.list("instances", instances);
        Checks.inRange("partition layout \"" + name + "\"", "number of instances", instances.size(), 1, 255);
    }

    /**
     * Returns the layout of these instances.
     *
     * @param instances each as in {@code 3g.20gb@4}
     * @throws IllegalArgumentException if one is not a name, an {@code @} and a unit
     */
    public static PartitionLayout of(String name, String... instances) {
        Objects.requireNonNull(name, "name");
        Checks.noNulls("instances", instances);
        return new PartitionLayout(
                name, Stream.of(instances).map(PartitionLayout::parse).toList());
    }

    private static Instance parse(String text) {
        int at = text.lastIndexOf('@');
        String digits = text.substring(at + 1);
        if (at < 1 || digits.length() > 2 || !digits.chars().allMatch(Character::isDigit) || digits.isEmpty()) {
            throw new IllegalArgumentException(
                    "partition layout: instance must be like 3g.20gb@4 (profile, '@', first unit), got \"" + text
                            + "\"");
        }
        return new Instance(text.substring(0, at), Integer.parseInt(digits));
    }

    @Override
    public String toString() {
        return name + " " + instances;
    }
}
